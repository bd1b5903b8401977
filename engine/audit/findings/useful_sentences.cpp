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
