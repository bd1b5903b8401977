#include "engine/io/numpy/npy_writer.h"

#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/io/numpy/npy_header.h"

#include <algorithm>
#include <list>

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
    // Padding aligns the elements to 64 bytes, as NumPy does for memory mapping.
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
    std::list<std::string> headers; // must stay valid until the archive is written
    ZipWriter archive(file);
    for (const NpzItem& item : items)
        archive.add(item.key + ".npy", std::as_bytes(std::span(headers.emplace_back(headerOf(item.array)))),
                    item.array.data, packing);
    archive.commit(job);
}

} // namespace assay
