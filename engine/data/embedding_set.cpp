#include "engine/data/embedding_set.h"

#include "engine/base/error.h"
#include "engine/data/finite.h"
#include "engine/data/gather_rows.h"
#include "engine/data/not_finite_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

namespace assay {
namespace {

void requireCount(const std::string& what, std::size_t found, std::size_t rows) {
    if (found != 0 && found != rows)
        throw Error(ErrorKind::BadInput,
                    fmt::format("{}: expected {} entries, one for each row, found {}", what, rows, found));
}

std::string where(const EmbeddingParts& parts) {
    std::string file = parts.source.file.empty() ? parts.name : parts.source.file;
    if (parts.source.key.empty())
        return file;
    if (file.ends_with(":" + parts.source.key)) // as the user named it
        file.resize(file.size() - parts.source.key.size() - 1);
    return file + ": '" + parts.source.key + "'";
}

} // namespace

std::size_t ClassLabels::classCount() const {
    return names.size() - static_cast<std::size_t>(std::ranges::count(names, std::string()));
}

std::size_t ClassLabels::classified() const {
    return static_cast<std::size_t>(std::ranges::count_if(code, [this](std::uint32_t one) { return isClass(one); }));
}

std::vector<std::uint32_t> ClassLabels::counts() const {
    return countsOf(code, names.size());
}

EmbeddingParts EmbeddingParts::of(std::vector<float> values, std::size_t dim, std::string name) {
    EmbeddingParts parts;
    parts.rows = values.size() / dim;
    parts.dim = dim;
    parts.values = std::move(values);
    parts.name = std::move(name);
    return parts;
}

EmbeddingSet::EmbeddingSet(EmbeddingParts parts, const JobContext& job, unsigned threads) : parts_(std::move(parts)) {
    const std::string place = where(parts_);
    if (parts_.rows == 0 || parts_.dim == 0)
        throw Error(ErrorKind::BadInput, place + " is empty: expected at least one row and one column, found " +
                                             std::to_string(parts_.rows) + " x " + std::to_string(parts_.dim));
    if (parts_.values.size() != held().count * parts_.dim)
        throw Error(ErrorKind::BadInput, fmt::format("{}: expected {} values, found {}", place,
                                                     held().count * parts_.dim, parts_.values.size()));
    const auto [bad, largest] = inspect(parts_.values.span(), threads, job);
    if (bad < parts_.values.size())
        throw Error(ErrorKind::BadInput,
                    fmt::format("{}: expected finite values, found {} in row {}, column {} (counted from 0); {}", place,
                                (std::isnan(parts_.values.data()[bad]) ? "NaN" : "an infinite value"),
                                held().first + bad / parts_.dim, bad % parts_.dim, kNotFiniteAdvice));
    largest_ = largest;
    if (parts_.values.isForeign())
        checksum_ = checksumOf(parts_.values.span(), threads, job.silent());
    parts_.fileFacts = {};
    if (!parts_.preparation)
        parts_.preparation = std::make_shared<const ValuePreparation>();
    requireCount(place + ": labels", parts_.labels.code.size(), parts_.rows);
    requireCount(place + ": ids", parts_.ids.size(), parts_.rows);
    requireCount(place + ": images", parts_.images ? parts_.images->rows() : 0, parts_.rows);
}

std::string EmbeddingSet::labelText(std::size_t row) const {
    return hasLabels() ? parts_.labels.names[parts_.labels.code[row]] : std::string();
}

void EmbeddingSet::requireUnchanged(const JobContext& job) const {
    // Copying another file over this one can preserve size and modification time, so the values are compared, too.
    const bool changed = parts_.values.isForeign() && (!parts_.values.isUnchanged() ||
                                                       checksumOf(parts_.values.span(), 0, job.silent()) != checksum_);
    if (changed)
        throw Error(ErrorKind::BadInput, where(parts_) +
                                             ": expected a file that stays as it is while it is worked on, " +
                                             "found that it was changed");
}

std::string EmbeddingSet::idText(std::size_t row) const {
    return parts_.ids.empty() ? std::to_string(fileRow(row)) : parts_.ids[row];
}

std::size_t EmbeddingSet::fileRow(std::size_t row) const {
    // Dropped row d with i dropped rows before it comes after d - i kept rows; these numbers ascend.
    const std::vector<std::size_t>& dropped = parts_.source.droppedRows;
    std::size_t first = 0;
    for (std::size_t last = dropped.size(); first < last;) {
        const std::size_t middle = first + (last - first) / 2;
        if (dropped[middle] - middle <= row)
            first = middle + 1;
        else
            last = middle;
    }
    return row + first;
}

namespace {

template <typename Key, typename ToText>
ClassLabels encode(const std::vector<Key>& labels, ToText toText) {
    std::map<Key, std::uint32_t> codes;
    for (const Key& label : labels)
        codes.emplace(label, 0);
    ClassLabels result;
    for (auto& [label, code] : codes) {
        code = static_cast<std::uint32_t>(result.names.size());
        result.names.push_back(toText(label));
    }
    result.code.reserve(labels.size());
    for (const Key& label : labels)
        result.code.push_back(codes.at(label));
    return result;
}

} // namespace

ClassLabels labelsFromIntegers(const std::vector<std::int64_t>& labels) {
    return encode(labels, [](std::int64_t v) { return std::to_string(v); });
}

ClassLabels labelsFromDecimals(const std::vector<std::string>& numbers) {
    std::vector<std::int64_t> labels(numbers.size());
    std::ranges::transform(numbers, labels.begin(),
                           [](const std::string& number) { return std::strtoll(number.c_str(), nullptr, 10); });
    return labelsFromIntegers(labels);
}

ClassLabels labelsFromText(const std::vector<std::string>& labels) {
    return encode(labels, [](const std::string& v) { return v; });
}

} // namespace assay
