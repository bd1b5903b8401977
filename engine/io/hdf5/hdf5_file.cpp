#include "engine/io/hdf5/hdf5_file.h"

#include "engine/base/available_memory.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/reserve.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/hdf5_program/protocol.h"
#include "engine/io/numpy/npy_array.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

namespace assay {
namespace {

NpyType typeOf(const nlohmann::json& entry, const std::string& where) {
    const std::string type = entry.at("type");
    NpyType other;
    if (entry.contains("name"))
        other.descr = entry.at("name");
    if (type == "other")
        return other;
    if (type == "text")
        return {NpyType::Kind::Bytes, 1, NpyType::ByteOrder::Native, other.descr};
    if (type.ends_with("bf2")) // NumPy has no name for it
        return {NpyType::Kind::BFloat, 2, type[0] == '<' ? NpyType::kLittleEndian : NpyType::kBigEndian, {}};
    return npyTypeOf(type, where);
}

/// MATLAB stores the first axis last, and names the axes of HDF5 in the reverse order of its own.
NpyHeader headerOf(const nlohmann::json& entry, const std::string& where) {
    NpyHeader header;
    header.type = typeOf(entry, where);
    header.shape = entry.at("shape").get<std::vector<std::uint64_t>>();
    if (entry.value("matlab", false)) {
        std::ranges::reverse(header.shape);
        header.order = NpyHeader::Order::Fortran;
    }
    return header;
}

} // namespace

Hdf5File::Hdf5File(const InputFile& input, const std::string& wanted, const JobContext& job)
    : input_(input), file_(descriptorOf(input)) {
    const std::string reply = Hdf5Process(file_, {hdf5::kList, wanted, input.name()}, 0, job).readAll();
    try {
        for (const nlohmann::json& entry : nlohmann::json::from_cbor(reply)) {
            const std::string key = entry.at("key");
            if (entry.contains("problem"))
                problems_[key] = entry.at("problem");
            if (entry.contains("at"))
                offsets_[key] = entry.at("at");
            if (entry.contains("type"))
                arrays_.push_back({key, headerOf(entry, placeOf(input.name(), printable(key)))});
        }
    } catch (const nlohmann::json::exception&) {
        refuse(input.name(), "an HDF5 file", "a damaged one");
    }
}

std::string Hdf5File::where(std::size_t array) const {
    return placeOf(input_.name(), printable(arrays_[array].key));
}

std::string Hdf5File::problem(const std::string& key) const {
    const auto found = problems_.find(key);
    return found != problems_.end() ? found->second : std::string();
}

std::vector<std::string> Hdf5File::unreadable() const {
    std::vector<std::string> keys;
    for (const auto& [key, why] : problems_)
        keys.push_back(key);
    return keys;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> Hdf5File::place(std::size_t array) const {
    const NpyHeader& header = arrays_[array].header;
    const std::uint64_t item = header.type.itemBytes;
    const auto offset = offsets_.find(arrays_[array].key);
    if (offset == offsets_.end() || header.type.isText() || item == 0)
        return std::nullopt;
    const std::uint64_t at = offset->second;
    const auto count = header.count();
    if (!count || at > input_.size() || *count > (input_.size() - at) / item)
        refuse(where(array), "as many bytes as " + header.text() + " takes", "the end of the file before them");
    return std::pair(at, *count * item);
}

std::unique_ptr<ByteSource> Hdf5File::open(std::size_t array, const JobContext& job) const {
    const NpyHeader& header = arrays_[array].header;
    if (const std::string why = problem(arrays_[array].key); !why.empty())
        refuse(where(array), "a dataset in this file", why);
    if (const auto bytes = place(array))
        return input_.openSection(bytes->first, bytes->second);
    const auto count = header.count();
    if (!count || header.type.itemBytes == 0 ||
        *count > std::numeric_limits<std::uint64_t>::max() / header.type.itemBytes)
        refuse(where(array), "values that memory can hold", header.text());
    auto process = std::make_unique<Hdf5Process>(file_, Hdf5Request{hdf5::kValues, arrays_[array].key, where(array)},
                                                 *count * header.type.itemBytes, job);
    std::byte ready{}; // before the caller allocates memory for values that are not there
    readExactly(*process, {&ready, 1}, where(array));
    requireMemory(*count * std::min(header.type.itemBytes, sizeof(float)), where(array)); // as floats or bytes
    return process;
}

std::vector<std::string> Hdf5File::texts(std::size_t array, const JobContext& job) const {
    const NpyHeader header = asList(arrays_[array].header);
    if (!header.type.isText())
        return readNpyTexts(*open(array, job), header, where(array), job);
    Hdf5Process process(file_, {hdf5::kTexts, arrays_[array].key, where(array)}, 0, job);
    const std::string reply = process.readAll();
    std::vector<std::string> texts;
    reserveFor(texts, header.count().value_or(0), where(array));
    requireMemory(reply.size(), where(array));
    for (std::string_view left = std::string_view(reply).substr(1); !left.empty();) {
        std::uint32_t length = 0;
        std::memcpy(&length, left.data(), std::min(left.size(), sizeof length));
        left.remove_prefix(std::min(left.size(), sizeof length));
        texts.push_back(utf8OrEscaped(left.substr(0, length)));
        left.remove_prefix(std::min<std::size_t>(left.size(), length));
    }
    if (texts.size() != header.count())
        refuse(where(array), std::to_string(header.count().value_or(0)) + " texts", std::to_string(texts.size()));
    return texts;
}

} // namespace assay
