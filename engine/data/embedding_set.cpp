#include "engine/data/embedding_set.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/data/finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>
#include <system_error>
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
    if (parts_.rows > kMaxRows)
        throw Error(ErrorKind::BadInput, fmt::format("{}: expected at most {} rows, found {}; leave some out", place,
                                                     kMaxRows, parts_.rows));
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
    requireCount(place + ": groups", parts_.groups.code.size(), parts_.rows);
    requireCount(place + ": ids", parts_.ids.size(), parts_.rows);
    requireCount(place + ": images", parts_.images ? parts_.images->rows() : 0, parts_.rows);
}

std::string EmbeddingSet::labelText(std::size_t row) const {
    return hasLabels() ? parts_.labels.names[parts_.labels.code[row]] : std::string();
}

std::string EmbeddingSet::groupText(std::size_t row) const {
    return hasGroups() ? parts_.groups.names[parts_.groups.code[row]] : std::string();
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

namespace {

std::string_view withoutBlanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// As pandas reads them, but for "none", which is a class where it is written in lower case.
bool isMissingLabel(std::string_view text) {
    constexpr std::array<std::string_view, 12> kWords{"",     "NA",   "N/A",  "n/a",  "NaN",  "nan",
                                                      "-nan", "NULL", "null", "None", "<NA>", "NaT"};
    return std::ranges::find(kWords, text) != kWords.end();
}

std::optional<std::string> truthText(std::string_view text) {
    for (const auto& [word, number] : {std::pair<std::string_view, const char*>("true", "1"), {"false", "0"}})
        if (std::ranges::equal(text, word, [](unsigned char a, char b) { return std::tolower(a) == b; }))
            return number;
    return std::nullopt;
}

/// "1" for "1.0", "+1" and "1e0"; numbers that are written plainly, such as "007", stay as they are.
std::string classText(std::string_view text) {
    const bool isSigned = text.starts_with('+');
    if (!isSigned && text.find_first_of(".eE") == std::string_view::npos)
        return std::string(text);
    const std::string_view number = text.substr(isSigned ? 1 : 0);
    double value = 0.0;
    const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (failure != std::errc() || end != number.data() + number.size() || !std::isfinite(value))
        return std::string(text);
    constexpr double kExact = 9007199254740992.0;
    if (value == std::floor(value) && std::abs(value) < kExact)
        return std::to_string(static_cast<long long>(value));
    return numberText(value);
}

} // namespace

ClassLabels labelsFromFields(std::vector<std::string> fields) {
    bool truths = true;
    bool any = false;
    for (std::string& field : fields) {
        const std::string_view text = withoutBlanks(field);
        field = isMissingLabel(text) ? std::string() : classText(text);
        any = any || !field.empty();
        truths = truths && (field.empty() || truthText(field));
    }
    if (!any)
        return {};
    if (truths)
        for (std::string& field : fields)
            field = field.empty() ? field : *truthText(field);
    return labelsFromText(fields);
}

std::string describe(const EmbeddingSet& set) {
    const SourceInfo& source = set.source();
    if (source.file.empty())
        return set.name();
    const bool named = source.key.empty() || source.file.ends_with(":" + source.key);
    return named ? source.file : source.file + ": '" + source.key + "'";
}

void requireMoreThan(std::size_t k, const EmbeddingSet& set) {
    if (k < 1)
        throw Error(ErrorKind::InvalidArgument, "k: expected at least 1, found " + std::to_string(k));
    if (set.rows() > k)
        return;
    const std::string wayOut =
        set.rows() < 2 ? "At least 2 rows are needed." : "Choose k = " + std::to_string(set.rows() - 1) + " or less.";
    throw Error(ErrorKind::InvalidArgument, describe(set) + ": expected more than k = " + std::to_string(k) +
                                                " rows, found " + std::to_string(set.rows()) + ". " + wayOut);
}

void requireComparable(const EmbeddingSet& real, const EmbeddingSet& other) {
    const std::string& ofReal = real.source().builtIn;
    const std::string& ofOther = other.source().builtIn;
    if (ofReal.empty() && !ofOther.empty())
        throw Error(ErrorKind::BadInput, describe(other) + ": expected embeddings, as in the real set " +
                                             describe(real) + ", found none (they would be those of the built-in " +
                                             ofOther + ")");
    if (!ofReal.empty() && ofOther.empty() && !other.source().file.empty())
        throw Error(ErrorKind::BadInput, describe(other) + ": expected no embeddings, as in the real set " +
                                             describe(real) + ", which is scored by the built-in " + ofReal +
                                             ", found embeddings of " + std::to_string(other.dim()) + " columns");
    if (real.dim() != other.dim())
        throw Error(ErrorKind::BadInput, describe(other) + ": expected " + std::to_string(real.dim()) +
                                             " columns as in the real set " + describe(real) + ", found " +
                                             std::to_string(other.dim()));
}

} // namespace assay
