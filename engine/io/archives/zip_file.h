#pragma once

#include "engine/io/files/input_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// The entries of a zip archive: stored or deflated, also beyond 4 GiB (zip64). Nothing is read until an entry is
/// opened. One thread at a time.
class ZipFile {
public:
    /// @param expected for messages: "a complete .npz archive"
    /// @throws Error{BadInput} when it is no complete zip archive
    ZipFile(const InputFile& input, const std::string& expected);
    ~ZipFile();
    ZipFile(const ZipFile&) = delete;
    ZipFile& operator=(const ZipFile&) = delete;

    /// Number of entries.
    std::uint64_t count() const noexcept;
    /// As the archive spells it: nothing is ever written under such a name. Empty where it has none.
    std::string name(std::uint64_t index) const;

    /// An entry's bytes, unpacked as they are read; the checksum is compared at the end. One at a time.
    /// @param where for messages
    /// @throws Error{BadInput} when the entry is encrypted, packed in another way, or claims an impossible size
    std::unique_ptr<ByteSource> open(std::uint64_t index, const std::string& where) const;

    /// All of an entry that is small by its nature.
    /// @param mostBytes what is larger is refused, and what was packed 100 to 1 and is larger than 16 MiB
    /// @throws as open
    std::vector<std::byte> read(std::uint64_t index, std::uint64_t mostBytes, const std::string& where) const;

private:
    struct Zip;

    std::uint64_t fileBytes_;
    std::shared_ptr<const MappedFile> mapping_;
    std::unique_ptr<Zip> zip_;
};

/// What the names in an archive show it to hold.
enum class ZipContent {
    None,     ///< it is no archive, or none that can be listed
    Arrays,   ///< .npy, or nothing that is known
    Tensors,  ///< PyTorch: `NAME/data.pkl`
    Pictures, ///< pictures, and no .npy
};
/// Looks at the first name, and where that does not decide at all of them. Never throws.
ZipContent zipContentOf(const InputFile& input);

} // namespace assay
