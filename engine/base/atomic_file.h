#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Whether the file is a character device (a terminal, /dev/null) or a named pipe. Such a file cannot be replaced.
bool isStream(const std::string& file);

/// @throws Error{WriteFailed}: "TARGET: cannot be written: WHAT (the system's reason)"
/// @param code error number of the system; 0: no reason
[[noreturn]] void failWriting(const std::string& target, const std::string& what, int code);

/// Writes all bytes to an open file. @return 0, or the error number of the system
int writeAll(int descriptor, std::span<const std::byte> bytes) noexcept;

/// A file that appears under its name either complete or not at all. The bytes go to a temporary file in the target's
/// folder; commit() flushes it to the disk and renames it. An existing file of that name stays unchanged until
/// commit(). Without commit(), the destructor removes the temporary file. A symbolic link is followed. A replaced
/// file's permissions are kept. Streams (isStream) have no temporary file: write() writes to them directly.
///
/// Every function throws Error{WriteFailed}; the message names the target and the system's reason.
class AtomicFile {
public:
    explicit AtomicFile(const std::string& target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

    /// Name of the temporary file that holds the bytes until commit(); for libraries that open a file by name.
    /// @throws Error{WriteFailed} for a stream
    const std::string& temporaryName() const;

    /// Flushes the temporary file to the disk and closes it, so that a full disk is reported here and not by commit().
    /// Nothing may be written afterwards.
    void flush();
    /// Flushes if needed, then renames the temporary file to the target. Nothing may be written afterwards.
    void commit();

private:
    [[noreturn]] void fail(const std::string& what, int code) const { failWriting(target_, what, code); }

    std::string target_;      ///< as given, for messages
    std::string destination_; ///< with links followed
    std::string temporary_;
    int descriptor_ = -1;
    bool isStream_ = false;
    bool flushed_ = false;
    bool committed_ = false;
};

/// Several files that belong together: none appears before all of them are on the disk.
class AtomicFiles {
public:
    /// Writes `text` to a temporary file for `target` and flushes it.
    /// @throws Error{WriteFailed}
    void add(const std::string& target, std::string_view text);
    /// Renames all temporary files to their targets, in the order of add().
    /// @throws Error{WriteFailed}
    void commit();

private:
    std::vector<std::unique_ptr<AtomicFile>> files_;
};

/// Makes writes beyond the file size limit (ulimit -f) fail like writes to a full disk. By default, the kernel ends the
/// process and temporary files remain. Applies to the whole process from this call on; call it from main().
void ignoreFileSizeSignal() noexcept;

/// Writes a whole small file, such as a CSV or JSON text, by means of AtomicFile.
/// @throws Error{WriteFailed}
void writeFileAtomically(const std::string& target, std::string_view text);

/// A folder that appears under its name with all its files, or not at all. The files go to a temporary folder beside
/// the target; commit() flushes it to the disk and renames it. Without commit(), the destructor removes the temporary
/// folder and its files.
///
/// Every function throws Error{WriteFailed}; the message names the target and the system's reason.
class AtomicFolder {
public:
    /// @param target a folder that does not exist yet, or is empty
    explicit AtomicFolder(const std::filesystem::path& target);
    ~AtomicFolder();
    AtomicFolder(const AtomicFolder&) = delete;
    AtomicFolder& operator=(const AtomicFolder&) = delete;

    /// The temporary folder that holds the files until commit(); for writers that open files by name.
    const std::filesystem::path& path() const noexcept { return temporary_; }
    /// Creates one file of the folder.
    /// @param name file name without a folder; must not exist yet
    void write(const std::string& name, std::string_view bytes) const;
    /// Flushes the files and renames the temporary folder to the target. Nothing may be written afterwards.
    void commit();

private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    bool committed_ = false;
};

/// Checks that an AtomicFolder can be created at `target`: the parent folder exists, and the target does not exist or
/// is an empty folder. Writes nothing.
/// @throws Error{WriteFailed} otherwise
void requireNewFolder(const std::filesystem::path& target);

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
