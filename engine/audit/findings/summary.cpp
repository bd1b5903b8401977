// The first sentences about a model. docs/verdicts.md has the order and its reasons.
#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/verdicts/real_partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

using findings::isOneOf;

constexpr std::size_t kMaxSentences = 3;
constexpr double kGood = 0.95; ///< a score may be called good if its interval reaches this

/// A larger scale or a handful of outputs explains what is said of density, spread and features. Values that are too
/// small may also be a collapse.
bool isConsequence(const Finding& finding, const Finding& first) {
    const bool explains = isOneOf(first, {"collapse"}) || (isOneOf(first, {"scale"}) && first.value >= 1.0);
    return explains && isOneOf(finding, {"constant_features", "crowded", "shrunken", "scattered", "features_differ",
                                         "pairs_differ", "modes", "beyond_all", "told_apart"});
}

/// "clipped density is 0.74 (0.66 to 0.81)" if the interval ends below kGood; else empty.
/// @param ofUnits of one real sample of each unit: it decides, and it is shown where units are no single rows
std::string lowScore(const FindingInputs& in, std::string_view id, std::string_view name, const BoundedScore& ofUnits) {
    BoundedScore shown = ofUnits;
    const MetricInterval* interval = in.model.interval(id);
    if (in.real.partition->isTrivial() && interval != nullptr)
        shown = {in.model.metric(id), interval->low, interval->high};
    if (shown.high >= kGood || ofUnits.high >= kGood)
        return {};
    const auto text = [](double value) { return fmt::format("{:.2f}", std::clamp(value, 0.0, 1.0)); };
    return fmt::format("{} is {} ({} to {})", name, text(shown.value), text(shown.low), text(shown.high));
}

} // namespace

std::string summaryOf(const FindingInputs& in, std::span<const Finding> all) {
    std::vector<const Finding*> against;
    for (const Finding& finding : all)
        if (finding.place)
            against.push_back(&finding);
    std::ranges::stable_sort(against, {}, [](const Finding* finding) { return *finding->place; });
    if (!against.empty())
        std::erase_if(against, [first = against.front()](const Finding* one) { return isConsequence(*one, *first); });
    against.resize(std::min(against.size(), kMaxSentences));
    std::string text;
    for (const Finding* finding : against)
        text += text.empty() ? finding->sentence : " " + (finding->brief.empty() ? finding->sentence : finding->brief);
    if (!text.empty())
        return text;
    if (in.verdicts == nullptr)
        return "A quick audit does not judge single samples: it looks at too few neighbours.";
    if (in.tests == nullptr)
        return "No fault found in single samples.";
    std::string low;
    for (const std::string& score :
         {lowScore(in, "clipped_density", "clipped density", in.tests->scores.clippedDensity),
          lowScore(in, "clipped_coverage", "clipped coverage", in.tests->scores.clippedCoverage)})
        if (!score.empty())
            low += (low.empty() ? "" : " and ") + score;
    if (!low.empty())
        return "No fault found, but " + low + ".";
    return fmt::format("As good as real, as far as {} can tell.",
                       findings::countText(in.model.set->rows(), "sample", "samples"));
}

} // namespace assay
