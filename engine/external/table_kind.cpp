#include "engine/external/table_kind.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/external/external_scores.h"
#include "engine/io/files/input_file.h"
#include "engine/io/tables/table_lines.h"
#include "engine/io/tables/table_numbers.h"

#include <algorithm>
#include <vector>

namespace assay {
namespace {

/// Empty for a file without a line, or with one of numbers.
std::vector<std::string> columnsOf(const std::string& file) {
    const InputFile input = InputFile::onDisk(file);
    TableLines lines(input, dialectOf(input));
    std::vector<std::string> names;
    if (lines.next())
        for (const std::string_view field : lines.asWritten())
            names.emplace_back(trimmed(field));
    const bool numbers =
        std::ranges::all_of(names, [](const std::string& field) { return numberOf(field).has_value(); });
    return numbers ? std::vector<std::string>() : names;
}

bool hasFeaturesOf(const std::vector<std::string>& columns, const EmbeddingSet& real) {
    const std::vector<std::string>& features = real.source().columnNames;
    if (features.empty())
        return columns.size() >= real.dim();
    const auto named = std::ranges::count_if(features, [&](const std::string& feature) {
        // A column of text is one of 0 and 1 for each category: "job=clerk".
        return std::ranges::find(columns, feature) != columns.end() ||
               std::ranges::find(columns, feature.substr(0, feature.find('='))) != columns.end();
    });
    return 2 * static_cast<std::size_t>(named) >= features.size();
}

bool namesModels(const std::string& file, const AuditResult& audit) {
    try {
        return std::ranges::any_of(rowsOfModels(readExternalScores(file), audit),
                                   [](const auto& row) { return row.has_value(); });
    } catch (const Error&) { // a model twice, say: a row for each of its samples
        return false;
    }
}

} // namespace

TableKind guessTableKind(const std::string& file, const AuditResult& audit) {
    const std::vector<std::string> columns = columnsOf(file);
    if (columns.empty() || hasFeaturesOf(columns, *audit.real->set))
        return TableKind::Samples;
    return namesModels(file, audit) ? TableKind::ModelScores : TableKind::SampleScores;
}

} // namespace assay
