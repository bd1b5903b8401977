// Reads HDF5 files by the C library for Assay's programs, one request per run (protocol.h). A process of its own,
// because over damaged files the library crashes, hangs, or takes as much memory as they claim to need.
#include "engine/io/hdf5_program/protocol.h"
#include "engine/io/hdf5_program/values.h"

#define H5_USE_110_API
#include <hdf5.h>
#include <nlohmann/json.hpp>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::hdf5 {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxObjects = 10'000;
constexpr std::array<std::string_view, 5> kKnownNames{"embeddings", "labels", "groups", "ids", "images"};

/// A 16-bit float with that many bits of exponent.
Handle shortFloat(std::size_t exponentBits, H5T_order_t order) {
    Handle type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
    H5Tset_fields(type, 15, 15 - exponentBits, exponentBits, 0, 15 - exponentBits);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, (std::size_t{1} << (exponentBits - 1)) - 1);
    H5Tset_order(type, order);
    return type;
}

std::string numberType(hid_t type) {
    struct Known {
        hid_t type;
        const char* name;
    };
    const Handle half = shortFloat(5, H5T_ORDER_LE), swappedHalf = shortFloat(5, H5T_ORDER_BE);
    const Handle brain = shortFloat(8, H5T_ORDER_LE), swappedBrain = shortFloat(8, H5T_ORDER_BE);
    const std::array known{Known{H5T_STD_I8LE, "|i1"},   Known{H5T_STD_I8BE, "|i1"},   Known{H5T_STD_U8LE, "|u1"},
                           Known{H5T_STD_U8BE, "|u1"},   Known{H5T_STD_I16LE, "<i2"},  Known{H5T_STD_I16BE, ">i2"},
                           Known{H5T_STD_U16LE, "<u2"},  Known{H5T_STD_U16BE, ">u2"},  Known{H5T_STD_I32LE, "<i4"},
                           Known{H5T_STD_I32BE, ">i4"},  Known{H5T_STD_U32LE, "<u4"},  Known{H5T_STD_U32BE, ">u4"},
                           Known{H5T_STD_I64LE, "<i8"},  Known{H5T_STD_I64BE, ">i8"},  Known{H5T_STD_U64LE, "<u8"},
                           Known{H5T_STD_U64BE, ">u8"},  Known{H5T_IEEE_F32LE, "<f4"}, Known{H5T_IEEE_F32BE, ">f4"},
                           Known{H5T_IEEE_F64LE, "<f8"}, Known{H5T_IEEE_F64BE, ">f8"}, Known{half, "<f2"},
                           Known{swappedHalf, ">f2"},    Known{brain, "<bf2"},         Known{swappedBrain, ">bf2"}};
    const auto* const found =
        std::ranges::find_if(known, [&](const Known& one) { return H5Tequal(one.type, type) > 0; });
    return found == known.end() ? std::string() : found->name;
}

/// h5py stores bool as an enumeration of FALSE and TRUE.
bool isBool(hid_t type) {
    const auto valueOf = [&](const char* name) {
        signed char value = -1;
        return H5Tget_size(type) == 1 && H5Tenum_valueof(type, name, &value) >= 0 ? value : -1;
    };
    return H5Tget_nmembers(type) == 2 && valueOf("FALSE") == 0 && valueOf("TRUE") == 1;
}

/// `type` and `name` of an entry.
json typeOf(hid_t type) {
    const auto other = [](const char* name) { return json{{"type", "other"}, {"name", name}}; };
    std::string number;
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        number = numberType(type);
        return number.empty() ? other("integers of an unusual size") : json{{"type", number}};
    case H5T_FLOAT:
        number = numberType(type);
        return number.empty() ? other("floats of an unusual size") : json{{"type", number}};
    case H5T_ENUM:
        return isBool(type) ? json{{"type", "|b1"}} : other("enumeration");
    case H5T_STRING:
        return {{"type", "text"},
                {"name", H5Tis_variable_str(type) > 0 ? "of any length" : std::to_string(H5Tget_size(type))}};
    case H5T_COMPOUND:
        return other("compound");
    case H5T_REFERENCE:
        return other("references");
    case H5T_VLEN:
        return other("lists of any length");
    case H5T_ARRAY:
        return other("arrays");
    default:
        return other("that is not read");
    }
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
        return all.size() > kMaxObjects ? 1 : 0;
    };
    hsize_t at = 0;
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, add, &links);
    return links;
}

/// `shape` and, where the elements are contiguous, `at` of an entry; or its `problem`.
void describe(hid_t dataset, json& entry, bool isMatlab) {
    entry["type"] = "other";
    entry["name"] = "damaged";
    entry["shape"] = json::array();
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
    if (!properties)
        return;
    // Even the shape of a virtual dataset is in other files, and reading it would open them.
    if (H5Pget_layout(properties) == H5D_VIRTUAL) {
        entry["problem"] = "a virtual dataset, which lies in other files";
        return;
    }
    if (H5Pget_external_count(properties) != 0) {
        entry["problem"] = "a dataset that lies in other files (external storage)";
        return;
    }
    const Handle space(H5Dget_space(dataset), H5Sclose);
    const Handle type(H5Dget_type(dataset), H5Tclose);
    const int axes = space ? H5Sget_simple_extent_ndims(space) : -1;
    if (axes < 0 || !type || H5Sget_simple_extent_type(space) == H5S_NULL)
        return;
    std::vector<hsize_t> shape(static_cast<std::size_t>(axes));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    entry["shape"] = shape;
    entry["matlab"] = isMatlab || H5Aexists(dataset, "MATLAB_class") > 0;
    entry.update(typeOf(type));
    if (H5Pget_layout(properties) != H5D_CONTIGUOUS)
        return;
    if (const haddr_t at = H5Dget_offset(dataset); at != HADDR_UNDEF)
        entry["at"] = at;
    else if (std::ranges::find(shape, hsize_t{0}) == shape.end())
        entry["problem"] = "one whose values were never written";
}

class Lister {
public:
    Lister(std::string wanted, bool isMatlab) : wanted_(std::move(wanted)), isMatlab_(isMatlab) {}

    void list(hid_t group, const std::string& prefix, int depth) {
        H5O_info_t info;
        if (H5Oget_info2(group, &info, H5O_INFO_BASIC) < 0 || !groups_.emplace(info.fileno, info.addr).second)
            return; // already listed: hard links may form a loop
        for (const Link& link : linksOf(group)) {
            if (++objects_ > kMaxObjects)
                throw Refusal{"at most " + std::to_string(kMaxObjects) + " objects", "more"};
            if (isMatlab_ && link.name.starts_with('#'))
                continue; // MATLAB's own
            const std::string key = prefix + link.name;
            const Handle object = openObject(group, link.name);
            const H5I_type_t kind = object ? H5Iget_type(object) : H5I_BADID;
            const bool isSoft = link.type == H5L_TYPE_SOFT;
            if (link.type != H5L_TYPE_HARD && !isSoft)
                addProblem(key, "a link to another file, which is not followed");
            else if (kind == H5I_BADID)
                addProblem(key, isSoft ? "a link that leads to nothing in this file"
                                       : "an object that is damaged, or that a newer version of HDF5 wrote");
            // A second name of a dataset is no second candidate, unless it is the name that is looked for.
            else if (kind == H5I_DATASET && (!isSoft || std::ranges::count(kKnownNames, link.name) > 0))
                add(object, key);
            else if (kind == H5I_GROUP && !isSoft && depth < kMaxDepth)
                list(object, key + '/', depth + 1);
        }
    }

    /// Adds the wanted dataset and its companions when only soft links lead to them.
    void addWanted(hid_t file) {
        if (wanted_.empty())
            return;
        const std::string group = wanted_.substr(0, wanted_.rfind('/') + 1); // npos + 1 is 0
        std::vector<std::string> keys{wanted_};
        for (const std::string_view name : kKnownNames)
            keys.push_back(group + std::string(name));
        for (const std::string& key : keys) {
            if (keys_.contains(key))
                continue;
            const Handle object = openObject(file, "/" + key);
            if (object && H5Iget_type(object) == H5I_DATASET)
                add(object, key);
        }
    }

    std::vector<std::uint8_t> cbor() const { return json::to_cbor(entries_); }

private:
    void add(hid_t dataset, const std::string& key) {
        json entry{{"key", key}};
        describe(dataset, entry, isMatlab_);
        entries_.push_back(std::move(entry));
        keys_.insert(key);
    }
    void addProblem(const std::string& key, const char* problem) {
        entries_.push_back({{"key", key}, {"problem", problem}});
        keys_.insert(key);
    }

    std::string wanted_;
    bool isMatlab_;
    json entries_ = json::array();
    std::set<std::string> keys_;
    std::set<std::pair<unsigned long, haddr_t>> groups_; ///< groups that have been listed
    std::size_t objects_ = 0;
};

/// Lists the datasets that hard links lead to, in groups nested up to 32 levels deep; and, where soft links lead to
/// them, those named embeddings, labels, groups, ids and images, the one named `wanted`, and its companions.
/// @param file open file (hid_t)
/// @return CBOR: a list of objects with the dataset's `key` and its `shape`, `type` ("<f4" as NumPy names it, "<bf2",
///         "text", or "other"), `name` of a text or other type, `matlab` (axes are in MATLAB's order) and, when its
///         elements are contiguous, their offset `at` in the file. An entry that cannot be read has a `problem`.
/// @throws Refusal for more than 10,000 objects
std::vector<std::uint8_t> listing(std::int64_t file, const std::string& wanted, bool isMatlab) {
    const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
    if (!root)
        refuseUnlessMemoryRanOut({"an HDF5 file", "a damaged one"});
    Lister lister(wanted, isMatlab);
    lister.list(root, {}, 0);
    lister.addWanted(file);
    return lister.cbor();
}

constexpr unsigned kSecondsToList = 20;

/// Ends with the process that called, also when that is killed.
void endWith(const char* parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (std::to_string(getppid()) != parent) // it had ended before
        _exit(1);
}

bool isMatlab() {
    constexpr std::string_view kHeader = "MATLAB 7.3";
    std::array<char, kHeader.size()> head{};
    return pread(STDIN_FILENO, head.data(), head.size(), 0) == static_cast<ssize_t>(head.size()) &&
           std::string_view(head.data(), head.size()) == kHeader;
}

void run(std::string_view request, const std::string& key, std::uint64_t memory) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0); // no plugins: code that a file asks for
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    struct stat status {};
    if (fstat(STDIN_FILENO, &status) == 0 && status.st_nlink == 0) // the library asks for a file's name, but in memory
        H5Pset_fapl_core(access, std::size_t{1} << 16, false);
    const Handle file(H5Fopen("/proc/self/fd/0", H5F_ACC_RDONLY, access), H5Fclose);
    if (!file)
        refuseUnlessMemoryRanOut(
            {"an HDF5 file", "one that the HDF5 library cannot open: it is damaged, open for writing, or newer"});
    if (request == kList) {
        const std::vector<std::uint8_t> reply = listing(file, key, isMatlab());
        writeOut(reply.data(), reply.size());
    } else {
        writeElements(file, key, request == kTexts ? Elements::Texts : Elements::Values, memory);
    }
}

} // namespace
} // namespace assay::hdf5

int main(int count, char** arguments) {
    using namespace assay::hdf5;
    if (count != 5) {
        std::cerr << "assay-hdf5 reads HDF5 files for assay and assay-score, and is called by them alone.\n";
        return 1;
    }
    endWith(arguments[4]);
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    limit(kBaseMemory, kSecondsToList);
    int code = 0;
    try {
        run(arguments[1], arguments[2], std::strtoull(arguments[3], nullptr, 10));
    } catch (const Refusal& refusal) {
        std::cerr << refusal.expected << '\0' << refusal.found << std::flush;
        code = kRefused;
    } catch (const std::bad_alloc&) {
        code = kNoMemory;
    }
    _exit(code); // without the library's own clearing up, which a damaged file can crash, too
}
