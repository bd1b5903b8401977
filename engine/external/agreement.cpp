#include "engine/external/agreement.h"

#include "engine/audit/result/audit_result.h"
#include "engine/metrics/catalog/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace assay {
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
    std::vector<double> values;
    values.reserve(rows.size());
    for (const std::optional<std::size_t>& row : rows)
        values.push_back(row ? scores.rows[*row].values[column] : std::nan(""));
    return values;
}

std::vector<double> byModel(const AuditResult& audit, const Metric& metric) {
    std::vector<double> values;
    values.reserve(audit.models.size());
    for (const auto& model : audit.models)
        values.push_back(model->hasMetric(metric.id) ? model->metric(metric.id) : std::nan(""));
    return values;
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
