#include "engine/io/hdf5/hdf5_file.h"

#include "engine/base/available_memory.h"
#include "engine/io/files/refusal.h"
#include "engine/io/hdf5/child_probe.h"
#include "engine/io/hdf5/chunks.h"
#include "engine/io/hdf5/global_heap.h"
#include "engine/io/hdf5/hdf5_elements.h"
#include "engine/io/numpy/npy_array.h"

#define H5_USE_110_API
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <mutex>
#include <set>

namespace assay {
namespace {

constexpr int kMostDepth = 32;
constexpr std::size_t kMostObjects = 10'000;
constexpr unsigned kSecondsToList = 20;

/// Lock that every call of the library needs: the library is not thread-safe. Also turns off its error messages.
class LibraryLock {
public:
    LibraryLock() {
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        H5PLset_loading_state(0);
    }

private:
    static inline std::mutex one_;
    std::lock_guard<std::mutex> guard_{one_};
};

/// Handle of a library object. Its destructor closes the object; the owner must hold the LibraryLock.
class Handle {
public:
    Handle() = default;
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() { reset(); }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    void reset() noexcept {
        if (id_ >= 0)
            close_(std::exchange(id_, -1));
    }
    explicit operator bool() const noexcept { return id_ >= 0; }
    // NOLINTNEXTLINE(google-explicit-constructor): handed to the library's functions everywhere
    operator hid_t() const noexcept { return id_; }

private:
    hid_t id_ = -1;
    herr_t (*close_)(hid_t) = nullptr;
};

/// MATLAB stores the first axis last, and says the axes of HDF5 in the reverse order of its own.
void turn(NpyHeader& header) {
    std::ranges::reverse(header.shape);
    header.order = NpyHeader::Order::Fortran;
}

/// The axes as the file stores them.
std::vector<std::uint64_t> storedShape(const NpyHeader& header) {
    return header.order == NpyHeader::Order::C ? header.shape
                                               : std::vector<std::uint64_t>(header.shape.rbegin(), header.shape.rend());
}

struct Link {
    std::string name;
    H5L_type_t type = H5L_TYPE_ERROR;
};

/// @return an empty list when the group is damaged
std::vector<Link> linksOf(hid_t group) {
    std::vector<Link> links;
    // No exception may pass through the library (C).
    const auto add = [](hid_t, const char* name, const H5L_info_t* info, void* to) noexcept -> herr_t {
        auto& all = *static_cast<std::vector<Link>*>(to);
        try {
            all.push_back({name, info->type});
        } catch (...) {
            return -1;
        }
        return all.size() > kMostObjects ? 1 : 0;
    };
    hsize_t at = 0;
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, add, &links);
    return links;
}

} // namespace

/// Members whose types need the library's header.
struct Hdf5File::Library {
    std::string name;
    Handle file;
    HeapLayout heap;
    std::uint64_t fileBytes = 0;
    bool isMatlab = false;
    std::vector<Hdf5Element> elements; ///< one per array
    std::map<std::string, std::string> problems;
    std::set<std::pair<unsigned long, haddr_t>> groups; ///< groups that have been listed
    std::size_t objects = 0;

    void openFile(const InputFile& input);
    void list(hid_t group, const std::string& prefix, int depth, std::vector<NamedArray>& arrays,
              const JobContext& job);
    void add(hid_t dataset, const std::string& key, std::vector<NamedArray>& arrays);
    Handle dataset(const std::string& key) const {
        Handle opened(H5Dopen2(file, ("/" + key).c_str(), H5P_DEFAULT), H5Dclose);
        if (!opened)
            refuse(placeOf(name, printable(key)), "a dataset", "a damaged one");
        return opened;
    }
};

namespace {

/// Reads the chunks of a dataset, band by band.
class ChunkSource : public ByteSource {
public:
    struct Parts {
        Handle dataset;
        ChunkGrid grid;
        std::vector<ChunkFilter> filters;
        std::uint64_t fileBytes = 0;
        std::string where;
    };

    ChunkSource(Parts parts, const JobContext& job) : parts_(std::move(parts)), job_(job) {}
    ~ChunkSource() override {
        const LibraryLock lock;
        parts_.dataset.reset();
    }
    ChunkSource(const ChunkSource&) = delete;
    ChunkSource& operator=(const ChunkSource&) = delete;

    std::uint64_t size() const noexcept override { return parts_.grid.shape[0] * parts_.grid.rowBytes(); }

    std::size_t readSome(std::span<std::byte> into) override {
        if (taken_ == band_.size() && row_ < parts_.grid.shape[0])
            readBand();
        const std::size_t count = std::min(into.size(), band_.size() - taken_);
        std::copy_n(band_.begin() + static_cast<std::ptrdiff_t>(taken_), count, into.begin());
        taken_ += count;
        return count;
    }

private:
    void readBand() {
        const ChunkGrid& grid = parts_.grid;
        const std::uint64_t rows = grid.bandRows(row_);
        band_.resize(rows * grid.rowBytes());
        taken_ = 0;
        std::vector<std::uint64_t> origin(grid.shape.size(), 0);
        origin[0] = row_;
        do {
            job_.throwIfStopped();
            grid.copy(readChunk(origin), origin, band_);
        } while (grid.advance(origin));
        row_ += rows;
    }

    std::vector<std::byte> readChunk(const std::vector<std::uint64_t>& origin) const {
        const std::string& where = parts_.where;
        std::vector<std::byte> stored;
        std::uint32_t skipped = 0;
        {
            const LibraryLock lock;
            const std::vector<hsize_t> at(origin.begin(), origin.end());
            hsize_t bytes = 0;
            if (H5Dget_chunk_storage_size(parts_.dataset, at.data(), &bytes) < 0 || bytes == 0)
                refuse(where, "values of all rows", "none from row " + std::to_string(row_) + " on");
            if (bytes > parts_.fileBytes)
                refuse(where, "packed values", "damaged ones");
            stored.resize(bytes);
            if (H5Dread_chunk(parts_.dataset, H5P_DEFAULT, at.data(), &skipped, stored.data()) < 0)
                refuse(where, "packed values", "damaged ones");
        }
        return unpackChunk(std::move(stored), parts_.filters, skipped, parts_.grid.chunkBytes(), where);
    }

    Parts parts_;
    const JobContext& job_;
    std::vector<std::byte> band_;
    std::size_t taken_ = 0;
    std::uint64_t row_ = 0; ///< first row of the next band
};

std::vector<ChunkFilter> filtersOf(hid_t properties, std::size_t itemBytes, const std::string& where) {
    std::vector<ChunkFilter> filters;
    const int count = H5Pget_nfilters(properties);
    for (int f = 0; f < count; ++f) {
        unsigned flags = 0, config = 0;
        std::array<unsigned, 8> values{};
        std::size_t valueCount = values.size();
        std::array<char, 64> name{};
        const H5Z_filter_t filter = H5Pget_filter2(properties, static_cast<unsigned>(f), &flags, &valueCount,
                                                   values.data(), name.size() - 1, name.data(), &config);
        if (filter == H5Z_FILTER_DEFLATE)
            filters.push_back({ChunkFilter::Kind::Deflate});
        else if (filter == H5Z_FILTER_FLETCHER32)
            filters.push_back({ChunkFilter::Kind::Checksum});
        else if (filter == H5Z_FILTER_SHUFFLE)
            filters.push_back({ChunkFilter::Kind::Shuffle, valueCount > 0 && values[0] > 0 ? values[0] : itemBytes});
        else
            refuse(where, "values that are packed by gzip, with or without shuffle, or not at all",
                   "filter " + std::to_string(filter) + " ('" + printable(name.data()) + "')");
    }
    return filters;
}

} // namespace

void Hdf5File::Library::openFile(const InputFile& input) {
    name = input.name();
    fileBytes = input.size();
    isMatlab = input.startsWith("MATLAB 7.3");
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    if (!input.isOnDisk()) {
        H5Pset_fapl_core(access, std::size_t{1} << 16, false);
        // The library copies the bytes.
        H5Pset_file_image(access, const_cast<std::byte*>(input.memory().data()), input.memory().size());
    }
    file = Handle(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
    if (!file)
        refuse(name, "an HDF5 file",
               "one that the HDF5 library cannot open: it is damaged, open for writing, or newer");
    const Handle creation(H5Fget_create_plist(file), H5Pclose);
    hsize_t userBlock = 0;
    if (!creation || H5Pget_sizes(creation, &heap.addressBytes, &heap.lengthBytes) < 0 ||
        H5Pget_userblock(creation, &userBlock) < 0 || userBlock > fileBytes)
        refuse(name, "an HDF5 file", "a damaged one");
    heap.base = userBlock;
    const auto fits = [](std::size_t bytes) { return bytes == 2 || bytes == 4 || bytes == 8; };
    if (!fits(heap.addressBytes) || !fits(heap.lengthBytes))
        refuse(name, "addresses of 2, 4 or 8 bytes", "others");
}

void Hdf5File::Library::list(hid_t group, const std::string& prefix, int depth, std::vector<NamedArray>& arrays,
                             const JobContext& job) {
    H5O_info_t info;
    if (H5Oget_info2(group, &info, H5O_INFO_BASIC) < 0 || !groups.emplace(info.fileno, info.addr).second)
        return; // already listed: hard links may form a loop
    for (const Link& link : linksOf(group)) {
        job.throwIfStopped();
        const std::string key = prefix + link.name;
        if (++objects > kMostObjects)
            refuse(name, "at most " + std::to_string(kMostObjects) + " objects", "more");
        if (isMatlab && link.name.starts_with('#'))
            continue; // MATLAB's own
        if (link.type != H5L_TYPE_HARD) {
            problems[key] = link.type == H5L_TYPE_EXTERNAL ? "a link to another file, which is not followed"
                                                           : "a link, which is not followed";
            continue;
        }
        const Handle object(H5Oopen(group, link.name.c_str(), H5P_DEFAULT), H5Oclose);
        const H5I_type_t kind = object ? H5Iget_type(object) : H5I_BADID;
        if (kind == H5I_DATASET)
            add(object, key, arrays);
        else if (kind == H5I_GROUP && depth < kMostDepth)
            list(object, key + '/', depth + 1, arrays, job);
        else if (kind == H5I_BADID)
            problems[key] = "an object that is damaged, or that a newer version of HDF5 wrote";
    }
}

void Hdf5File::Library::add(hid_t dataset, const std::string& key, std::vector<NamedArray>& arrays) {
    NamedArray array{key, {}};
    Hdf5Element element{otherHdf5Type("damaged")};
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
    // Even the shape of a virtual dataset is in other files, and reading it would open them.
    if (properties && H5Pget_layout(properties) == H5D_VIRTUAL) {
        element.type = otherHdf5Type("virtual");
        problems[key] = "a virtual dataset, which lies in other files";
    } else if (properties && H5Pget_external_count(properties) != 0) {
        element.type = otherHdf5Type("external");
        problems[key] = "a dataset that lies in other files (external storage)";
    } else if (properties) {
        const Handle space(H5Dget_space(dataset), H5Sclose);
        const Handle type(H5Dget_type(dataset), H5Tclose);
        const int axes = space ? H5Sget_simple_extent_ndims(space) : -1;
        if (axes >= 0 && type && H5Sget_simple_extent_type(space) != H5S_NULL) {
            std::vector<hsize_t> shape(static_cast<std::size_t>(axes));
            H5Sget_simple_extent_dims(space, shape.data(), nullptr);
            array.header.shape.assign(shape.begin(), shape.end());
            element = hdf5ElementOf(type, heap);
            if (isMatlab || H5Aexists(dataset, "MATLAB_class") > 0)
                turn(array.header);
        }
    }
    array.header.type = element.type;
    elements.push_back(element);
    arrays.push_back(std::move(array));
}

Hdf5File::Hdf5File(const InputFile& input, const JobContext& job)
    : input_(input), library_(std::make_unique<Library>()) {
    const LibraryLock lock;
    const auto openAndList = [&] {
        library_->openFile(input);
        const Handle root(H5Gopen2(library_->file, "/", H5P_DEFAULT), H5Gclose);
        if (!root)
            refuse(input.name(), "an HDF5 file", "a damaged one");
        library_->list(root, {}, 0, arrays_, job);
    };
    try {
        // Debian's 1.10.8 dereferences a null pointer in some damaged files. This must not end the program.
        if (!completesInChildProcess(openAndList, kSecondsToList, job))
            refuse(input.name(), "an HDF5 file", "one so damaged that the HDF5 library crashes over it");
        openAndList();
    } catch (...) {
        library_.reset(); // must be destroyed under the lock
        throw;
    }
}

Hdf5File::~Hdf5File() {
    const LibraryLock lock;
    library_.reset();
}

std::string Hdf5File::where(std::size_t array) const {
    return placeOf(input_.name(), printable(arrays_[array].key));
}

std::string Hdf5File::problem(const std::string& key) const {
    const auto found = library_->problems.find(key);
    return found != library_->problems.end() ? found->second : std::string();
}

std::vector<std::string> Hdf5File::unreadable() const {
    std::vector<std::string> keys;
    for (const auto& [key, why] : library_->problems)
        keys.push_back(key);
    return keys;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> Hdf5File::place(std::size_t array) const {
    const LibraryLock lock;
    const NpyHeader& header = arrays_[array].header;
    const std::uint64_t item = header.type.itemBytes;
    const Handle dataset = library_->dataset(arrays_[array].key);
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
    if (item == 0 || H5Pget_layout(properties) != H5D_CONTIGUOUS)
        return std::nullopt;
    const auto count = header.count();
    const haddr_t at = H5Dget_offset(dataset);
    if (at == HADDR_UNDEF)
        refuse(where(array), "values", "none that were ever written");
    if (!count || at > input_.size() || *count > (input_.size() - at) / item)
        refuse(where(array), "as many bytes as " + header.text() + " takes", "the end of the file before them");
    return std::pair(std::uint64_t{at}, *count * item);
}

std::unique_ptr<ByteSource> Hdf5File::open(std::size_t array, const JobContext& job) const {
    const NpyHeader& header = arrays_[array].header;
    if (const std::string why = problem(arrays_[array].key); !why.empty())
        refuse(where(array), "a dataset in this file", why);
    if (const auto bytes = place(array))
        return input_.openSection(bytes->first, bytes->second);
    const LibraryLock lock;
    const std::uint64_t item = header.type.itemBytes;
    const auto count = header.count();
    Handle dataset = library_->dataset(arrays_[array].key);
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
    const std::uint64_t stored = H5Dget_storage_size(dataset);
    const auto tooFew = [&] {
        refuse(where(array), "as many bytes as " + header.text() + " takes",
               std::to_string(stored) + " bytes in the file");
    };
    if (item == 0 || !count || *count > std::numeric_limits<std::uint64_t>::max() / item || stored > input_.size())
        tooFew();
    if (H5Pget_layout(properties) == H5D_COMPACT) {
        if (library_->elements[array].inHeap)
            refuse(where(array), "text of fixed length in so small a dataset", "text of any length");
        constexpr std::uint64_t kMostCompact = 1 << 16;
        if (stored != *count * item || stored > kMostCompact)
            tooFew();
        std::vector<std::byte> bytes(stored);
        const Handle type(H5Dget_type(dataset), H5Tclose);
        if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
            refuse(where(array), "values", "damaged ones");
        return openBytes(std::move(bytes));
    }
    std::vector<hsize_t> chunk(H5S_MAX_RANK);
    const int axes = H5Pget_chunk(properties, H5S_MAX_RANK, chunk.data());
    const std::vector<std::uint64_t> shape = storedShape(header);
    if (axes < 1 || static_cast<std::size_t>(axes) != shape.size() ||
        std::ranges::any_of(chunk.begin(), chunk.begin() + axes, [](hsize_t length) { return length == 0; }))
        refuse(where(array), "values in chunks", "a damaged dataset");
    ChunkSource::Parts parts{std::move(dataset),
                             {shape, {chunk.begin(), chunk.begin() + axes}, item},
                             filtersOf(properties, item, where(array)),
                             input_.size(),
                             where(array)};
    const std::uint64_t claimed = parts.grid.allChunkBytes();
    std::uint64_t most = stored;
    if (std::ranges::any_of(parts.filters, [](const auto& f) { return f.kind == ChunkFilter::Kind::Deflate; }))
        most = stored * kDeflateRatio;
    if (*count > 0 && claimed > most)
        tooFew();
    if (*count > 0) // a band of chunks, and one chunk in three stages of unpacking
        requireMemory(parts.grid.bandRows(0) * parts.grid.rowBytes() + 3 * parts.grid.chunkBytes(), where(array));
    return std::make_unique<ChunkSource>(std::move(parts), job);
}

std::vector<std::string> Hdf5File::texts(std::size_t array, const JobContext& job) const {
    const Hdf5Element& element = library_->elements[array];
    const NpyHeader header = asList(arrays_[array].header);
    const auto source = open(array, job);
    if (element.inHeap) {
        requirePayload(header, *source, where(array));
        std::vector<std::byte> references(source->size());
        readExactly(*source, references, where(array));
        return textsOfHeap(input_, library_->heap, references, where(array), job);
    }
    std::vector<std::string> texts = readNpyTexts(*source, header, where(array), job);
    for (std::string& text : texts)
        if (element.type.isText() && element.padding == Hdf5Element::Padding::ZeroAtEnd)
            text.resize(std::min(text.size(), text.find('\0')));
        else if (element.type.isText() && element.padding == Hdf5Element::Padding::Spaces)
            text.resize(text.find_last_not_of(' ') + 1);
    return texts;
}

} // namespace assay
