#pragma once

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

} // namespace assay
