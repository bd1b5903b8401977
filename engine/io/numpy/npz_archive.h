#pragma once

#include "engine/base/job_context.h"
#include "engine/io/archives/zip_file.h"
#include "engine/io/files/input_file.h"
#include "engine/io/numpy/npy_header.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// One entry of an .npz archive.
struct NpzEntry {
    std::string key;         ///< the entry's name without `.npy`
    std::uint64_t index = 0; ///< in the archive's directory
    std::uint64_t bytes = 0; ///< unpacked, as the directory claims
    std::optional<NpyHeader> header;
    std::string problem; ///< why the entry cannot be read, as a whole sentence; empty when it can

    bool isObject() const noexcept { return header && header->type.kind == NpyType::Kind::Object; }
    bool isMatrix() const noexcept { return header && header->type.isNumeric() && header->shape.size() == 2; }
    /// For people: `reps float64 [1000, 8]`, `hparams (Python objects, skipped)`.
    std::string text() const;
};

/// A zip archive of .npy arrays: stored or deflated, also beyond 4 GiB (zip64). Nothing but the arrays' headers is read
/// until an entry is opened.
class NpzArchive {
public:
    /// Lists the archive. An entry that cannot be read is kept with its problem: it matters only to whoever wants it.
    /// @throws Error{BadInput} when it is no complete zip archive or two entries bear the same name; Cancelled
    NpzArchive(const InputFile& input, const JobContext& job);

    const std::string& file() const noexcept { return file_; }
    const std::vector<NpzEntry>& entries() const noexcept { return entries_; }
    /// Null when there is no such key.
    const NpzEntry* find(std::string_view key) const noexcept;
    /// `file: 'key'`, for messages.
    std::string where(const NpzEntry& entry) const;
    /// All entries in words, the first twenty at most.
    std::string listing() const;

    /// An entry's bytes, unpacked as they are read; the checksum is compared at the end. One at a time.
    /// @throws Error{BadInput} when the entry is encrypted, packed in another way, or claims an impossible size
    std::unique_ptr<ByteSource> open(const NpzEntry& entry) const;

private:
    std::string file_;
    ZipFile zip_;
    std::vector<NpzEntry> entries_;
};

} // namespace assay
