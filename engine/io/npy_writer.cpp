#include "engine/io/npy_writer.h"

#include "engine/io/atomic_file.h"
#include "engine/io/npy_header.h"
#include "engine/job/error.h"

#include <zip.h>

#include <algorithm>
#include <list>
#include <memory>

namespace assay {
namespace {

std::string headerOf(const NpyView& array) {
    std::string shape;
    for (const std::size_t extent : array.shape)
        shape += std::to_string(extent) + ", ";
    if (array.shape.size() > 1)
        shape.resize(shape.size() - 2);
    else if (!shape.empty())
        shape.pop_back(); // (3,)
    std::string text = "{'descr': '" + array.descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    // Padded so that the elements start at a multiple of 64 bytes, as NumPy does for the sake of memory mapping.
    constexpr std::size_t alignment = 64;
    const std::size_t before = npyMagic.size() + 4;
    text.append(alignment - 1 - (before + text.size()) % alignment, ' ');
    text += '\n';
    std::string header(npyMagic);
    header += {'\1', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
    return header + text;
}

void requireShape(const std::string& file, const NpyView& array) {
    std::size_t bytes = array.itemBytes;
    for (const std::size_t extent : array.shape)
        bytes *= extent;
    if (bytes != array.data.size())
        throw Error(ErrorKind::InvalidArgument, file + ": the shape needs " + std::to_string(bytes) +
                                                    " bytes of data, there are " + std::to_string(array.data.size()));
}

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

[[noreturn]] void fail(const std::string& file, const char* reason) {
    throw Error(ErrorKind::WriteFailed, file + ": cannot be written: " + reason);
}

Archive createArchive(const std::string& file, const std::string& temporary) {
    int code = 0;
    Archive archive(zip_open(temporary.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
    if (archive)
        return archive;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail(file, reason.c_str());
}

void addItem(zip_t* archive, const std::string& file, const NpzItem& item, const std::string& header,
             NpzPacking packing) {
    // libzip 1.7 takes a mutable pointer for fragments but never writes through it.
    const zip_buffer_fragment_t fragments[] = {
        {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(header.data())), header.size()},
        {reinterpret_cast<zip_uint8_t*>(const_cast<std::byte*>(item.array.data.data())), item.array.data.size()}};
    zip_source_t* source = zip_source_buffer_fragment(archive, fragments, item.array.data.empty() ? 1 : 2, 0);
    if (!source)
        fail(file, zip_strerror(archive));
    const zip_int64_t index = zip_file_add(archive, (item.key + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        fail(file, zip_strerror(archive));
    }
    const auto at = static_cast<zip_uint64_t>(index);
    constexpr zip_uint16_t firstOf1980 = (1u << 5) | 1u; // the earliest date a zip archive knows
    if (zip_set_file_compression(archive, at, packing == NpzPacking::Stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0) != 0 ||
        zip_file_set_dostime(archive, at, 0, firstOf1980, 0) != 0)
        fail(file, zip_strerror(archive));
}

} // namespace

void writeNpy(const std::string& file, const NpyView& array, const JobContext& job) {
    requireShape(file, array);
    constexpr std::size_t pieceBytes = std::size_t{4} << 20;
    AtomicFile output(file);
    output.write(headerOf(array));
    for (std::size_t first = 0; first < array.data.size(); first += pieceBytes) {
        job.checkpoint(static_cast<double>(first) / static_cast<double>(array.data.size()));
        output.write(array.data.subspan(first, std::min(pieceBytes, array.data.size() - first)));
    }
    output.commit();
    job.checkpoint(1.0);
}

void writeNpz(const std::string& file, std::span<const NpzItem> items, NpzPacking packing, const JobContext& job) {
    for (const NpzItem& item : items)
        requireShape(file + ": '" + item.key + "'", item.array);
    AtomicFile output(file);
    std::list<std::string> headers; // libzip reads them only when it closes the archive
    Archive archive = createArchive(file, output.temporaryName());
    for (const NpzItem& item : items)
        addItem(archive.get(), file, item, headers.emplace_back(headerOf(item.array)), packing);

    const auto stopped = [](zip_t*, void* context) {
        return static_cast<const JobContext*>(context)->stopRequested() ? 1 : 0;
    };
    zip_register_cancel_callback_with_state(archive.get(), stopped, nullptr, const_cast<JobContext*>(&job));
    if (zip_close(archive.get()) != 0) {
        job.throwIfStopped();
        fail(file, zip_strerror(archive.get()));
    }
    static_cast<void>(archive.release()); // closed, so no longer ours to discard
    output.commit();
    job.checkpoint(1.0);
}

} // namespace assay
