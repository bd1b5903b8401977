#include "engine/math/products/one_blas_thread.h"

#include <cblas.h>

namespace assay {

void requireOneBlasThread() {
    static const bool set = [] {
        openblas_set_num_threads(1);
        return true;
    }();
    static_cast<void>(set);
}

} // namespace assay
