#include "engine/io/hdf5_program/values.h"

#include "engine/io/hdf5_program/protocol.h"

#define H5_USE_110_API
#include <hdf5.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <limits>
#include <new>
#include <string_view>
#include <vector>

namespace assay::hdf5 {
namespace {

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b ? std::numeric_limits<std::uint64_t>::max()
                                                                       : a * b;
}

/// A dataset whose elements are to be read.
struct Dataset {
    Handle id, properties, space, type;
    std::vector<hsize_t> shape;
    std::vector<hsize_t> chunk; ///< empty when it is stored whole

    explicit Dataset(Handle opened)
        : id(std::move(opened)), properties(H5Dget_create_plist(id), H5Pclose), space(H5Dget_space(id), H5Sclose),
          type(H5Dget_type(id), H5Tclose) {
        const int axes = H5Sget_simple_extent_ndims(space);
        if (!properties || !type || axes < 0)
            throw Refusal{"a dataset", "a damaged one"};
        shape.resize(static_cast<std::size_t>(axes));
        H5Sget_simple_extent_dims(space, shape.data(), nullptr);
        if (H5Pget_layout(properties) != H5D_CHUNKED)
            return;
        chunk.resize(shape.size());
        if (H5Pget_chunk(properties, axes, chunk.data()) != axes || std::ranges::count(chunk, hsize_t{0}) > 0)
            throw Refusal{"values in chunks", "a damaged dataset"};
    }

    std::uint64_t rows() const { return shape.empty() ? 1 : shape[0]; }
    std::uint64_t rowBytes() const {
        std::uint64_t bytes = H5Tget_size(type);
        for (std::size_t axis = 1; axis < shape.size(); ++axis)
            bytes = product(bytes, shape[axis]);
        return bytes;
    }
    std::uint64_t chunkBytes() const {
        std::uint64_t bytes = chunk.empty() ? 0 : H5Tget_size(type);
        for (const hsize_t length : chunk)
            bytes = product(bytes, length);
        return bytes;
    }
    /// Rows that are read at once: whole chunks, so that each is unpacked once, and about a MiB.
    std::uint64_t bandRows() const {
        const std::uint64_t step = chunk.empty() ? 1 : std::min<std::uint64_t>(chunk[0], rows());
        const std::uint64_t most = (std::uint64_t{1} << 20) / std::max<std::uint64_t>(product(step, rowBytes()), 1);
        return std::min(rows(), product(step, std::max<std::uint64_t>(most, 1)));
    }
};

void requireFilters(const Dataset& dataset) {
    for (int f = 0; f < H5Pget_nfilters(dataset.properties); ++f) {
        unsigned flags = 0, config = 0;
        std::size_t valueCount = 0;
        std::array<char, 64> name{};
        const H5Z_filter_t filter = H5Pget_filter2(dataset.properties, static_cast<unsigned>(f), &flags, &valueCount,
                                                   nullptr, name.size() - 1, name.data(), &config);
        if (H5Zfilter_avail(filter) <= 0)
            throw Refusal{"values that are packed by gzip or another filter of the HDF5 library, or not at all",
                          "filter " + std::to_string(filter) + " ('" + name.data() + "'), which it lacks"};
    }
}

/// The library would return zeros for chunks that are missing.
void requireAllChunks(const Dataset& dataset) {
    std::uint64_t wanted = 1;
    for (std::size_t axis = 0; axis < dataset.chunk.size(); ++axis)
        wanted = product(wanted, dataset.shape[axis] / dataset.chunk[axis] +
                                     (dataset.shape[axis] % dataset.chunk[axis] != 0 ? 1 : 0));
    hsize_t found = 0;
    if (!dataset.chunk.empty() && (H5Dget_num_chunks(dataset.id, dataset.space, &found) < 0 || found < wanted))
        throw Refusal{"values in all " + std::to_string(wanted) + " chunks", "values in " + std::to_string(found)};
}

/// Selects rows of the dataset. @return their space in memory
Handle select(const Dataset& dataset, std::uint64_t first, std::uint64_t rows) {
    if (dataset.shape.empty())
        return {H5Screate(H5S_SCALAR), H5Sclose};
    const int axes = static_cast<int>(dataset.shape.size());
    std::array<hsize_t, H5S_MAX_RANK> start{first};
    std::array<hsize_t, H5S_MAX_RANK> count{};
    std::ranges::copy(dataset.shape, count.begin());
    count[0] = rows;
    H5Sselect_hyperslab(dataset.space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    return {H5Screate_simple(axes, count.data(), nullptr), H5Sclose};
}

/// Collects texts, so that they are written many at a time.
class TextWriter {
public:
    void add(std::string_view text) {
        const auto length = static_cast<std::uint32_t>(text.size());
        out_.append(reinterpret_cast<const char*>(&length), sizeof length).append(text);
        if (out_.size() >= kPiece)
            flush();
    }
    void flush() {
        writeOut(out_.data(), out_.size());
        out_.clear();
    }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 16;
    std::string out_;
};

std::string_view fixedText(std::string_view stored, H5T_str_t padding) {
    if (padding == H5T_STR_NULLTERM)
        return stored.substr(0, stored.find('\0'));
    return stored.substr(0, stored.find_last_not_of(padding == H5T_STR_SPACEPAD ? ' ' : '\0') + 1);
}

/// Writes the texts of a band. @param budget bytes that texts of any length may still have: any number of elements may
/// share a text
void writeTexts(const Dataset& dataset, const std::vector<char>& band, std::uint64_t& budget) {
    const std::size_t bytes = H5Tget_size(dataset.type);
    const bool isVariable = H5Tis_variable_str(dataset.type) > 0;
    const H5T_str_t padding = H5Tget_strpad(dataset.type);
    TextWriter out;
    for (std::size_t i = 0; i + bytes <= band.size(); i += bytes) {
        if (!isVariable) {
            out.add(fixedText({&band[i], bytes}, padding));
            continue;
        }
        const char* text = nullptr;
        std::memcpy(&text, &band[i], sizeof text);
        const std::string_view all = text == nullptr ? std::string_view() : text;
        if (all.size() > budget)
            throw Refusal{"texts in the file", "more of them than it has room for"};
        budget -= all.size();
        out.add(all);
    }
    out.flush();
}

} // namespace

Handle openObject(std::int64_t from, const std::string& path) {
    const Handle access(H5Pcreate(H5P_LINK_ACCESS), H5Pclose);
    const auto refuseFile = [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t {
        return -1;
    };
    H5Pset_elink_cb(access, refuseFile, nullptr);
    return {H5Oopen(from, path.c_str(), access), H5Oclose};
}

void refuseUnlessMemoryRanOut(Refusal refusal) {
    bool ranOut = false;
    const auto look = [](unsigned, const H5E_error2_t* error, void* to) noexcept -> herr_t {
        const bool isMemory =
            error->maj_num == H5E_RESOURCE || error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC;
        *static_cast<bool*>(to) = *static_cast<bool*>(to) || isMemory;
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &ranOut);
    if (ranOut)
        throw std::bad_alloc();
    throw Refusal(std::move(refusal));
}

void limit([[maybe_unused]] std::uint64_t bytes, unsigned seconds) {
    alarm(seconds);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // which reserve terabytes
    rlimit memory{};
    getrlimit(RLIMIT_AS, &memory);
    memory.rlim_cur = bytes == 0 ? memory.rlim_max : std::min<rlim_t>(bytes, memory.rlim_max);
    setrlimit(RLIMIT_AS, &memory);
#endif
}

void writeOut(const void* bytes, std::size_t count) {
    const char* at = static_cast<const char*>(bytes);
    while (count > 0) {
        const ssize_t written = write(STDOUT_FILENO, at, count);
        if (written < 0 && errno != EINTR)
            _exit(1);
        at += std::max<ssize_t>(written, 0);
        count -= static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
}

void writeElements(std::int64_t file, const std::string& key, Elements elements, std::uint64_t memory) {
    Handle opened = openObject(file, "/" + key);
    if (!opened || H5Iget_type(opened) != H5I_DATASET)
        refuseUnlessMemoryRanOut({"a dataset", "a damaged one"});
    const Dataset dataset(std::move(opened));
    requireFilters(dataset);
    requireAllChunks(dataset);
    const std::uint64_t rows = dataset.rows(), bandRows = dataset.bandRows();
    const std::uint64_t bandBytes = product(bandRows, dataset.rowBytes());
    // A band, the library's copy where it changes something, and a chunk in three stages of unpacking.
    constexpr std::uint64_t kMuch = std::uint64_t{1} << 62;
    const std::uint64_t need =
        std::min(product(2, bandBytes), kMuch) + std::min(product(3, dataset.chunkBytes()), kMuch);
    hsize_t fileBytes = 0;
    H5Fget_filesize(file, &fileBytes);
    std::uint64_t textBudget = product(8, fileBytes);
    const unsigned seconds = 60 + static_cast<unsigned>(std::min<std::uint64_t>(need >> 23, 3600));
    writeOut("", 1);
    if (need > (memory == 0 ? kMuch : memory)) {
        std::cerr << need << std::flush;
        throw std::bad_alloc();
    }
    std::vector<char> band;
    for (std::uint64_t row = 0; row < rows; row += bandRows) {
        limit(kBaseMemory + need, seconds);
        const std::uint64_t count = std::min(bandRows, rows - row);
        const Handle inMemory = select(dataset, row, count);
        band.resize(count * dataset.rowBytes());
        if (H5Dread(dataset.id, dataset.type, inMemory, dataset.space, H5P_DEFAULT, band.data()) < 0)
            refuseUnlessMemoryRanOut({"values", "damaged ones"});
        alarm(0); // the reader may take its time
        if (elements == Elements::Values) {
            writeOut(band.data(), band.size());
            continue;
        }
        writeTexts(dataset, band, textBudget);
        if (H5Tis_variable_str(dataset.type) > 0)
            H5Dvlen_reclaim(dataset.type, inMemory, H5P_DEFAULT, band.data());
    }
}

} // namespace assay::hdf5
