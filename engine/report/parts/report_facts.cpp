#include "engine/report/parts/report_facts.h"

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/intervals.h"
#include "engine/audit/result/sample_scores.h"
#include "engine/base/number_text.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/scores/score_output.h"
#include "engine/version.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::report {
namespace {

constexpr std::string_view kShownMetrics[] = {"clipped_density",
                                              "clipped_coverage",
                                              "authenticity",
                                              "pce",
                                              "rce",
                                              "re",
                                              "precision",
                                              "recall",
                                              "density",
                                              "coverage",
                                              "ct_score",
                                              "fld",
                                              "frechet_distance",
                                              "kernel_distance",
                                              "vendi_score",
                                              "vendi_score_real",
                                              "utility_accuracy",
                                              "utility_auc",
                                              "real_utility_accuracy",
                                              "utility_r2",
                                              "real_utility_r2",
                                              "membership_auc",
                                              "membership_tpr_1",
                                              "verdict_rejected",
                                              "bad_share",
                                              "coverage_missed"};

/// Metrics to watch while removing samples: the remaining samples are more faithful but cover less.
constexpr std::array<std::string_view, 11> kKeptMetrics{
    "clipped_density", "clipped_coverage", "authenticity",     "pce",        "rce",           "re",
    "precision",       "coverage",         "utility_accuracy", "utility_r2", "membership_auc"};

/// The metrics of these ids for which `isThere(id)`, in catalogue order.
template <typename IsThere>
std::vector<const Metric*> metricsAmong(std::span<const std::string_view> ids, const IsThere& isThere) {
    std::vector<const Metric*> metrics;
    for (const Metric& metric : metricCatalog())
        if (std::ranges::find(ids, metric.id) != ids.end() && isThere(metric.id))
            metrics.push_back(&metric);
    return metrics;
}

std::string backendText(const std::string& backend, const std::string& hardware) {
    return hardware.empty() ? backend : backend + " on " + hardware;
}

/// Text such as "71 % (66 % to 75 %)".
std::string shareWithInterval(const ModelAudit& model, std::string_view metric) {
    const std::string text = percentText(model.metric(metric));
    const MetricInterval* interval = model.interval(metric);
    if (interval == nullptr || interval->low >= 1.0) // all of it, without a doubt
        return text;
    if (interval->high < 1.0)
        return text + " (" + percentText(interval->low) + " to " + percentText(interval->high) + ")";
    const std::string low = percentText(interval->low);
    return text + " (at least " + (low.starts_with("> ") ? low.substr(2) : low) + ")";
}

std::string findingNumberText(const Finding& finding, double value) {
    return finding.kind->is(FindingKind::Number) ? roundedText(value) : percentText(value);
}

InputFact inputFact(std::string role, const EmbeddingSet& set) {
    const SourceInfo& source = set.source();
    return {std::move(role), source.file.empty() ? "built-in demo" : source.file, set.rows(), set.dim(), source.sha256,
            source.notes};
}

} // namespace

std::string Audited::name() const {
    return number == 0 ? "held-out set" : model->name;
}

std::vector<Audited> auditedSets(const AuditResult& audit) {
    std::vector<Audited> sets;
    for (const auto& model : audit.models)
        sets.push_back({sets.size() + 1, model.get()});
    if (audit.heldOut)
        sets.push_back({0, audit.heldOut->audit.get()});
    return sets;
}

std::vector<const Metric*> shownMetrics(const AuditResult& audit) {
    return metricsAmong(kShownMetrics, [&](std::string_view id) {
        return std::ranges::any_of(audit.models, [&](const auto& model) { return model->hasMetric(id); });
    });
}

std::vector<const Metric*> keptMetrics(const ModelAudit& model) {
    return metricsAmong(kKeptMetrics, [&](std::string_view id) { return model.hasMetric(id); });
}

std::string scoreText(double value, Unit unit) {
    if (std::isnan(value))
        return std::string(kNoValue);
    return unit == Unit::Count ? numberText(value) : roundedText(value);
}

std::string scoreText(const ModelAudit& model, const Metric& metric) {
    return model.hasMetric(metric.id) ? scoreText(model.metric(metric.id), metric.unit) : std::string(kNoValue);
}

std::string intervalText(const ModelAudit& model, const Metric& metric) {
    const MetricInterval* interval = model.interval(metric.id);
    if (interval == nullptr)
        return {};
    return scoreText(interval->low, metric.unit) + " to " + scoreText(interval->high, metric.unit);
}

std::string titleWithUnit(const Metric& metric) {
    return std::string(metric.title) + (metric.unit == Unit::Nats ? " (nats)" : "");
}

std::string_view directionText(Direction better) {
    switch (better) {
    case Direction::Higher:
        return "higher is better";
    case Direction::Lower:
        return "lower is better";
    case Direction::NearestToZero:
        return "nearest to 0 is best";
    case Direction::NearestToHalf:
        return "nearest to 0.5 is best";
    case Direction::NearestToOne:
        return "nearest to 1 is best";
    case Direction::Neutral:
        break;
    }
    return {};
}

std::string findingValueText(const Finding& finding) {
    return findingNumberText(finding, finding.value);
}

std::string findingIntervalText(const Finding& finding) {
    if (!finding.low || !finding.high)
        return {};
    return findingNumberText(finding, *finding.low) + " to " + findingNumberText(finding, *finding.high);
}

std::string exampleCountText(const FindingExample& example) {
    return example.count == 1 ? "only this one" : countText(example.count) + " like this";
}

std::string examplesText(const AuditResult& audit, const ModelAudit& model, const Finding& finding) {
    const EmbeddingSet& set = finding.side == Side::Real ? *audit.real->set : *model.set;
    std::string text;
    for (const FindingExample& example : finding.examples) {
        text.append(text.empty() ? "" : "; ").append(set.idText(example.row));
        if (example.original)
            text.append(", a copy of ").append(audit.real->set->idText(*example.original));
        text.append(" (").append(exampleCountText(example)).append(")");
    }
    return text;
}

std::string headlineSentence(const ModelAudit& model) {
    if (!model.hasMetric("clipped_density") || !model.hasMetric("clipped_coverage"))
        return {};
    return "Fidelity " + shareWithInterval(model, "clipped_density") + ", coverage " +
           shareWithInterval(model, "clipped_coverage") + ".";
}

std::vector<Fact> parameterFacts(const AuditResult& audit) {
    const RealAnalysis& real = *audit.real;
    std::vector<Fact> facts{
        {"Assay", kVersion},
        {"Schema of the JSON output", std::to_string(kJsonSchema)},
        {"k, neighbours that make a ball", std::to_string(audit.k)},
        {"Seed of everything drawn at random", std::to_string(audit.seed)},
        {"False discovery rate of the verdicts", numberText(audit.falseDiscoveryRate)},
        {"Precision and recall cover",
         "k = " + std::to_string(audit.cover.k) + ", c = " + std::to_string(audit.cover.c)},
        {"Intervals", "95 %, from leaving out " + std::to_string(RowGroups::kMaxGroups) +
                          " groups of rows per set, or from " + std::to_string(kResamples) + " resamples"},
        {"One-class embedding", audit.described && audit.described->oneClass ? "trained on the real set" : "not used"},
        {"Good samples that verdicts are calibrated on", audit.heldOut ? "the held-out set" : "the real set"},
        {"Search of the real set",
         backendText(real.backend, audit.described ? audit.described->hardware : real.hardware)}};
    if (const std::string prepared = real.set->preparation()->text(); !prepared.empty())
        facts.emplace_back("Values of the files", prepared);
    if (audit.computedBy != kVersion)
        facts.emplace_back("Version that computed the scores", audit.computedBy);
    for (const auto& model : audit.models)
        facts.emplace_back("Search for " + model->name, backendText(model->backend, model->hardware));
    for (const SampleScores::Part& part : audit.sampleScores ? audit.sampleScores->parts : SampleScores{}.parts)
        facts.emplace_back("External column of " +
                               (isReal(part.set) ? "the real set" : audit.models[modelIndex(part.set)]->name),
                           externalId(part.name, isReal(part.set) ? Side::Real : Side::Synthetic) + ", from " +
                               part.source + " (SHA-256 " + part.sha256 + ")");
    return facts;
}

std::vector<InputFact> inputFacts(const AuditResult& audit) {
    std::vector<InputFact> inputs{inputFact("real", *audit.real->set)};
    for (const auto& model : audit.models)
        inputs.push_back(inputFact("synthetic: " + model->name, *model->set));
    if (audit.heldOut)
        inputs.push_back(inputFact("held-out", *audit.heldOut->audit->set));
    return inputs;
}

} // namespace assay::report
