#include "engine/audit/findings/findings.h"

#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/data/brief_text.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/held_out/membership.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

namespace assay {
namespace {

/// Accuracies near 1 differ in the first decimal.
std::string tenths(double share) {
    return fmt::format("{:.1f} %", 100.0 * share);
}

/// " (0.488 to 0.503)"; empty without an interval.
std::string rangeOf(const ModelAudit& model, std::string_view metric, const std::function<std::string(double)>& text) {
    const MetricInterval* interval = model.interval(metric);
    if (interval == nullptr || std::isnan(interval->low))
        return {};
    return fmt::format(" ({} to {})", text(interval->low), text(interval->high));
}

std::string regressionSentence(const ModelAudit& model) {
    return fmt::format("A regression trained on its samples explains {} of the variance of the labels of real "
                       "samples{}; one trained on real data explains {}.",
                       tenths(model.metric("utility_r2")), rangeOf(model, "utility_r2", tenths),
                       tenths(model.metric("real_utility_r2")));
}

enum class Leak {
    None,     ///< training samples are as near to the synthetic set as held-out ones
    Reversed, ///< held-out samples are nearer
    Slight,   ///< training samples are nearer, but hardly any can be picked out
    Clear
};

Leak leakOf(const ModelAudit& model) {
    constexpr double kByGuessing = 0.01; // share found at 1 % false alarms
    const MetricInterval* auc = model.interval("membership_auc");
    if (auc == nullptr || (auc->low <= 0.5 && auc->high >= 0.5))
        return Leak::None;
    if (auc->high < 0.5)
        return Leak::Reversed;
    const MetricInterval* found = model.interval("membership_tpr_1");
    const double share = found != nullptr ? found->low : model.metric("membership_tpr_1");
    return share > kByGuessing ? Leak::Clear : Leak::Slight;
}

} // namespace

std::string usefulSentence(const ModelAudit& model) {
    if (!model.utility.isKnown())
        return model.complete ? "Usefulness was not measured: a quick audit leaves it out." : "";
    if (!model.utility.exists())
        return "Usefulness cannot be measured. " + model.utility.whyNot;
    if (model.hasMetric("utility_r2"))
        return regressionSentence(model);
    if (!model.hasMetric("utility_accuracy"))
        return {};
    return fmt::format(
        "A classifier trained on {} classifies {} of {} samples correctly{}; one trained on real data, {}.",
        briefText(model.name), tenths(model.metric("utility_accuracy")),
        model.utility.testedOn == "held_out" ? "held-out" : "real", rangeOf(model, "utility_accuracy", tenths),
        tenths(model.metric("real_utility_accuracy")));
}

std::string privateSentence(const AuditResult& audit, const ModelAudit& model) {
    if (audit.heldOut == nullptr)
        return "Privacy cannot be measured: that needs a held-out set of real samples.";
    if (!model.hasMetric("membership_auc"))
        return "Privacy was not measured: a quick audit leaves it out.";
    const std::string name = briefText(model.name);
    const std::string found = tenths(model.metric("membership_tpr_1")) + rangeOf(model, "membership_tpr_1", tenths);
    const std::string auc = fmt::format("AUC {}{}; 0.5 is guessing", roundedText(model.metric("membership_auc")),
                                        rangeOf(model, "membership_auc", roundedText));
    switch (leakOf(model)) {
    case Leak::Clear:
        return fmt::format("Leaks: {} of the training samples can be picked out by the samples of {} with 1 % false "
                           "alarms; guessing finds 1 % ({}).",
                           found, name, auc);
    case Leak::Slight:
        return fmt::format("Leaks slightly: training samples are nearer to the samples of {} than held-out ones ({}), "
                           "but hardly any can be picked out: {} with 1 % false alarms; guessing finds 1 %.",
                           name, auc, found);
    case Leak::Reversed:
        return fmt::format(
            "No leak found: held-out samples are nearer to the samples of {} than training samples ({}).", name, auc);
    case Leak::None:
        break;
    }
    return fmt::format("No leak found: training samples are no nearer to the samples of {} than held-out ones ({}). {} "
                       "of them can be picked out with 1 % false alarms; guessing finds 1 %.",
                       name, auc, found);
}

} // namespace assay

namespace assay::findings {
namespace {

constexpr std::size_t kWorstClasses = 3;

/// Real samples that are picked out while at most 1 % of the held-out samples are.
std::vector<std::uint32_t> exposedRows(const ModelAudit& model, std::size_t heldOutRows) {
    const std::vector<double>& rank = model.column("membership_rank");
    const std::size_t picked = heldOutRows / 100; // held-out samples that may be picked out, too
    const auto wrong = static_cast<double>(picked) / static_cast<double>(heldOutRows);
    constexpr double kRounding = 1e-12;
    return rowsWhere(rank.size(), [&](std::size_t row) { return rank[row] >= 1.0 - wrong - kRounding; });
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

} // namespace

void addHeldOut(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.verdicts == nullptr || in.membership == nullptr || in.heldOut == nullptr)
        return;
    const std::size_t all = in.heldOut->set->rows();
    if (const std::size_t repeats = in.verdicts->heldOutRepeats; repeats > 0)
        findings.push_back(
            ofValue("held_out_contaminated", static_cast<double>(repeats),
                    fmt::format("{} of {} held-out samples repeat real ones or nearly do.", assay::countText(repeats),
                                assay::countText(all)),
                    "They are left out of every calibration. Held-out samples must not be training samples."));
    if (in.verdicts->heldOutUnlike)
        findings.push_back(
            ofValue("held_out_unlike", 1.0, "Held-out and real samples are not drawn alike.",
                    "Verdicts are calibrated on the held-out samples alone, and membership tells little."));
    if (in.membership->swapped) {
        Finding finding = ofValue("swapped", in.membership->copiesOfHeldOut);
        finding.sentence = "The model is nearer to the held-out set than to the real set: are the two files swapped?";
        finding.advice = "Give the training set as real, and samples that the model has not seen as held-out.";
        finding.marksModel = true;
        finding.place = place::kInputs;
        findings.push_back(std::move(finding));
        return;
    }
    if (!in.membership->pickedOut || !in.membership->pickedOut->isReported())
        return;
    const PickedOut& picked = *in.membership->pickedOut;
    Finding finding = ofValue("leaks", picked.share() - picked.falseAlarms());
    finding.side = Side::Real;
    finding.sentence = fmt::format("Privacy leak: {} of the training samples can be identified with {} false alarms.",
                                   percentText(picked.share()), percentText(picked.falseAlarms()));
    finding.advice = "Do not publish the set if its training samples are private. Reject the copies, or train with "
                     "more data, more regularisation or differential privacy.";
    if (in.model.hasColumn("membership_rank"))
        finding.rows = exposedRows(in.model, all);
    finding.marksModel = picked.marks();
    finding.place = place::kWorth;
    findings.push_back(std::move(finding));
}

void addUseless(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.tests == nullptr || !in.tests->training || !in.tests->training->isReported())
        return;
    const TrainingLoss& training = *in.tests->training;
    Finding finding = ofValue("useless", training.loss());
    finding.low = training.leastLoss();
    finding.high = 2.0 * training.loss() - training.leastLoss();
    finding.sentence =
        fmt::format("A classifier trained on its samples is {} accurate on real ones; trained on as many real samples, "
                    "{}.",
                    percentText(training.syntheticAccuracy), percentText(training.realAccuracy));
    if (const std::string worst = worstClasses(in.model.utility); !worst.empty())
        finding.advice = "It loses most on class " + worst + ".";
    finding.marksModel = training.marks();
    finding.place = place::kWorth;
    findings.push_back(std::move(finding));
}

} // namespace assay::findings
