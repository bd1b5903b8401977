#pragma once

#include <stdexcept>
#include <string>

namespace assay {

/// Kind of an error; callers handle each kind differently. `assay-score` maps kinds to exit codes.
enum class ErrorKind {
    BadInput,        ///< a file or its contents: missing, truncated, wrong shape, not a number
    InvalidArgument, ///< a parameter that does not fit the data, such as k >= N
    NotEnoughMemory, ///< the work does not fit into memory
    WriteFailed,     ///< an output could not be written
    DeviceFailed,    ///< a graphics card is missing, or failed
};

/// The engine's only error type. The message is a complete text for the user: it names the file, the key or line, the
/// expected value and the value found.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    ErrorKind kind() const noexcept { return kind_; }

private:
    ErrorKind kind_;
};

/// Thrown by JobContext::checkpoint() and throwIfStopped() after a stop request. Not an error: it is never reported.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

} // namespace assay
