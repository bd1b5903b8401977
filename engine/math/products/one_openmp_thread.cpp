#include "engine/math/products/one_openmp_thread.h"

#include <omp.h>

namespace assay {

OneOpenMpThread::OneOpenMpThread() : before_(omp_get_max_threads()) {
    omp_set_num_threads(1);
}

OneOpenMpThread::~OneOpenMpThread() {
    omp_set_num_threads(before_);
}

} // namespace assay
