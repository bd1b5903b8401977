#pragma once

#include "engine/base/job_context.h"
#include "engine/base/sha256.h"
#include "engine/data/float_storage.h"
#include "engine/data/preparation.h"

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace assay {

/// How a reader converts the values of a file.
struct ValueReading {
    enum class NotFinite {
        Refused, ///< an error that names the first such row and column
        Kept     ///< kept; values beyond float32's range become infinite; the caller drops the rows
    };
    enum class Text {
        Refused,
        /// Of tables with named features: columns of text become one column per category where they have few different
        /// texts, and are left out otherwise; both are noted. Numbers with a few other fields among them are refused.
        Automatic,
        Found,  ///< text columns become one column per category; the reader finds the categories
        AsKnown ///< text columns become one column per category in `categories`
    };

    NotFinite notFinite = NotFinite::Refused;
    std::vector<double> offset{}; ///< as ValuePreparation::offset
    Text text = Text::Refused;
    std::vector<CategoryColumn> categories{}; ///< for Text::AsKnown

    std::vector<std::string> featureNames{};        ///< as ValuePreparation::featureNames
    std::optional<std::vector<DateColumn>> dates{}; ///< columns of dates; empty: the reader finds them
    /// Whether missing fields of text columns are one category, however they are written.
    bool unitesMissing = false;
    std::vector<std::string> ignoredColumns{}; ///< as ValuePreparation::ignoredColumns
    std::vector<ColumnChoice> columnKinds{};   ///< as ValuePreparation::columnKinds
    std::vector<std::string> rowNumbers{};     ///< as ValuePreparation::rowNumbers
    TableRules tableRules = TableRules::Current;
    ClipSample clips = ClipSample::None; ///< as ValuePreparation::clips, for folders without a choice of their own

    /// Whether a float32 array may be used in place, without a copy.
    bool allowsView() const noexcept { return offset.empty(); }
};

/// The number in at most 8 bytes, least significant first.
inline std::uint64_t littleEndian(std::span<const std::byte> bytes) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
}

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

/// Bytes that are read once, from front to back: a file, an entry of an archive, or memory.
class ByteSource {
public:
    virtual ~ByteSource() = default;

    /// Number of bytes that the source claims to hold. A compressed entry may hold fewer or more.
    virtual std::uint64_t size() const noexcept = 0;

    /// Reads at most `into.size()` bytes.
    /// @return number of bytes read; 0 only at the end of the source
    /// @throws Error{BadInput} when the bytes cannot be read or the checksum does not match
    virtual std::size_t readSome(std::span<std::byte> into) = 0;
};

/// Reads bytes that are already in memory.
std::unique_ptr<ByteSource> openBytes(std::vector<std::byte> bytes);

/// Fills `into` completely.
/// @param where file, or file and key, for the message
/// @throws Error{BadInput} when the source ends too early
void readExactly(ByteSource& source, std::span<std::byte> into, const std::string& where);

/// Checks that the source has ended. For an archive's entry, this also verifies the checksum.
/// @throws Error{BadInput} when more bytes follow or the checksum does not match
void expectEnd(ByteSource& source, const std::string& where);

/// The input of a reader: a file or folder on disk, or the bytes of a file in memory.
class InputFile {
public:
    static constexpr std::uint64_t neverMap = std::numeric_limits<std::uint64_t>::max();

    /// @param mapFrom files of at least this many bytes are memory-mapped where possible (MappedFile)
    /// @throws Error{BadInput} when the file does not exist or cannot be opened
    static InputFile onDisk(const std::string& name, std::uint64_t mapFrom = neverMap);

    /// A file that exists only in memory. The bytes must stay valid until every reader has finished.
    static InputFile inMemory(std::string name, std::span<const std::byte> bytes);

    /// The name as the user gave it, for messages.
    const std::string& name() const noexcept { return name_; }
    bool isDirectory() const noexcept { return kind_ == Kind::Directory; }
    /// Whether `memory()` is the whole content: true for bytes in memory and for mapped files.
    bool isInMemory() const noexcept { return kind_ == Kind::Memory; }
    /// Whether the content is also in a file: false only for bytes in memory that are not mapped.
    bool isOnDisk() const noexcept { return kind_ != Kind::Memory || mapping_ != nullptr; }
    std::span<const std::byte> memory() const noexcept { return memory_; }
    /// Keeps `memory()` valid beyond the lifetime of this object. Null unless the file is mapped.
    const std::shared_ptr<const MappedFile>& mapping() const noexcept { return mapping_; }

    /// How values are to be read; by default unchanged. Readers of formats without support for a setting ignore it; the
    /// caller then applies what can be applied after reading.
    const ValueReading& reading() const noexcept { return reading_; }
    void setReading(ValueReading reading) { reading_ = std::move(reading); }

    /// Size in bytes; 0 for a folder.
    std::uint64_t size() const noexcept { return size_; }

    /// The first bytes, at most 4096, for recognising the format. Empty for a folder.
    std::span<const std::byte> head() const noexcept { return head_; }
    bool startsWith(std::string_view magic) const noexcept;

    /// Opens the content at its first byte. @pre not a folder
    /// @throws Error{BadInput} when the file cannot be opened
    std::unique_ptr<ByteSource> open() const;

    /// Opens `bytes` bytes from `offset` on. @pre the range lies inside the file
    /// @throws Error{BadInput} when the file cannot be opened
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

/// The name's ending where it is a picture's: .png, .jpg, .jpeg, .webp, .bmp, .gif, .tif or .tiff, in upper or lower
/// case; else empty.
std::string_view pictureEnding(std::string_view name);
inline bool isNamedPicture(std::string_view name) {
    return !pictureEnding(name).empty();
}

/// Calls `visit` with the path of each file in the folder, at any depth, until it returns false. Hidden files and
/// folders are left out. Links to folders are not followed, because they may form a loop.
void visitFiles(const std::filesystem::path& folder, std::error_code& failure,
                const std::function<bool(const std::filesystem::path& file)>& visit);

/// SHA-256 of a file, as 64 lower-case hex digits.
/// @throws Error{BadInput} when the file cannot be read; Cancelled
std::string sha256OfFile(const std::string& file, const JobContext& job = {});

/// Passes bytes on and computes their SHA-256.
class HashedSource : public ByteSource {
public:
    explicit HashedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}
    std::uint64_t size() const noexcept override { return source_->size(); }
    std::size_t readSome(std::span<std::byte> into) override {
        const std::size_t got = source_->readSome(into);
        hash_.add(into.first(got));
        return got;
    }
    /// Of all bytes so far. Call it once, as the last function.
    std::string hash() { return hash_.hex(); }

private:
    std::unique_ptr<ByteSource> source_;
    Sha256 hash_;
};

} // namespace assay
