#include "engine/io/tensors/tensor_choice.h"

#include "engine/base/find_by.h"
#include "engine/io/files/joined.h"
#include "engine/io/files/refusal.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/tensors/array_kinds.h"

#include <algorithm>

namespace assay {
namespace {

std::string describe(const NamedArray& array) {
    return "'" + printable(array.key) + "' " + array.header.text();
}

} // namespace

NpyType typeNamed(std::string_view name, std::span<const NamedType> known, NpyType::ByteOrder order) {
    NpyType type;
    type.descr = std::string(name);
    if (const NamedType* found = findBy(known, &NamedType::name, name)) {
        type.kind = found->kind;
        type.itemBytes = found->bytes;
        type.order = order;
    }
    return type;
}

std::string listingOf(const std::vector<NamedArray>& arrays) {
    return arrays.empty() ? "no tensors" : joined(arrays, "; ", describe, 20);
}

std::size_t chooseMatrix(const std::vector<NamedArray>& arrays, const std::string& file, const std::string& key) {
    const std::string wanted = key.empty() ? "embeddings" : key;
    const auto named = std::ranges::find(arrays, wanted, &NamedArray::key);
    if (named != arrays.end())
        return static_cast<std::size_t>(named - arrays.begin());
    if (!key.empty())
        refuse(file, "a tensor '" + printable(key) + "'", listingOf(arrays));
    const std::vector<std::size_t> candidates = sampleMatrices(arrays);
    const auto isSeries = [](const NamedArray& array) { return holdsSeries(array.header); };
    if (const NamedArray* series = candidates.empty() ? seriesOf(arrays, isSeries) : nullptr)
        return static_cast<std::size_t>(series - arrays.data());
    if (candidates.empty())
        refuseOtherKinds(arrays, file);
    if (candidates.empty())
        refuse(file, "a tensor [samples, dimensions], or one series [windows, steps, features]", listingOf(arrays));
    if (candidates.size() > 1)
        refuse(file, "one tensor [samples, dimensions]",
               std::to_string(candidates.size()) + ": " + listingOf(arrays) +
                   ". Say which by appending ':key' to the file's name, as in '" + file + ":" +
                   printable(arrays[candidates.front()].key) + "'");
    return candidates.front();
}

std::vector<std::string> matrixChoices(const std::vector<NamedArray>& arrays) {
    std::vector<std::string> keys;
    if (std::ranges::find(arrays, "embeddings", &NamedArray::key) != arrays.end())
        return keys;
    for (const std::size_t i : sampleMatrices(arrays))
        keys.push_back(arrays[i].key);
    return keys.size() > 1 ? keys : std::vector<std::string>();
}

std::string othersNote(const std::vector<NamedArray>& arrays, std::size_t chosen, const std::string& file) {
    constexpr std::size_t kShown = 8;
    const std::string& key = arrays[chosen].key;
    const std::string group = key.substr(0, key.rfind('/') + 1); // npos + 1 is 0
    std::vector<std::string> others;
    for (const NamedArray& array : arrays) {
        const bool isUsed = array.key == key || array.key == group + "labels" || array.key == group + "ids" ||
                            array.key == group + "images";
        const bool holdsNumbers =
            array.header.type.isNumeric() && !array.header.shape.empty() && array.header.count() != std::uint64_t{0};
        if (!isUsed && holdsNumbers)
            others.push_back(describe(array));
    }
    return others.empty()
               ? std::string()
               : file + ": " + describe(arrays[chosen]) + " taken; left out: " + joined(others, "; ", {}, kShown);
}

} // namespace assay
