#include "engine/store/replay.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace assay {
namespace {

using Version = std::array<int, 3>;

/// Numbers that are missing are 0.
Version versionOf(std::string_view text) {
    Version version{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (int& number : version) {
        at = std::from_chars(at, end, number).ptr;
        if (at != end)
            ++at;
    }
    return version;
}

/// A value that a version computes differently from earlier ones.
struct Correction {
    Version since;
    RecordedValue kind;
    std::span<const std::string_view> ids; ///< empty: all of this kind
    std::string_view reason;
};

constexpr std::array<std::string_view, 3> kByLapack{"frechet_distance", "vendi_score", "vendi_score_real"};
constexpr std::string_view kRace = "before 0.2.0 the library for linear algebra was called by several threads at once, "
                                   "which made some Frechet distances and Vendi scores wrong";

constexpr std::array<std::string_view, 8> kVerdictMetrics{"verdict_rejected", "verdict_copy",    "verdict_unrealistic",
                                                          "verdict_invented", "verdict_crowded", "bad_share",
                                                          "estimated_bad",    "coverage_missed"};
constexpr std::array<std::string_view, 13> kVerdictColumns{"verdict",       "p_any",
                                                           "evidence",      "q_any",
                                                           "p_unrealistic", "p_over_represented",
                                                           "p_copy",        "log_density_ratio",
                                                           "copy_ratio",    "coverage_verdict",
                                                           "p_uncovered",   "q_uncovered",
                                                           "coverage_ratio"};
constexpr std::string_view kTies = "0.2.0 judges samples by statistics that hold where distances are equal, too";
constexpr std::string_view kFourthVersion = "0.3.0 judges samples by the fourth version of the statistics";

constexpr std::string_view kBothSets =
    "0.2.0 finds intervals by leaving out groups of rows of both sets; before it, the library for linear algebra also "
    "made some of them wrong";

constexpr std::array kCorrections{
    Correction{{0, 2, 0}, RecordedValue::Metric, kVerdictMetrics, kTies},
    Correction{{0, 2, 0}, RecordedValue::Column, kVerdictColumns, kTies},
    Correction{{0, 2, 0}, RecordedValue::Interval, {}, kBothSets},
    Correction{{0, 3, 0}, RecordedValue::Metric, kVerdictMetrics, kFourthVersion},
    Correction{{0, 3, 0}, RecordedValue::Column, kVerdictColumns, kFourthVersion},
    Correction{{0, 3, 0}, RecordedValue::Interval, kVerdictMetrics, kFourthVersion},
    Correction{{0, 2, 0}, RecordedValue::Metric, kByLapack, kRace},
};

} // namespace

std::string_view correctionOf(RecordedValue kind, std::string_view id, std::string_view version) {
    const Version recorded = versionOf(version);
    for (const Correction& correction : kCorrections)
        if (correction.kind == kind && recorded < correction.since &&
            (correction.ids.empty() || std::ranges::find(correction.ids, id) != correction.ids.end()))
            return correction.reason;
    return {};
}

namespace {

constexpr std::size_t kToldDifferences = 20;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// One score of a record, whose values are compared.
struct Recorded {
    RecordedValue kind;
    std::string_view id;
    std::string name; ///< for the user
};

class Comparison {
public:
    explicit Comparison(std::string recordedBy) { result.recordedBy = std::move(recordedBy); }

    void value(const Recorded& of, double recorded, double found) {
        ++result.compared;
        if (recorded == found || (std::isnan(recorded) && std::isnan(found))) {
            ++result.exact;
            return;
        }
        if (isEqualUpToRounding(recorded, found))
            return;
        if (const std::string_view reason = correctionOf(of.kind, of.id, result.recordedBy); !reason.empty()) {
            ++result.corrected[std::string(reason)];
            return;
        }
        ++result.differing;
        if (result.differences.size() < kToldDifferences)
            result.differences.push_back({of.name, recorded, found});
    }

    /// One value per row.
    void values(const Recorded& of, const std::vector<double>& recorded, const std::vector<double>& found) {
        for (std::size_t at = 0; at < std::max(recorded.size(), found.size()); ++at)
            value(of, at < recorded.size() ? recorded[at] : kNone, at < found.size() ? found[at] : kNone);
    }

    ReplayResult result;
};

void compareColumns(Comparison& comparison, const std::string& of, const std::vector<ColumnValues>& recorded,
                    const std::vector<ColumnValues>& found) {
    for (const ColumnValues& column : recorded) {
        const ColumnValues* again = findBy(found, &ColumnValues::id, column.id);
        comparison.values({RecordedValue::Column, column.id, of + ": " + std::string(column.id)}, column.values,
                          again ? again->values.get() : std::vector<double>());
    }
}

void compareModels(Comparison& comparison, const ModelAudit& recorded, const ModelAudit& found) {
    const std::string of = recorded.name + ": ";
    for (const MetricValue& metric : recorded.metrics)
        comparison.value({RecordedValue::Metric, metric.id, of + std::string(metric.id)}, metric.value,
                         found.hasMetric(metric.id) ? found.metric(metric.id) : kNone);
    for (const MetricInterval& interval : recorded.intervals) {
        const MetricInterval* again = found.interval(interval.id);
        const std::string name = of + std::string(interval.id);
        comparison.value({RecordedValue::Interval, interval.id, name + ".low"}, interval.low,
                         again ? again->low : kNone);
        comparison.value({RecordedValue::Interval, interval.id, name + ".high"}, interval.high,
                         again ? again->high : kNone);
    }
    compareColumns(comparison, recorded.name, recorded.columns, found.columns);
    compareColumns(comparison, recorded.name + ", good samples", recorded.good, found.good);
    for (const CurveValues& curve : recorded.curves) {
        const CurveValues* again = findBy(found.curves, &CurveValues::id, curve.id);
        const std::string name = of + std::string(curve.id);
        comparison.values({RecordedValue::Curve, curve.id, name}, curve.x, again ? again->x : std::vector<double>());
        for (std::size_t line = 0; line < curve.lines.size(); ++line) {
            const bool same = again && line < again->lines.size();
            comparison.values({RecordedValue::Curve, curve.id, name + " " + curve.lines[line].name},
                              curve.lines[line].y, same ? again->lines[line].y : std::vector<double>());
        }
    }
}

} // namespace

bool isEqualUpToRounding(double recorded, double found) noexcept {
    constexpr double kRelative = 1e-9;
    const double size = std::max(std::abs(recorded), std::abs(found));
    return std::abs(recorded - found) <= kRelative * std::max(size, 1e-3);
}

ReplayResult compareWithRecord(const AuditResult& record, const AuditResult& again) {
    Comparison comparison(record.computedBy);
    const std::size_t models = std::min(record.models.size(), again.models.size());
    for (std::size_t m = 0; m < models; ++m)
        compareModels(comparison, *record.models[m], *again.models[m]);
    if (record.heldOut && again.heldOut)
        compareModels(comparison, *record.heldOut->audit, *again.heldOut->audit);
    comparison.result.curvesLeftOut = record.curves.size();
    return comparison.result;
}

std::shared_ptr<const AuditResult> recompute(const AuditResult& record, const AuditOptions& options,
                                             const JobContext& job) {
    AuditRequest request;
    request.real = record.real->set;
    for (const auto& model : record.models)
        request.models.push_back({model->name, model->set});
    if (record.heldOut)
        request.heldOut = record.heldOut->audit->set;
    request.options = optionsOf(record, options);
    return runAudit(request, job);
}

std::shared_ptr<const AuditResult> judgeAgain(const AuditResult& record, const AuditOptions& options,
                                              const JobContext& job) {
    auto judged = std::make_shared<AuditResult>(*recompute(record, options, job));
    judged->curves = record.curves;
    judged->sampleScores = record.sampleScores;
    return judged;
}

std::string replayText(const ReplayResult& result) {
    std::string text = countText(result.compared) + " values: ";
    text += result.holds() ? "the record holds" : countText(result.differing) + " differ from the record";
    text += ", " + countText(result.exact) + " are the same to the last bit\n";
    for (const ReplayDifference& difference : result.differences)
        text += difference.what + ": recorded " + numberText(difference.recorded) + ", found " +
                numberText(difference.found) + "\n";
    if (result.differing > result.differences.size())
        text += "and " + countText(result.differing - result.differences.size()) + " more\n";
    for (const auto& [reason, count] : result.corrected)
        text += "replaced by this version: " + countText(count) + (count == 1 ? " value" : " values") + " that Assay " +
                result.recordedBy + " recorded; " + reason + "\n";
    if (result.curvesLeftOut > 0)
        text += countText(result.curvesLeftOut) + " curves over subsets were not computed again\n";
    return text;
}

} // namespace assay
