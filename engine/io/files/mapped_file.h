#pragma once

#include "engine/data/float_storage.h"

#include <sys/stat.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace assay {

/// A whole file in the address space, for reading; unmapped and closed with its last owner.
///
/// Nothing is copied, so what happens to the file matters. Replaced by another of its name (rename, as careful programs
/// save) or deleted, it stays here as it was. Rewritten in place (as numpy.save does to an existing file) its values
/// may change, which isUnchanged() detects; shortened, touching what is gone raises SIGBUS, which no library can turn
/// into an exception. So only a program that is prepared for both maps its inputs: see ReadOptions.
class MappedFile : public ForeignMemory {
public:
    /// @return null when the file cannot be mapped: it is empty, or its file system does not know how
    /// @throws Error{BadInput} when it cannot be opened
    static std::shared_ptr<const MappedFile> open(const std::string& name);

    ~MappedFile() override;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// The file's bytes, as many as there were when it was opened.
    std::span<const std::byte> bytes() const noexcept { return bytes_; }

    /// Takes whole pages of these bytes out of the process's memory; they come back from the file when they are
    /// touched.
    void release(std::span<const std::byte> bytes) const noexcept;

    /// Whether size and time of the last modification are what they were.
    bool isUnchanged() const noexcept override;

private:
    MappedFile(int descriptor, const struct stat& status, std::span<const std::byte> bytes)
        : descriptor_(descriptor), status_(status), bytes_(bytes) {}

    int descriptor_;
    struct stat status_;
    std::span<const std::byte> bytes_;
};

} // namespace assay
