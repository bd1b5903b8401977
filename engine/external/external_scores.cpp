#include "engine/external/external_scores.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/tables/table_fields.h"
#include "engine/io/tables/table_header.h"
#include "engine/io/tables/table_lines.h"
#include "engine/metrics/catalog/catalog.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <utility>

namespace assay {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Line = std::vector<std::string>;

std::vector<Line> linesOf(const InputFile& input, const JobContext& job) {
    std::vector<Line> all;
    TableLines lines(input, dialectOf(input));
    while (lines.next()) {
        job.throwIfStopped();
        Line line;
        for (const std::string_view field : lines.fields())
            line.emplace_back(trimmed(field));
        all.push_back(std::move(line));
        if (all.size() > kMaxExternalRows + 1)
            refuse(input.name(), "a row per model, at most " + std::to_string(kMaxExternalRows), "more rows");
    }
    return all;
}

bool isNumeric(const std::vector<Line>& lines, std::size_t column) {
    return std::all_of(lines.begin() + 1, lines.end(), [column](const Line& line) {
        return column < line.size() && (isMissing(line[column]) || numberOf(line[column]));
    });
}

/// The column with the names of the models: by its name, else the first one of text.
std::size_t nameColumn(const std::vector<Line>& lines, const std::string& file) {
    const Line& header = lines.front();
    for (const std::string_view wanted : {"model", "models", "name", "generator", "id"})
        for (std::size_t column = 0; column < header.size(); ++column)
            if (lowerCase(header[column]) == wanted)
                return column;
    for (std::size_t column = 0; column < header.size(); ++column)
        if (!isNumeric(lines, column))
            return column;
    refuse(file, "a column with the names of the models", "numbers alone");
}

double figureOf(const std::string& text) {
    return isMissing(text) ? kNan : numberOf(text).value_or(kNan);
}

/// A name without regard to case and an extension: "GAN.npz" is "gan".
std::string looseName(const std::string& name) {
    const std::string extension = std::filesystem::path(name).extension().string();
    // "cfg1.5" has no extension: those are letters.
    const bool isExtension =
        extension.size() > 1 && std::ranges::any_of(extension, [](unsigned char c) { return std::isalpha(c) != 0; });
    return lowerCase(isExtension ? name.substr(0, name.size() - extension.size()) : name);
}

} // namespace

bool operator==(const ExternalScores::Row& a, const ExternalScores::Row& b) {
    return a.model == b.model && std::ranges::equal(a.values, b.values, [](double x, double y) {
               return x == y || (std::isnan(x) && std::isnan(y));
           });
}

ExternalScores readExternalScores(const std::string& file, const JobContext& job) {
    const InputFile input = InputFile::onDisk(file);
    const std::vector<Line> lines = linesOf(input, job);
    if (lines.size() < 2)
        refuse(file, "a line that names the columns, and a row per model",
               std::to_string(lines.size()) + (lines.size() == 1 ? " line" : " lines"));
    const Line& header = lines.front();
    if (std::ranges::all_of(header, [](const std::string& field) { return numberOf(field).has_value(); }))
        refuse(file, "a first line that names the columns", "numbers");
    ExternalScores scores;
    scores.source = std::filesystem::path(file).filename().string();
    const std::size_t names = nameColumn(lines, file);
    std::vector<std::size_t> figures;
    for (std::size_t column = 0; column < header.size(); ++column)
        if (column != names && isNumeric(lines, column)) {
            figures.push_back(column);
            scores.columns.push_back(header[column].empty() ? "column " + std::to_string(column + 1) : header[column]);
        }
    if (figures.empty())
        refuse(file, "a column of numbers beside the names of the models", "text alone");
    std::map<std::string, std::size_t> seen;
    for (std::size_t at = 1; at < lines.size(); ++at) {
        const Line& line = lines[at];
        const std::string place = file + ", row " + std::to_string(at + 1);
        if (line.size() != header.size())
            refuse(place, std::to_string(header.size()) + " fields", std::to_string(line.size()));
        if (line[names].empty())
            refuse(place, "the name of a model", "nothing");
        if (const auto [first, isNew] = seen.emplace(line[names], at + 1); !isNew)
            refuse(place, "each model once",
                   inQuotes(line[names]) + " again, as in row " + std::to_string(first->second));
        ExternalScores::Row row{line[names], {}};
        for (const std::size_t column : figures)
            row.values.push_back(figureOf(line[column]));
        scores.rows.push_back(std::move(row));
    }
    scores.sha256 = sha256OfFile(file, job);
    return scores;
}

std::vector<std::optional<std::size_t>> rowsOfModels(const ExternalScores& scores, const AuditResult& audit) {
    std::map<std::string, std::size_t> exact;
    std::map<std::string, std::size_t> loose;
    for (std::size_t row = 0; row < scores.rows.size(); ++row) {
        exact.emplace(scores.rows[row].model, row);
        loose.emplace(looseName(scores.rows[row].model), row);
    }
    std::vector<std::optional<std::size_t>> rows;
    for (const auto& model : audit.models) {
        auto found = exact.find(model->name);
        if (found == exact.end()) {
            found = loose.find(looseName(model->name));
            rows.push_back(found == loose.end() ? std::nullopt : std::optional(found->second));
        } else {
            rows.emplace_back(found->second);
        }
    }
    return rows;
}

std::string externalToJson(const ExternalScores& scores) {
    auto rows = nlohmann::json::array();
    for (const ExternalScores::Row& row : scores.rows) {
        auto values = nlohmann::json::array();
        for (const double value : row.values)
            values.push_back(std::isfinite(value) ? nlohmann::json(value) : nlohmann::json());
        rows.push_back({{"model", row.model}, {"values", values}});
    }
    const nlohmann::json all{
        {"source", scores.source}, {"sha256", scores.sha256}, {"columns", scores.columns}, {"rows", rows}};
    return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

ExternalScores externalFromJson(const std::string& text) {
    try {
        const nlohmann::json all = nlohmann::json::parse(text);
        ExternalScores scores{all.at("source"), all.at("sha256"), all.at("columns"), {}};
        for (const nlohmann::json& row : all.at("rows")) {
            ExternalScores::Row one{row.at("model"), {}};
            for (const nlohmann::json& value : row.at("values"))
                one.values.push_back(value.is_number() ? value.get<double>() : kNan);
            one.values.resize(scores.columns.size(), kNan);
            scores.rows.push_back(std::move(one));
        }
        return scores;
    } catch (const nlohmann::json::exception&) {
        return {}; // of a later version: as if there were none
    }
}

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

namespace {

/// Compares figures of the audit's models with an external column.
/// @param values one per model of the audit, NaN for none
std::optional<Agreement> agreementOf(const std::vector<double>& values, const std::vector<double>& external) {
    Agreement found;
    for (std::size_t model = 0; model < values.size(); ++model)
        if (std::isfinite(values[model]) && std::isfinite(external[model])) {
            found.models.push_back(model);
            found.values.push_back(values[model]);
            found.external.push_back(external[model]);
        }
    if (found.models.size() < kMinAgreeing)
        return std::nullopt;
    found.pearson = pearson(found.values, found.external);
    found.spearman = spearman(found.values, found.external);
    found.kendall = kendall(found.values, found.external);
    return std::isnan(found.spearman.value) ? std::nullopt : std::optional(std::move(found));
}

/// An external column by the audit's models.
std::vector<double> byModel(const ExternalScores& scores, const std::vector<std::optional<std::size_t>>& rows,
                            std::size_t column) {
    return collected(rows, [&](const auto& row) { return row ? scores.rows[*row].values[column] : std::nan(""); });
}

std::vector<double> byModel(const AuditResult& audit, const Metric& metric) {
    return collected(audit.models, [&](const auto& model) {
        return model->hasMetric(metric.id) ? model->metric(metric.id) : std::nan("");
    });
}

std::string twoDecimals(double value) {
    return fmt::format("{:.2f}", value);
}

/// Whether figures that are called one thing follow a metric that is another.
bool isSwapped(std::string name, std::string_view called, std::string_view metric, std::string_view other) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.find(called) != std::string::npos && metric == other;
}

} // namespace

std::vector<Agreement> agreements(const AuditResult& audit, const ExternalScores& scores) {
    const auto rows = rowsOfModels(scores, audit);
    std::vector<Agreement> all;
    for (std::size_t column = 0; column < scores.columns.size(); ++column) {
        const std::vector<double> external = byModel(scores, rows, column);
        const auto add = [&](const std::vector<double>& values, const Metric* metric,
                             std::optional<std::size_t> other) {
            if (auto found = agreementOf(values, external)) {
                found->metric = metric;
                found->other = other;
                found->column = column;
                all.push_back(*std::move(found));
            }
        };
        for (const Metric& metric : metricCatalog())
            add(byModel(audit, metric), &metric, std::nullopt);
        for (std::size_t other = 0; other < scores.columns.size(); ++other)
            if (other != column)
                add(byModel(scores, rows, other), nullptr, other);
    }
    return all;
}

std::string subjectOf(const Agreement& agreement, const ExternalScores& scores) {
    return agreement.metric != nullptr ? std::string(agreement.metric->title) : scores.columns[*agreement.other];
}

namespace {

/// Index of the agreement on this column with the largest absolute Spearman coefficient, of equal ones the first in
/// catalogue order; metrics alone. Empty if there is none.
std::optional<std::size_t> closestMetric(const std::vector<Agreement>& agreements, std::size_t column) {
    std::optional<std::size_t> best;
    const auto strength = [&](std::size_t at) { return std::abs(agreements[at].spearman.value); };
    constexpr double kRounding = 1e-9; // equal orders have equal coefficients up to it
    for (std::size_t at = 0; at < agreements.size(); ++at)
        if (agreements[at].column == column && agreements[at].metric != nullptr &&
            (!best || strength(at) > strength(*best) + kRounding))
            best = at;
    return best;
}

} // namespace

std::string agreementSentence(const std::vector<Agreement>& agreements, const ExternalScores& scores,
                              std::size_t column) {
    const std::string& name = scores.columns[column];
    const auto best = closestMetric(agreements, column);
    if (!best)
        return "No metric can be compared with " + name + ": fewer than " + std::to_string(kMinAgreeing) +
               " models of this audit have different values there.";
    const Agreement& closest = agreements[*best];
    const std::string models = std::to_string(closest.models.size()) + " models";
    std::string text = subjectOf(closest, scores) + " correlates best with " + name + ": Spearman " +
                       twoDecimals(closest.spearman.value);
    if (!closest.spearman.interval)
        return text + ", " + models + ". That is too few for an interval, so it may be chance.";
    const Bounds& interval = *closest.spearman.interval;
    text += " (" + twoDecimals(interval.low) + " to " + twoDecimals(interval.high) + "), " + models + ".";
    if (interval.low < 0.0 && interval.high > 0.0)
        return text + " The interval contains 0, so it may be chance.";
    const double weakest = std::min(std::abs(interval.low), std::abs(interval.high));
    const auto others = std::ranges::count_if(agreements, [&](const Agreement& other) {
        return other.column == column && other.metric != nullptr && &other != &closest &&
               std::abs(other.spearman.value) >= weakest;
    });
    if (others == 1)
        text += " One other metric correlates with it about as closely.";
    else if (others > 1)
        text += " " + std::to_string(others) + " other metrics correlate with it about as closely.";
    if (closest.metric != nullptr && (isSwapped(name, "precision", closest.metric->id, "recall") ||
                                      isSwapped(name, "recall", closest.metric->id, "precision")))
        text +=
            " torch-fidelity before 0.4.0 gave precision as recall and the other way round: look where the figures are "
            "from.";
    return text;
}

} // namespace assay
