#include "engine/math/products/float_product.h"

#include "engine/base/error.h"

#include <dnnl.h>

#include <new>
#include <omp.h>
#include <string>

namespace assay {

OneOpenMpThread::OneOpenMpThread() : before_(omp_get_max_threads()) {
    omp_set_num_threads(1);
}

OneOpenMpThread::~OneOpenMpThread() {
    omp_set_num_threads(before_);
}

void requireSinglePrecision() {
    dnnl_set_default_fpmath_mode(dnnl_fpmath_mode_strict);
}

void requireProduct(int status) {
    if (status == dnnl_out_of_memory)
        throw std::bad_alloc();
    if (status != dnnl_success)
        throw Error(ErrorKind::InvalidArgument,
                    "the matrix product failed: expected oneDNN status 0, found " + std::to_string(status));
}

void multiply(const FloatFactor& x, const FloatFactor& y, Into into, float* product) {
    const bool transposedX = x.use == FloatFactor::Use::Transposed;
    const bool transposedY = y.use == FloatFactor::Use::Transposed;
    const auto rows = static_cast<dnnl_dim_t>(transposedX ? x.columns : x.rows);
    const auto inner = static_cast<dnnl_dim_t>(transposedX ? x.rows : x.columns);
    const auto columns = static_cast<dnnl_dim_t>(transposedY ? y.rows : y.columns);
    const OneOpenMpThread alone;
    requireProduct(dnnl_sgemm(transposedX ? 'T' : 'N', transposedY ? 'T' : 'N', rows, columns, inner, 1.0F, x.data,
                              static_cast<dnnl_dim_t>(x.columns), y.data, static_cast<dnnl_dim_t>(y.columns),
                              into == Into::Add ? 1.0F : 0.0F, product, columns));
}

} // namespace assay
