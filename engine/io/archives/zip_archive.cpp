#include "engine/io/archives/zip_archive.h"

#include "engine/base/atomic_file.h"
#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/io/files/refusal.h"

#include <zip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <list>
#include <string_view>
#include <utility>

namespace assay {
namespace {

using ByteView = std::span<const std::byte>;
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

/// A little-endian number of `count` bytes.
/// @return kNowhere when it lies beyond the archive
std::uint64_t number(ByteView archive, std::uint64_t at, unsigned count) {
    if (at > archive.size() || archive.size() - at < count)
        return kNowhere;
    return littleEndian(archive.subspan(at, count));
}

bool isRecord(ByteView archive, std::uint64_t at, std::string_view kind) {
    return number(archive, at, 4) ==
           ('P' | 'K' << 8 | static_cast<unsigned>(kind[0]) << 16 | static_cast<unsigned>(kind[1]) << 24);
}

/// Offset of the archive's directory.
/// @return kNowhere when there is none, or when bytes follow the archive
std::uint64_t directoryBegin(ByteView archive) {
    constexpr std::uint64_t endBytes = 22;
    constexpr std::uint64_t longestComment = 0xFFFF;
    for (std::uint64_t comment = 0; comment <= longestComment && endBytes + comment <= archive.size(); ++comment) {
        const std::uint64_t end = archive.size() - endBytes - comment;
        if (!isRecord(archive, end, "\5\6") || number(archive, end + 20, 2) != comment)
            continue;
        const std::uint64_t begin = number(archive, end + 16, 4);
        if (begin != 0xFFFFFFFF)
            return begin;
        const std::uint64_t locator = end - 20; // wraps around to an invalid offset when the archive is too short
        const std::uint64_t wideEnd = isRecord(archive, locator, "\6\7") ? number(archive, locator + 8, 8) : kNowhere;
        return isRecord(archive, wideEnd, "\6\6") ? number(archive, wideEnd + 48, 8) : kNowhere;
    }
    return kNowhere;
}

/// Sizes and position of an entry. Values beyond 32 bits are in the zip64 extra field, in this order.
struct Place {
    std::uint64_t bytes, packedBytes, header;
};

Place placeOf(ByteView archive, std::uint64_t record) {
    Place place{number(archive, record + 24, 4), number(archive, record + 20, 4), number(archive, record + 42, 4)};
    std::uint64_t at = record + 46 + number(archive, record + 28, 2);
    const std::uint64_t end = at + number(archive, record + 30, 2);
    while (at < end && number(archive, at, 2) != 1)
        at += 4 + number(archive, at + 2, 2);
    at += 4;
    for (std::uint64_t* field : {&place.bytes, &place.packedBytes, &place.header}) {
        if (*field != 0xFFFFFFFF)
            continue;
        *field = at < end ? number(archive, at, 8) : kNowhere;
        at += 8;
    }
    return place;
}

} // namespace

std::optional<ByteView> storedEntry(ByteView archive, std::uint64_t index) {
    std::uint64_t record = directoryBegin(archive);
    for (std::uint64_t i = 0; i < index && isRecord(archive, record, "\1\2"); ++i)
        record +=
            46 + number(archive, record + 28, 2) + number(archive, record + 30, 2) + number(archive, record + 32, 2);
    constexpr std::uint64_t stored = 0;
    constexpr std::uint64_t encrypted = 1;
    if (!isRecord(archive, record, "\1\2") || number(archive, record + 10, 2) != stored ||
        (number(archive, record + 8, 2) & encrypted) != 0)
        return std::nullopt;
    const Place place = placeOf(archive, record);
    if (place.bytes != place.packedBytes || !isRecord(archive, place.header, "\3\4"))
        return std::nullopt;
    const std::uint64_t begin =
        place.header + 30 + number(archive, place.header + 26, 2) + number(archive, place.header + 28, 2);
    if (begin > archive.size() || place.bytes > archive.size() - begin)
        return std::nullopt;
    return archive.subspan(begin, place.bytes);
}

namespace {

// Deflate's largest ratio: one byte unpacks to at most 258 * 4 bytes (the longest match in two bits).
constexpr std::uint64_t largestDeflateRatio = 1032;

std::string reason(zip_error_t* error) {
    switch (zip_error_code_zip(error)) {
    case ZIP_ER_CRC:
        return "data that fail their checksum (CRC): the file is damaged";
    case ZIP_ER_EOF:
        return "the end of the file: it is truncated";
    case ZIP_ER_ZLIB:
    case ZIP_ER_COMPRESSED_DATA:
    case ZIP_ER_INCONS:
    case ZIP_ER_NOZIP:
        return std::string("damaged data (") + zip_error_strerror(error) + ")";
    default:
        return printable(zip_error_strerror(error));
    }
}

class EntrySource : public ByteSource {
public:
    EntrySource(zip_file_t* file, std::uint64_t size, std::string where)
        : file_(file), size_(size), where_(std::move(where)) {}
    std::uint64_t size() const noexcept override { return size_; }
    std::size_t readSome(std::span<std::byte> into) override {
        const zip_int64_t got = zip_fread(file_.get(), into.data(), into.size());
        if (got < 0)
            refuse(where_, "a sound archive entry", reason(zip_file_get_error(file_.get())));
        return static_cast<std::size_t>(got);
    }

private:
    struct Close {
        void operator()(zip_file_t* file) const { zip_fclose(file); }
    };
    std::unique_ptr<zip_file_t, Close> file_;
    std::uint64_t size_;
    std::string where_;
};

void requirePossibleSize(const zip_stat_t& stat, std::uint64_t fileBytes, const std::string& where) {
    if (stat.comp_size > fileBytes)
        refuse(where, "an entry within the file's " + std::to_string(fileBytes) + " bytes",
               "one of " + std::to_string(stat.comp_size) + " bytes: the file is truncated or damaged");
    if (stat.comp_method == ZIP_CM_STORE && stat.size != stat.comp_size)
        refuse(where, std::to_string(stat.comp_size) + " bytes, as stored",
               "a claim of " + std::to_string(stat.size) + " bytes");
    if (stat.comp_method == ZIP_CM_DEFLATE && stat.size / largestDeflateRatio > stat.comp_size + 1)
        refuse(where,
               "at most " + std::to_string((stat.comp_size + 1) * largestDeflateRatio) + " bytes from " +
                   std::to_string(stat.comp_size) + " deflated ones",
               "a claim of " + std::to_string(stat.size) + " bytes");
}

zip_t* openArchive(const InputFile& input, const std::string& expected) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = input.isInMemory() ? zip_source_buffer_create(input.memory().data(), input.size(), 0, &error)
                                              : zip_source_file_create(input.name().c_str(), 0, 0, &error);
    zip_t* archive = source != nullptr ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
    // The directory is at the end of a zip archive, so an incomplete download fails this way.
    const std::string found = zip_error_code_zip(&error) == ZIP_ER_NOZIP
                                  ? "one without its directory at the end: it is truncated or damaged"
                                  : reason(&error);
    zip_error_fini(&error);
    if (archive == nullptr) {
        zip_source_free(source);
        refuse(input.name(), expected, found);
    }
    return archive;
}

} // namespace

void ZipFile::Discard::operator()(zip* archive) const noexcept {
    zip_discard(archive);
}

ZipFile::ZipFile(const InputFile& input, const std::string& expected)
    : fileBytes_(input.size()), mapping_(input.mapping()), zip_(openArchive(input, expected)) {}

std::uint64_t ZipFile::count() const noexcept {
    return static_cast<std::uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(zip_.get(), 0)));
}

std::string ZipFile::name(std::uint64_t index) const {
    const char* name = zip_get_name(zip_.get(), index, ZIP_FL_ENC_GUESS);
    return name != nullptr ? name : "";
}

std::unique_ptr<ByteSource> ZipFile::open(std::uint64_t index, const std::string& where) const {
    zip_stat_t stat;
    zip_stat_init(&stat);
    constexpr zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(zip_.get(), index, 0, &stat) != 0 || (stat.valid & needed) != needed)
        refuse(where, "a sound archive entry", reason(zip_get_error(zip_.get())));
    if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) && stat.encryption_method != ZIP_EM_NONE)
        refuse(where, "an entry without a password", "an encrypted one");
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
        refuse(where, "a stored or deflated entry", "one packed by zip method " + std::to_string(stat.comp_method));
    requirePossibleSize(stat, fileBytes_, where);
    zip_file_t* file = zip_fopen_index(zip_.get(), index, 0);
    if (!file)
        refuse(where, "a sound archive entry", reason(zip_get_error(zip_.get())));
    return std::make_unique<EntrySource>(file, stat.size, where);
}

std::vector<std::byte> ZipFile::read(std::uint64_t index, std::uint64_t mostBytes, const std::string& where) const {
    constexpr std::uint64_t always = std::uint64_t{16} << 20;
    constexpr std::uint64_t likelyRatio = 100;
    const auto source = open(index, where);
    const std::uint64_t bytes = source->size();
    if (bytes > mostBytes)
        refuse(where, "at most " + std::to_string(mostBytes) + " bytes", std::to_string(bytes));
    zip_stat_t stat;
    zip_stat_init(&stat);
    zip_stat_index(zip_.get(), index, 0, &stat);
    if (bytes > always && bytes / likelyRatio > stat.comp_size)
        refuse(where, "at most " + std::to_string(always) + " bytes where so much is packed into so little",
               std::to_string(bytes) + " in " + std::to_string(stat.comp_size));
    requireMemory(bytes, where);
    std::vector<std::byte> all(bytes);
    readExactly(*source, all, where);
    expectEnd(*source, where);
    return all;
}

namespace {

constexpr std::string_view kLocalHeader = "PK\x03\x04";

/// Name in the first entry's local header, cut at the end of InputFile::head().
std::string_view firstName(const InputFile& input) {
    constexpr std::size_t fixed = 30;
    const auto head = input.head();
    if (!input.startsWith(kLocalHeader) || head.size() < fixed)
        return {};
    const std::size_t length = std::to_integer<std::size_t>(head[26]) | std::to_integer<std::size_t>(head[27]) << 8;
    return {reinterpret_cast<const char*>(head.data()) + fixed, std::min(length, head.size() - fixed)};
}

ZipContent contentOf(const std::vector<std::string>& names) {
    bool pictures = false;
    for (const std::string& name : names) {
        if (name.ends_with("/data.pkl"))
            return ZipContent::Tensors;
        if (name.ends_with(".npy"))
            return ZipContent::Arrays;
        pictures = pictures || isNamedPicture(name);
    }
    return pictures ? ZipContent::Pictures : names.empty() ? ZipContent::Arrays : ZipContent::Other;
}

} // namespace

ZipContent zipContentOf(const InputFile& input) {
    if (!input.startsWith(kLocalHeader) && !input.startsWith(std::string_view("PK\x05\x06", 4)))
        return ZipContent::None;
    const ZipContent first = contentOf({std::string(firstName(input))});
    if (first == ZipContent::Tensors || firstName(input).ends_with(".npy"))
        return first;
    try {
        const ZipFile zip(input, "an archive");
        std::vector<std::string> names;
        for (std::uint64_t i = 0; i < zip.count(); ++i)
            names.push_back(zip.name(i));
        return contentOf(names);
    } catch (const std::exception&) {
        return first; // reading the archive will report the error
    }
}

namespace {

zip_t* createArchive(const std::string& file, const std::string& temporary) {
    int code = 0;
    if (zip_t* archive = zip_open(temporary.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code))
        return archive;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    failWriting(file, reason, 0);
}

} // namespace

/// An entry whose bytes are created when libzip reads it.
struct ZipWriter::MadeEntry {
    std::function<std::string()> make;
    std::exception_ptr* problem;
    std::string bytes{};
    std::size_t read = 0;

    zip_int64_t open() noexcept {
        try {
            bytes = make();
            read = 0;
            return 0;
        } catch (...) { // no exception may pass through libzip (C): commit() rethrows it
            *problem = std::current_exception();
            return -1;
        }
    }
    zip_int64_t readInto(void* data, zip_uint64_t room) noexcept {
        const std::size_t count = bytes.copy(static_cast<char*>(data), room, read);
        read += count;
        return static_cast<zip_int64_t>(count);
    }

    /// A zip_source_callback. It does not report the size: libzip counts the bytes that it reads.
    static zip_int64_t serve(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
        auto& entry = *static_cast<MadeEntry*>(state);
        switch (command) {
        case ZIP_SOURCE_OPEN:
            return entry.open();
        case ZIP_SOURCE_READ:
            return entry.readInto(data, length);
        case ZIP_SOURCE_CLOSE:
            entry.bytes = std::string();
            return 0;
        case ZIP_SOURCE_STAT:
            zip_stat_init(static_cast<zip_stat_t*>(data));
            return sizeof(zip_stat_t);
        case ZIP_SOURCE_ERROR: {
            const std::array<int, 2> codes{ZIP_ER_INTERNAL, 0};
            std::memcpy(data, codes.data(), sizeof(codes));
            return sizeof(codes);
        }
        case ZIP_SOURCE_FREE: // owned by the archive
            return 0;
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
        default:
            return -1;
        }
    }
};

struct ZipWriter::Archive {
    std::string file;
    AtomicFile output;
    std::exception_ptr problem{};
    std::list<MadeEntry> made{}; ///< libzip keeps their addresses
    zip_t* handle;

    explicit Archive(const std::string& name)
        : file(name), output(name), handle(createArchive(name, output.temporaryName())) {}
    ~Archive() {
        if (handle != nullptr)
            zip_discard(handle);
    }
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    void add(const std::string& name, zip_source_t* source, ZipPacking packing) {
        if (source == nullptr)
            failWriting(file, zip_strerror(handle), 0);
        const zip_int64_t index = zip_file_add(handle, name.c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            zip_source_free(source);
            failWriting(file, zip_strerror(handle), 0);
        }
        const auto at = static_cast<zip_uint64_t>(index);
        constexpr zip_uint16_t firstOf1980 = (1u << 5) | 1u; // the earliest date that a zip archive can store
        if (zip_set_file_compression(handle, at, packing == ZipPacking::Stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0) !=
                0 ||
            zip_file_set_dostime(handle, at, 0, firstOf1980, 0) != 0)
            failWriting(file, zip_strerror(handle), 0);
    }
};

ZipWriter::ZipWriter(const std::string& file) : archive_(std::make_unique<Archive>(file)) {}

ZipWriter::~ZipWriter() = default;

void ZipWriter::add(const std::string& name, std::span<const std::byte> head, std::span<const std::byte> data,
                    ZipPacking packing) {
    // libzip 1.7 takes a mutable pointer for fragments but never writes through it.
    const auto fragment = [](std::span<const std::byte> bytes) {
        return zip_buffer_fragment_t{reinterpret_cast<zip_uint8_t*>(const_cast<std::byte*>(bytes.data())),
                                     bytes.size()};
    };
    const std::array fragments{fragment(head), fragment(data)};
    archive_->add(name, zip_source_buffer_fragment(archive_->handle, fragments.data(), data.empty() ? 1 : 2, 0),
                  packing);
}

void ZipWriter::add(const std::string& name, std::function<std::string()> make, ZipPacking packing) {
    MadeEntry& entry = archive_->made.emplace_back(MadeEntry{std::move(make), &archive_->problem});
    archive_->add(name, zip_source_function(archive_->handle, MadeEntry::serve, &entry), packing);
}

void ZipWriter::commit(const JobContext& job) {
    Archive& archive = *archive_;
    struct Watch {
        const JobContext* job;
        std::exception_ptr* problem;
    } watch{&job, &archive.problem};
    const auto stopped = [](zip_t*, void* context) {
        return static_cast<const Watch*>(context)->job->stopRequested() ? 1 : 0;
    };
    const auto progress = [](zip_t*, double done, void* context) {
        const auto& watched = *static_cast<const Watch*>(context);
        try {
            watched.job->checkpoint(std::clamp(done, 0.0, 1.0));
        } catch (const Cancelled&) { // libzip checks for stop requests through `stopped`
        } catch (...) {
            *watched.problem = std::current_exception();
        }
    };
    zip_register_cancel_callback_with_state(archive.handle, stopped, nullptr, &watch);
    zip_register_progress_callback_with_state(archive.handle, 0.002, progress, nullptr, &watch);
    if (zip_close(archive.handle) != 0) {
        job.throwIfStopped();
        if (archive.problem)
            std::rethrow_exception(archive.problem);
        failWriting(archive.file, zip_strerror(archive.handle), 0);
    }
    archive.handle = nullptr; // closed, so the destructor must not discard it
    if (archive.problem)
        std::rethrow_exception(archive.problem);
    archive.output.commit();
    job.checkpoint(1.0);
}

} // namespace assay
