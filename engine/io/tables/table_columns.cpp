#include "engine/io/tables/table_columns.h"

#include "engine/io/tables/table_numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <span>

namespace assay {

std::string lowerCase(std::string_view name) {
    std::string result(trimmed(name));
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool isIdColumn(std::string_view name, std::size_t column, TableRules rules) {
    // The first six have always meant ids.
    constexpr std::array<std::string_view, 22> kNames{
        "id",         "ids",       "filename",   "file",        "path",       "image_path", "filenames",  "file_name",
        "file_names", "files",     "paths",      "filepath",    "filepaths",  "file_path",  "file_paths", "image_paths",
        "image_id",   "image_ids", "image_name", "image_names", "image_file", "img_path"};
    const auto known = std::span(kNames).first(rules == TableRules::First ? 6 : kNames.size());
    return (column == 0 && name.empty()) || std::ranges::find(known, name) != known.end();
}

bool mayBeIdColumn(std::string_view name) {
    return name == "image" || name == "images" || name == "img";
}

bool isLabelColumn(std::string_view name, TableRules rules) {
    return name == "label" || name == "class" ||
           (rules == TableRules::Current && (name == "labels" || name == "classes"));
}

bool mayBeLabelColumn(std::string_view name) {
    return name == "target" || name == "targets";
}

bool isRowNumberName(std::string_view name) {
    constexpr std::array<std::string_view, 20> kNames{
        "index", "idx", "row",  "rows", "rowid",    "rowname", "rownames", "rownum", "rownumber", "no",
        "nr",    "sno", "slno", "srno", "serialno", "number",  "num",      "sl",     "serial",    "level0"};
    const std::string lower = lowerCase(name);
    if (lower.starts_with("unnamed: ") || lower == "#")
        return true;
    std::string letters; // "S.No", "s_no" and "S No" are one name
    std::ranges::copy_if(lower, std::back_inserter(letters),
                         [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80; });
    return std::ranges::find(kNames, letters) != kNames.end() || endsInId(name);
}

bool endsInId(std::string_view name) {
    const std::string lower = lowerCase(name);
    if (lower == "id" || lower == "uuid" || lower == "guid")
        return true;
    // "student_id", "user id", "PassengerId", "customerID", but not "covid" or "paid".
    const std::string_view own = trimmed(name);
    if (own.size() < 3 || !lower.ends_with("id"))
        return false;
    const char before = own[own.size() - 3];
    const bool apart = before == '_' || before == ' ' || before == '.' || before == '-' || before == ':';
    return apart || (own[own.size() - 2] == 'I' && std::islower(static_cast<unsigned char>(before)) != 0);
}

bool mayBeWeight(std::string_view name) {
    constexpr std::array<std::string_view, 8> kNames{"weight",        "weights",       "wt",     "wgt",
                                                     "sample_weight", "survey_weight", "fnlwgt", "sampling_weight"};
    return std::ranges::find(kNames, lowerCase(name)) != kNames.end();
}

bool areEmbeddingNames(const std::vector<std::string>& names) {
    constexpr std::array<std::string_view, 5> kStems{"embeddings", "embedding", "emb", "latents", "latent"};
    return !names.empty() && std::ranges::all_of(names, [&](const std::string& name) {
        const std::string lower = lowerCase(name);
        const auto stem = std::ranges::find_if(kStems, [&](std::string_view one) { return lower.starts_with(one); });
        if (stem == kStems.end())
            return false;
        std::string_view number = std::string_view(lower).substr(stem->size());
        if (number.starts_with('_') || number.starts_with('-') || number.starts_with('.') || number.starts_with(' '))
            number.remove_prefix(1);
        return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
    });
}

} // namespace assay
