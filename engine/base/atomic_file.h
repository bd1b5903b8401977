#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A terminal, /dev/null or a pipe with a name: nothing that could be replaced.
bool isStream(const std::string& file);

/// A file that appears under its name complete or not at all: written to a temporary beside the target, flushed to the
/// disk and renamed. Until then a file that bears the name already stays as it is; without commit() the temporary is
/// removed. A symbolic link is followed; the permissions of a file that is replaced are kept. What is a stream
/// (isStream) is written to at once.
///
/// Every function throws Error{WriteFailed} naming the target and the system's reason.
class AtomicFile {
public:
    explicit AtomicFile(const std::string& target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

    /// Where the bytes are until commit(), for libraries that write to a name of their own accord.
    const std::string& temporaryName() const;

    /// Whatever may fail for want of room. Nothing may be written afterwards.
    void flush();
    /// Makes the file appear. Nothing may be written afterwards.
    void commit();

private:
    [[noreturn]] void fail(const std::string& what, int code) const;

    std::string target_;      ///< as given, for messages
    std::string destination_; ///< with links followed
    std::string temporary_;
    int descriptor_ = -1;
    bool isStream_ = false;
    bool flushed_ = false;
    bool committed_ = false;
};

/// Several files of one result: none appears before all are on the disk.
class AtomicFiles {
public:
    /// @throws Error{WriteFailed}
    void add(const std::string& target, std::string_view text);
    /// Makes all of them appear. @throws Error{WriteFailed}
    void commit();

private:
    std::vector<std::unique_ptr<AtomicFile>> files_;
};

/// From here on, writing beyond what the system lets this process's files grow to (ulimit -f) fails as on a full disk.
/// Otherwise the kernel would end the process, and what it had begun would stay. For main().
void refuseLongFiles() noexcept;

/// Writes a whole small file, such as a CSV or JSON text. @throws Error{WriteFailed}
void writeFileAtomically(const std::string& target, std::string_view text);

} // namespace assay
