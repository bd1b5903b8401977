#pragma once

#include "engine/io/files/mapped_file.h"
#include "engine/io/files/value_reading.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

/// Bytes that are read once, from front to back: a file, an entry of an archive, a piece of memory.
class ByteSource {
public:
    virtual ~ByteSource() = default;

    /// Number of bytes the source claims to hold. A deflated entry may turn out to hold fewer or more.
    virtual std::uint64_t size() const noexcept = 0;

    /// Reads at most `into.size()` bytes. @return how many; 0 only at the end of the source
    /// @throws Error{BadInput} when the bytes cannot be read or fail their checksum
    virtual std::size_t readSome(std::span<std::byte> into) = 0;
};

/// Fills `into` completely.
/// @param where file, or file and key, for the message
/// @throws Error{BadInput} when the source ends first
void readExactly(ByteSource& source, std::span<std::byte> into, const std::string& where);

/// Makes sure that nothing follows; for an archive's entry this is also what compares the checksum.
/// @throws Error{BadInput} when more bytes follow or the checksum differs
void expectEnd(ByteSource& source, const std::string& where);

/// What a reader is given: a file or folder on disk, or a file's bytes in memory.
class InputFile {
public:
    static constexpr std::uint64_t neverMap = std::numeric_limits<std::uint64_t>::max();

    /// @param mapFrom a file of at least so many bytes is mapped into memory where that is possible (MappedFile)
    /// @throws Error{BadInput} when nothing of that name exists or it cannot be opened
    static InputFile onDisk(const std::string& name, std::uint64_t mapFrom = neverMap);

    /// A file that exists only in memory. The bytes must outlive every reader.
    static InputFile inMemory(std::string name, std::span<const std::byte> bytes);

    /// As the user gave it; for messages.
    const std::string& name() const noexcept { return name_; }
    bool isDirectory() const noexcept { return kind_ == Kind::Directory; }
    /// Whether `memory()` is the whole content: of bytes given as such, and of a mapped file.
    bool isInMemory() const noexcept { return kind_ == Kind::Memory; }
    std::span<const std::byte> memory() const noexcept { return memory_; }
    /// Keeps `memory()` alive beyond this object. Null but for a mapped file.
    const std::shared_ptr<const MappedFile>& mapping() const noexcept { return mapping_; }

    /// How its values are to be taken: as they are, unless set otherwise. A format that does not look at it is read as
    /// they are; what can be done afterwards is.
    const ValueReading& reading() const noexcept { return reading_; }
    void setReading(ValueReading reading) { reading_ = std::move(reading); }

    /// In bytes; 0 for a folder.
    std::uint64_t size() const noexcept { return size_; }

    /// The first bytes, at most 4096, to recognise a format by. Empty for a folder.
    std::span<const std::byte> head() const noexcept { return head_; }
    bool startsWith(std::string_view magic) const noexcept;

    /// Opens the content from its first byte. Not for folders.
    /// @throws Error{BadInput} when the file cannot be opened
    std::unique_ptr<ByteSource> open() const;

    /// Opens `bytes` bytes from `offset` on, which lie inside the file. @throws likewise
    std::unique_ptr<ByteSource> openSection(std::uint64_t offset, std::uint64_t bytes) const;

private:
    enum class Kind { File, Directory, Memory };
    InputFile(std::string name, Kind kind) : name_(std::move(name)), kind_(kind) {}
    void takeMemory(std::span<const std::byte> bytes);

    std::string name_;
    Kind kind_;
    std::uint64_t size_ = 0;
    std::span<const std::byte> memory_;
    std::shared_ptr<const MappedFile> mapping_;
    std::vector<std::byte> head_;
    ValueReading reading_;
};

} // namespace assay
