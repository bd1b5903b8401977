#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace assay {

/// A folder that appears under its name with all its files or not at all: filled beside the target, flushed to the disk
/// and renamed. Without commit() everything is removed.
///
/// Every function throws Error{WriteFailed} naming the target and the system's reason.
class AtomicFolder {
public:
    /// @param target a folder that is not there yet, or is empty
    explicit AtomicFolder(const std::filesystem::path& target);
    ~AtomicFolder();
    AtomicFolder(const AtomicFolder&) = delete;
    AtomicFolder& operator=(const AtomicFolder&) = delete;

    /// Where the files are until commit(), for writers that take a name.
    const std::filesystem::path& path() const noexcept { return temporary_; }
    /// Writes a file of the folder. @param name without a folder, not there yet
    void write(const std::string& name, std::string_view bytes) const;
    /// Makes the folder appear. Nothing may be written afterwards.
    void commit();

private:
    [[noreturn]] void fail(const std::string& what, int code) const;

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    bool committed_ = false;
};

/// Makes sure that an AtomicFolder could be begun there. Writes nothing. @throws Error{WriteFailed}
void requireNewFolder(const std::filesystem::path& target);

} // namespace assay
