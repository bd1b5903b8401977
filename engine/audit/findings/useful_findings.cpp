// What a synthetic set is worth, and whether it gives training samples away.
#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/data/gather_rows.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/tables/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace assay::findings {
namespace {

constexpr double kGuessed = 0.01;   ///< share that guessing finds at 1 % false alarms
constexpr double kFewestAuc = 0.55; ///< below it an attack by distances is of no use, even where it is no chance
constexpr std::size_t kWorstClasses = 3;

/// The sentence on the larger part of a leak.
std::string leakSentence(const ModelAudit& model, bool areFound) {
    std::string text = fmt::format("Someone who holds the synthetic set can tell training samples from others with AUC "
                                   "{} (0.5 is a coin toss).",
                                   roundedText(model.metric("membership_auc")));
    if (areFound)
        text += fmt::format(" {} of the training samples can be picked out at 1 % false alarms.",
                            percentText(model.metric("membership_tpr_1")));
    return text;
}

/// Real samples that are picked out while at most 1 % of the held-out samples are.
std::vector<std::uint32_t> exposedRows(const ModelAudit& model, std::size_t heldOutRows) {
    const std::vector<double>& rank = model.column("membership_rank");
    const std::size_t picked = heldOutRows / 100; // held-out samples that may be picked out, too
    const auto wrong = static_cast<double>(picked) / static_cast<double>(heldOutRows);
    constexpr double kRounding = 1e-12;
    return rowsWhere(rank.size(), [&](std::size_t row) { return rank[row] >= 1.0 - wrong - kRounding; });
}

const MetricResamples* resamplesOf(const ModelAudit& model, std::string_view metric) {
    return findBy(model.resamples, &MetricResamples::id, metric);
}

/// Classes that lose most beside real data, the worst first: "5 (12 % instead of 97 %)".
std::string worstClasses(const UtilityReport& report) {
    std::vector<ClassUtility> classes = report.byClass;
    std::ranges::stable_sort(classes, std::greater(), [](const ClassUtility& of) {
        return of.tested * (of.realAccuracy - of.accuracy); // in samples
    });
    std::vector<std::string> texts;
    for (const ClassUtility& of : classes)
        if (of.realAccuracy > of.accuracy && texts.size() < kWorstClasses)
            texts.push_back(fmt::format("{} ({} instead of {})", report.classes[of.label], percentText(of.accuracy),
                                        percentText(of.realAccuracy)));
    return listText(texts);
}

/// Mean and its variance.
struct Estimate {
    double mean = 0.0;
    double variance = 0.0;
};

Estimate estimateOf(const std::vector<double>& values) {
    Estimate estimate{metrics::meanOf(values), 0.0};
    const auto count = static_cast<double>(values.size());
    for (const double value : values)
        estimate.variance += (value - estimate.mean) * (value - estimate.mean) / (count * count);
    return estimate;
}

} // namespace

void addLeaks(const FindingInputs& in, std::vector<Finding>& findings) {
    const ModelAudit& model = in.model;
    const MetricInterval* auc = model.interval("membership_auc");
    const MetricInterval* found = model.interval("membership_tpr_1");
    if (in.heldOut == nullptr || auc == nullptr || found == nullptr || !model.hasColumn("membership_rank"))
        return;
    Finding finding = ofValue("leaks", 0.0);
    if (auc->low > 0.5 && model.metric("membership_auc") >= kFewestAuc) {
        finding.value = 2.0 * model.metric("membership_auc") - 1.0;
        finding.low = 2.0 * auc->low - 1.0;
        finding.high = 2.0 * auc->high - 1.0;
    }
    const bool areFound = found->low > kGuessed;
    if (const double beyond = model.metric("membership_tpr_1") - kGuessed; areFound && beyond > finding.value) {
        finding.value = beyond;
        finding.low = found->low - kGuessed;
        finding.high = found->high - kGuessed;
    }
    finding.sentence = leakSentence(model, areFound);
    finding.advice = "Do not publish the set if its training samples are private. Reject the copies, or train with "
                     "more data, more regularisation or differential privacy.";
    if (areFound) {
        finding.side = Side::Real;
        finding.rows = exposedRows(model, in.heldOut->set->rows());
    }
    findings.push_back(std::move(finding));
}

void addUseless(const FindingInputs& in, std::vector<Finding>& findings) {
    const ModelAudit& model = in.model;
    const MetricResamples* bySynthetic = resamplesOf(model, "utility_accuracy");
    const MetricResamples* byReal = resamplesOf(model, "real_utility_accuracy");
    if (bySynthetic == nullptr || byReal == nullptr)
        return;
    // Both were tested on the same samples, and resampled by the same draws.
    std::vector<double> lost = byReal->values;
    std::ranges::transform(lost, bySynthetic->values, lost.begin(), std::minus());
    const Bounds bounds = percentileBounds(std::move(lost));
    if (!(bounds.low > 0.0))
        return;
    const double accuracy = model.metric("utility_accuracy");
    const double realAccuracy = model.metric("real_utility_accuracy");
    Finding finding = ofValue("useless", realAccuracy - accuracy);
    finding.low = bounds.low;
    finding.high = bounds.high;
    finding.sentence = fmt::format("A classifier trained on its samples is right on {} of {} samples; trained on real "
                                   "data, on {}.",
                                   percentText(accuracy), model.utility.testedOn == "held_out" ? "held-out" : "real",
                                   percentText(realAccuracy));
    if (const std::string worst = worstClasses(model.utility); !worst.empty())
        finding.advice = "It loses most on class " + worst + ".";
    constexpr double kMuchSmaller = 0.9;
    if (static_cast<double>(model.utility.trainedOn) < kMuchSmaller * static_cast<double>(in.real.set->rows()))
        finding.advice += std::string(finding.advice.empty() ? "" : " ") +
                          "The synthetic set is smaller than the real set, which explains a part of the loss.";
    findings.push_back(std::move(finding));
}

void addHeldOutUnlike(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.heldOut == nullptr || !in.heldOut->hasColumn("nearest_is_synthetic") ||
        !in.heldOut->hasColumn("nearest_is_real"))
        return;
    const Estimate own = estimateOf(in.heldOut->column("nearest_is_synthetic"));
    const Estimate real = estimateOf(in.heldOut->column("nearest_is_real"));
    constexpr double kQuantile = 1.96; // 95 % of a normal distribution
    const double half = kQuantile * std::sqrt(own.variance + real.variance) / 2.0;
    Finding finding = ofValue("held_out_unlike", (own.mean + real.mean) / 2.0);
    finding.low = finding.value - half;
    finding.high = std::min(1.0, finding.value + half);
    if (!(*finding.low > 0.5))
        return;
    finding.sentence = fmt::format("The held-out samples are not drawn like the real set: for {} of both, the nearest "
                                   "other sample is of the same set (50 % if they were alike).",
                                   percentText(finding.value));
    finding.advice =
        "What rests on the held-out set does not hold then: membership, the copying test and the verdicts.";
    findings.push_back(std::move(finding));
}

} // namespace assay::findings
