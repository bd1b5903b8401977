#pragma once

#include <cstddef>

namespace assay {

/// oneDNN takes its number of threads from OpenMP's setting for the calling thread. While one of these lives, products
/// stay on the calling thread: our own workers share out the work.
class OneOpenMpThread {
public:
    OneOpenMpThread();
    ~OneOpenMpThread();
    OneOpenMpThread(const OneOpenMpThread&) = delete;
    OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

private:
    int before_;
};

/// Keeps single-precision products in single precision, whatever the library's environment asks for.
void requireSinglePrecision();

/// Passes a status of oneDNN. @throws std::bad_alloc; Error{InvalidArgument} for a product that was refused
void requireProduct(int status);

/// A row-major factor of a product, as it lies in memory.
struct FloatFactor {
    const float* data;
    std::size_t rows, columns;
    enum class Use { AsItIs, Transposed } use = Use::AsItIs;
};

enum class Into { Replace, Add };

/// Product of two row-major matrices in single precision, on the calling thread.
/// @param product as many rows as x (as used) and as many columns as y (as used), row-major
/// @throws std::bad_alloc; Error{InvalidArgument} when the library refuses
void multiply(const FloatFactor& x, const FloatFactor& y, Into into, float* product);

} // namespace assay
