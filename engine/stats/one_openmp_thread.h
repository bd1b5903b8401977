#pragma once

namespace assay {

/// While it lives, oneDNN's products stay on the calling thread: our own workers share out the work.
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
