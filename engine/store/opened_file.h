#pragma once

#include <string>

namespace assay {

/// A file that is to be written again: tells whether somebody has written it meanwhile.
class OpenedFile {
public:
    /// Remembers the file as it is now. @throws Error{BadInput} if it cannot be opened
    explicit OpenedFile(std::string file);
    ~OpenedFile();
    OpenedFile(const OpenedFile&) = delete;
    OpenedFile& operator=(const OpenedFile&) = delete;

    /// Keeps others who call this for the same file waiting until this object is destroyed; returns after those who
    /// came first. @throws Error{WriteFailed} if the file has changed since it was opened
    void lock() const;

private:
    std::string file_;
    std::string state_; ///< what changes when the file is written or replaced
    int descriptor_ = -1;
};

} // namespace assay
