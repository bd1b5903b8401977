#ifdef ASSAY_HAVE_HDF5
#include "engine/base/error.h"
#include "engine/io/hdf5/chunks.h"
#include "engine/io/hdf5/global_heap.h"
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#ifdef ASSAY_HAVE_HDF5
using namespace assay;

/// The input is what Assay reads of an HDF5 file by itself: a packed chunk, and a heap of texts. Not a whole file: the
/// HDF5 library, which was not made for damaged ones, crashes within minutes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t head = 4;
    if (size < head)
        return 0;
    const std::span<const std::byte> all = std::as_bytes(std::span(data, size));
    std::vector<ChunkFilter> filters;
    if ((data[0] & 1) != 0)
        filters.push_back({ChunkFilter::Kind::Shuffle, 4});
    if ((data[0] & 2) != 0)
        filters.push_back({ChunkFilter::Kind::Deflate});
    if ((data[0] & 4) != 0)
        filters.push_back({ChunkFilter::Kind::Checksum});
    try {
        const std::span<const std::byte> chunk = all.subspan(head);
        unpackChunk({chunk.begin(), chunk.end()}, filters, data[0] >> 3, data[2] | data[3] << 8, "fuzz.h5");
    } catch (const Error&) {
    }
    try {
        const HeapLayout layout;
        const std::size_t bytes = std::min(data[1] * layout.referenceBytes(), size - head);
        textsOfHeap(InputFile::inMemory("fuzz.h5", all), layout, all.subspan(head, bytes), "fuzz.h5", {});
    } catch (const Error&) {
    }
    return 0;
}
#else
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t*, std::size_t) {
    return 0;
}
#endif
