#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace assay {

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

} // namespace assay
