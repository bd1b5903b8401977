#include "engine/audit/findings/useful_sentences.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/data/brief_text.h"

#include <fmt/format.h>

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

std::string aucVerdict(const MetricInterval* auc) {
    if (auc == nullptr || (auc->low <= 0.5 && auc->high >= 0.5))
        return "no better than tossing a coin";
    return auc->low > 0.5 ? "better than tossing a coin (0.5)"
                          : "worse than tossing a coin (0.5), so held-out samples are nearer to the synthetic set than "
                            "training samples";
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
    return fmt::format("Someone who holds the samples of {} can tell training samples from others with AUC {}{}: {}. "
                       "{} of the training samples can be identified with 1 % false alarms{}; guessing finds 1 %.",
                       briefText(model.name), roundedText(model.metric("membership_auc")),
                       rangeOf(model, "membership_auc", roundedText), aucVerdict(model.interval("membership_auc")),
                       tenths(model.metric("membership_tpr_1")), rangeOf(model, "membership_tpr_1", tenths));
}

} // namespace assay
