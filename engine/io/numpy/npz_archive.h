#pragma once

#include "engine/base/job_context.h"
#include "engine/io/archives/zip_archive.h"
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
    std::string key;         ///< name of the entry without `.npy`
    std::uint64_t index = 0; ///< index in the archive's directory
    std::uint64_t bytes = 0; ///< uncompressed size that the directory claims
    std::optional<NpyHeader> header;
    std::string problem; ///< why the entry cannot be read, as a whole sentence; empty when it can be read

    bool isObject() const noexcept { return header && header->type.kind == NpyType::Kind::Object; }
    /// Text for the user: `reps float64 [1000, 8]`, `hparams (Python objects, skipped)`.
    std::string text() const;
};

/// A zip archive of .npy arrays: stored or deflated, also beyond 4 GiB (zip64). Only the arrays' headers are read until
/// an entry is opened.
class NpzArchive {
public:
    /// Lists the archive. Keeps an unreadable entry together with its problem: it matters only when that entry is
    /// needed.
    /// @throws Error{BadInput} when it is not a complete zip archive, or when two entries have the same name; Cancelled
    NpzArchive(const InputFile& input, const JobContext& job);

    const std::string& file() const noexcept { return file_; }
    const std::vector<NpzEntry>& entries() const noexcept { return entries_; }
    /// The entry of that key; null when there is none.
    const NpzEntry* find(std::string_view key) const noexcept;
    /// Whether `mu` and `sigma` have the shapes of a mean and its covariance.
    bool holdsStatistics() const noexcept;
    /// `file: 'key'`, for messages.
    std::string where(const NpzEntry& entry) const;
    /// Text that lists at most the first twenty entries.
    std::string listing() const;

    /// The bytes of an entry, decompressed while they are read; the checksum is verified at the end. Open at most one
    /// entry at a time.
    /// @throws Error{BadInput} when the entry is encrypted, uses another compression method, or claims an impossible
    ///         size
    std::unique_ptr<ByteSource> open(const NpzEntry& entry) const;

private:
    std::string file_;
    ZipFile zip_;
    std::vector<NpzEntry> entries_;
};

} // namespace assay
