#pragma once

namespace assay {

/// Keeps every call of BLAS and LAPACK on the thread that makes it: our own loops share out the work, and several of
/// their threads call at a time. For the whole process, from the first call of this on; to be called before any of
/// BLAS or LAPACK.
void requireOneBlasThread();

} // namespace assay
