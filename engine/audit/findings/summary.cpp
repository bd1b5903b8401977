// The first sentences about a model. docs/verdicts.md has the order and its reasons.
#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace assay {
namespace {

using findings::isOneOf;

/// The first finding of these kinds; null if there is none.
const Finding* firstOf(std::span<const Finding> all, std::initializer_list<std::string_view> ids) {
    const auto at = std::ranges::find_if(all, [&](const Finding& finding) { return isOneOf(finding, ids); });
    return at == all.end() ? nullptr : &*at;
}

bool isMarking(const Finding* finding) {
    return finding != nullptr && finding->marks();
}

/// Removes the full stop at the end of a sentence.
std::string withoutStop(std::string text) {
    if (!text.empty() && text.back() == '.')
        text.pop_back();
    return text;
}

/// Clauses for the other bad verdicts on single samples: "; 6.9 % are unrealistic".
std::string moreAccused(std::span<const Finding> all, const Finding& first) {
    std::string text;
    for (const Finding& finding : all) {
        if (&finding == &first)
            continue;
        if (isOneOf(finding, {"copies", "over_represented", "unrealistic"})) {
            constexpr std::string_view kSubject = " of its samples";
            text += "; " + withoutStop(finding.sentence).erase(percentText(finding.value).size(), kSubject.size());
        }
    }
    return text;
}

/// Sentence on the samples without a bad verdict; may be empty.
std::string restSentence(const ModelAudit& model, std::span<const Finding> all) {
    if (const Finding* unnamed = firstOf(all, {"unnamed_bad"}))
        return "Another " + percentText(unnamed->value) + " or so are off" +
               unnamed->sentence.substr(std::min(unnamed->sentence.size(), unnamed->sentence.find(", but ")));
    const bool lacks = std::ranges::any_of(all, [](const Finding& finding) {
        return isOneOf(finding, {"missing_classes", "missing_modes", "missed"}) && finding.marks();
    });
    // Too few to be a finding, but sure: then the rest is not good.
    constexpr double kSlack = 0.02;
    const MetricInterval* estimated = model.interval("estimated_bad");
    const double rejected = model.metric("verdict_rejected");
    if (estimated != nullptr && estimated->low - rejected > kSlack)
        return lacks ? ""
                     : "Another " + percentText(model.metric("estimated_bad") - rejected) + " or so seem to be off.";
    // Praise needs enough samples, and nothing else that is wrong with them.
    constexpr std::array kDoubts{
        "few_samples", "crowded_combinations", "new_combinations", "collapse", "duplicates", "shrunken", "scattered"};
    if (std::ranges::any_of(kDoubts, [&](std::string_view doubt) { return isMarking(firstOf(all, {doubt})); }))
        return {};
    constexpr double kNearlyAll = 0.95; // of so little a rest nothing is said
    return rejected < kNearlyAll ? "The rest are as good as real ones." : "";
}

/// The crowded combinations, if most crowded samples are of them: they say where these are.
/// Else null.
const Finding* combinationsOf(const Finding& accused, std::span<const Finding> all) {
    constexpr double kMostOfThem = 0.8;
    const Finding* crowded = firstOf(all, {"crowded_combinations"});
    if (crowded == nullptr || accused.kind->id != "over_represented")
        return nullptr;
    std::vector<std::uint32_t> both; // rows of findings ascend
    std::ranges::set_intersection(accused.rows, crowded->rows, std::back_inserter(both));
    const auto most = kMostOfThem * static_cast<double>(accused.rows.size());
    return static_cast<double>(both.size()) >= most ? crowded : nullptr;
}

/// What is wrong with single samples; empty if nothing is.
std::string accusation(const ModelAudit& model, std::span<const Finding> all) {
    const Finding* accused = firstOf(all, {"copies", "over_represented", "unrealistic"});
    if (accused == nullptr) {
        const Finding* unnamed = firstOf(all, {"unnamed_bad"});
        return unnamed == nullptr ? std::string() : unnamed->sentence;
    }
    const std::string rest = restSentence(model, all);
    const Finding* crowded = combinationsOf(*accused, all);
    return withoutStop((crowded == nullptr ? accused : crowded)->sentence) + moreAccused(all, *accused) + "." +
           (rest.empty() ? "" : " " + rest);
}

/// A sentence of the summary, and whether what it says marks the model.
struct Part {
    std::string sentence{};
    bool marks = false;
    bool always = false; ///< said even if it does not mark the model and something else is said
};

Part partOf(const Finding* finding) {
    return finding == nullptr ? Part{} : Part{finding->sentence, finding->marks()};
}

/// What is missing. Names of classes are best, then regions, unless much more than these is missed; regions have no
/// names, so that most of them are rather said as one share.
Part lack(std::span<const Finding> all) {
    constexpr double kMostOfIt = 0.8;
    constexpr double kMostRegions = 0.5;
    const Finding* missed = firstOf(all, {"missed"});
    const Finding* classes = firstOf(all, {"missing_classes"});
    const Finding* regions = firstOf(all, {"missing_modes"});
    const double inClasses = classes == nullptr ? 0.0 : classes->value;
    const double inRegions = regions == nullptr ? 0.0 : regions->value;
    const bool mostRegions = classes == nullptr && inRegions > kMostRegions;
    if (missed != nullptr && (mostRegions || inClasses + inRegions < kMostOfIt * missed->value))
        return partOf(missed);
    if (classes == nullptr || !isMarking(regions))
        return partOf(classes == nullptr ? regions : classes);
    return {classes->sentence + " " + regions->sentence, true};
}

/// Share of the real samples that equal another one.
double repeatedShare(const FindingInputs& in) {
    const NeighborTable& real = in.real.neighbors;
    std::size_t repeated = 0;
    for (std::size_t row = 0; row < real.rows(); ++row)
        repeated += real.distanceAt(row, 0) == 0.0 ? 1 : 0;
    return static_cast<double>(repeated) / static_cast<double>(std::max<std::size_t>(real.rows(), 1));
}

} // namespace

std::string summaryOf(const FindingInputs& in, std::span<const Finding> all) {
    const bool accusedMarks = std::ranges::any_of(all, [](const Finding& finding) {
        return isOneOf(finding, {"copies", "over_represented", "unrealistic", "unnamed_bad"}) && finding.marks();
    });
    const Finding* few = firstOf(all, {"few_samples"});
    const Finding* accused = firstOf(all, {"copies", "over_represented", "unrealistic"});
    const bool saysCombinations = accused != nullptr && combinationsOf(*accused, all) != nullptr;
    const Finding* collapse = firstOf(all, {"collapse"}); // says more than how near its samples are
    const Finding* spread = collapse != nullptr ? nullptr : firstOf(all, {"shrunken", "scattered"});
    std::array parts{Part{accusation(in.model, all), accusedMarks, true},
                     partOf(firstOf(all, {"new_combinations"})),
                     saysCombinations ? Part{} : partOf(firstOf(all, {"crowded_combinations"})),
                     partOf(firstOf(all, {"collapse", "duplicates"})),
                     lack(all),
                     partOf(firstOf(all, {"wrong_labels"})),
                     partOf(spread)};
    std::ranges::stable_sort(parts, [](const Part& a, const Part& b) { return a.marks && !b.marks; });
    std::string text;
    for (const Part& part : parts)
        if (!part.sentence.empty() && (text.empty() || part.marks || part.always))
            text += (text.empty() ? "" : " ") + part.sentence;
    // What the samples look like is said first; this is said where they give no cause for complaint.
    for (const char* kind : {"leaks", "useless"})
        if (const Finding* finding = firstOf(all, {kind}); text.empty() && isMarking(finding))
            text = finding->sentence;
    if (const Finding* leaks = firstOf(all, {"held_out_leaks"}); leaks != nullptr && leaks->value > repeatedShare(in))
        text = (text.empty() ? "No fault found." : text) + " " + percentText(leaks->value) +
               " of the held-out samples are in the real set too, which hides copies.";
    // Copies, flags and membership are told by the held-out set: first that it cannot tell.
    constexpr double kMuchUnlike = 0.6;
    if (const Finding* unlike = firstOf(all, {"held_out_unlike"});
        unlike != nullptr && unlike->value >= kMuchUnlike && !text.empty())
        text = "The held-out samples are not drawn like the real set, so that this may not hold: " + text;
    if (isMarking(few))
        return (text.empty() ? "No fault found." : text) + " " + few->sentence;
    if (!text.empty())
        return text;
    if (!in.model.hasMetric("verdict_rejected"))
        return "A quick audit does not judge single samples: it looks at too few neighbours.";
    return fmt::format("As good as real, as far as {} can tell.",
                       findings::countText(in.model.set->rows(), "sample", "samples"));
}

} // namespace assay
