#pragma once

#include "engine/base/job_context.h"
#include "engine/io/files/input_file.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct zip;

namespace assay {

/// Finds the bytes of a stored (not compressed) entry of a zip archive in memory. libzip reads entries but does not
/// report their position. Source: PKWARE's APPNOTE.TXT 6.3, sections 4.3 and 4.5.3 (zip64).
/// @param index index of the entry in the archive's directory
/// @return empty when the entry is compressed or encrypted, or when the archive has an unusual layout
std::optional<std::span<const std::byte>> storedEntry(std::span<const std::byte> archive, std::uint64_t index);

/// The entries of a zip archive: stored or deflated, also beyond 4 GiB (zip64). Reads an entry's contents only when the
/// entry is opened. Not thread-safe.
class ZipFile {
public:
    /// @param expected the expected input, for messages: "a complete .npz archive"
    /// @throws Error{BadInput} when the file is not a complete zip archive
    ZipFile(const InputFile& input, const std::string& expected);

    /// Number of entries.
    std::uint64_t count() const noexcept;
    /// Name of an entry as stored in the archive; empty when it has none. Never used as a path to write to.
    std::string name(std::uint64_t index) const;

    /// The bytes of an entry, decompressed while they are read; the checksum is verified at the end. Open at most one
    /// entry at a time.
    /// @param where start of error messages
    /// @throws Error{BadInput} when the entry is encrypted, uses another compression method, or claims an impossible
    ///         size
    std::unique_ptr<ByteSource> open(std::uint64_t index, const std::string& where) const;

    /// Reads a whole entry; for entries that are always small.
    /// @param mostBytes larger entries are refused, and also entries above 16 MiB with a compression ratio above 100
    /// @throws Error{BadInput} as open(), and for refused or damaged entries
    std::vector<std::byte> read(std::uint64_t index, std::uint64_t mostBytes, const std::string& where) const;

private:
    struct Discard {
        void operator()(zip* archive) const noexcept;
    };

    std::uint64_t fileBytes_;
    std::shared_ptr<const MappedFile> mapping_;
    std::unique_ptr<zip, Discard> zip_;
};

/// Contents of an archive, judged by the names of its entries.
enum class ZipContent {
    None,     ///< not an archive, or its entries cannot be listed
    Arrays,   ///< .npy arrays, or no entries
    Tensors,  ///< PyTorch: `NAME/data.pkl`
    Pictures, ///< pictures and no .npy arrays
    Other,    ///< only unknown names
};
/// Checks the first entry's name and, when that does not decide, all names. Never throws.
ZipContent zipContentOf(const InputFile& input);

enum class ZipPacking { Stored, Deflated };

/// A zip archive that appears under its name either complete or not at all; uses zip64 beyond 4 GiB. Equal entries
/// always produce identical bytes.
///
/// Every function throws Error{WriteFailed}; the message names the archive and the reason.
class ZipWriter {
public:
    explicit ZipWriter(const std::string& file);
    ~ZipWriter();
    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;

    /// Adds an entry that consists of `head` followed by `data`. The caller keeps both alive until commit() returns.
    /// @param name UTF-8, unique within the archive
    void add(const std::string& name, std::span<const std::byte> head, std::span<const std::byte> data,
             ZipPacking packing);
    /// Adds an entry whose bytes `make` creates while the archive is written, so that only one such entry is in memory
    /// at a time. commit() rethrows exceptions of `make`.
    void add(const std::string& name, std::function<std::string()> make, ZipPacking packing);

    /// Writes the archive and renames it to its final name. Nothing may be added afterwards.
    /// @throws Error{WriteFailed}; Cancelled; exceptions of the `make` functions
    void commit(const JobContext& job = {});

private:
    struct MadeEntry;
    struct Archive;
    std::unique_ptr<Archive> archive_;
};

} // namespace assay
