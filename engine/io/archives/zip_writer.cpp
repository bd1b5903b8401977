#include "engine/io/archives/zip_writer.h"

#include "engine/base/atomic_file.h"
#include "engine/base/error.h"

#include <zip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <list>
#include <utility>

namespace assay {
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
