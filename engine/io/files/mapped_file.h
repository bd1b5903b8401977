#pragma once

#include "engine/data/float_storage.h"

#include <sys/stat.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace assay {

/// Whether an open file's size and modification time are still those of `then`.
bool isUnchangedSince(const struct stat& then, int descriptor) noexcept;

/// A whole file mapped into memory for reading; the last owner unmaps and closes it.
///
/// The mapping shows the file itself and not a copy, so later changes of the file matter. When the file is deleted, or
/// replaced by renaming (as careful programs save), the mapping keeps the old contents. When it is rewritten in place
/// (as numpy.save does), values may change; isUnchanged() detects this. When it is shortened, access beyond the new end
/// raises SIGBUS, which a library cannot turn into an exception. Therefore a program maps its inputs only when it is
/// prepared for both: see ReadOptions.
class MappedFile : public ExternalMemory {
public:
    /// @return null when the file cannot be mapped: it is empty, or the file system does not support it
    /// @throws Error{BadInput} when it cannot be opened
    static std::shared_ptr<const MappedFile> open(const std::string& name);

    ~MappedFile() override;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// The file's bytes; their number is the size when the file was opened.
    std::span<const std::byte> bytes() const noexcept { return bytes_; }

    /// Releases the whole pages among these bytes from the process's memory. The next access reads them from the file
    /// again.
    void release(std::span<const std::byte> bytes) const noexcept;

    /// Whether the file's size and modification time are the same as when it was opened.
    bool isUnchanged() const noexcept override { return isUnchangedSince(status_, descriptor_); }

private:
    MappedFile(int descriptor, const struct stat& status, std::span<const std::byte> bytes)
        : descriptor_(descriptor), status_(status), bytes_(bytes) {}

    int descriptor_;
    struct stat status_;
    std::span<const std::byte> bytes_;
};

} // namespace assay
