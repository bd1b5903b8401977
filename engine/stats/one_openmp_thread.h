#pragma once

#include <omp.h>

namespace assay {

/// While it lives, oneDNN's products stay on the calling thread: our own workers share out the work.
class OneOpenMpThread {
public:
    OneOpenMpThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
    ~OneOpenMpThread() { omp_set_num_threads(before_); }
    OneOpenMpThread(const OneOpenMpThread&) = delete;
    OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

private:
    int before_;
};

} // namespace assay
