#pragma once

#include <stdexcept>
#include <string>

namespace assay {

/// What went wrong, as far as a caller acts on it differently. `assay-score` maps these to exit codes.
enum class ErrorKind {
    BadInput,        ///< a file or its contents: missing, truncated, wrong shape, not a number
    InvalidArgument, ///< a parameter that does not fit the data, such as k >= N
    NotEnoughMemory, ///< the work does not fit
    WriteFailed,     ///< an output could not be written
    DeviceFailed,    ///< a graphics card is missing, or refused its work
};

/// The engine's only error type. The message is a whole sentence for the person at the screen: it names the file, the
/// key or line, what was expected and what was found.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    ErrorKind kind() const noexcept { return kind_; }

private:
    ErrorKind kind_;
};

/// Thrown by JobContext::checkpoint() once a stop was asked for. Not an error: nobody reports it.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

} // namespace assay
