#include "engine/audit/findings/findings.h"

#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace assay {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kOne = 1e-12; // any at all

constexpr std::array kKinds{
    FindingKind{"copies", "Copies", "share of synthetic samples called copies", kOne, 0.05},
    FindingKind{"over_represented", "Over-represented samples", "share of synthetic samples called over-represented",
                kOne, 0.05},
    FindingKind{"unrealistic", "Unrealistic samples", "share of synthetic samples called unrealistic", kOne, 0.05},
    FindingKind{"missing_classes", "Missing classes", "share of real samples in the classes that are missing", kOne,
                kOne},
    FindingKind{"missing_modes", "Missing modes", "share of real samples in the regions that are missing", kOne, 0.05},
    FindingKind{"missed", "Missed real samples", "share of real samples called missed", kOne, 0.05},
    FindingKind{"unnamed_bad", "Unnamed bad samples", "estimated share of bad synthetic samples beyond those rejected",
                0.1, 0.25},
    FindingKind{"few_samples", "Too few samples", "half the width of the wider interval of the two headline scores",
                0.05, 0.1},
    FindingKind{"shrunken", "Too little variety", "how much nearer synthetic samples are to each other than real ones",
                0.1, 0.25},
    FindingKind{"scattered", "Too scattered", "how much farther synthetic samples are from each other than real ones",
                0.1, 0.25},
    FindingKind{"held_out_leaks", "Held-out samples in the real set", "share of held-out samples that are in it", kOne,
                kNever},
    FindingKind{"real_duplicates", "Duplicates in the real set", "share of real samples that another one equals", 0.01,
                kNever},
    FindingKind{"ties", "Heavy ties", "share of the k-th neighbour distances that are 0", 0.01, kNever},
    FindingKind{"scales", "Features on different scales",
                "largest standard deviation of a feature relative to their lower quartile", 100.0, kNever},
    FindingKind{"other_classes", "No class in common", "1 where no class of the real set is one of the model's", 1.0,
                kNever},
    FindingKind{"built_in_embedding", "Built-in embedding", "1 where the scores are of a built-in embedding", 1.0,
                kNever},
    FindingKind{"sizes", "Sets of different sizes", "how much the larger set is larger", 0.1, kNever},
};

bool isOneOf(const Finding& finding, std::initializer_list<std::string_view> ids) {
    return std::ranges::find(ids, finding.kind->id) != ids.end();
}

/// Clause that describes the samples without a finding; may be empty.
std::string restSentence(const ModelAudit& model, std::span<const Finding> findings) {
    const auto idOf = [](const Finding& finding) { return finding.kind->id; };
    if (const Finding* unnamed = findBy(findings, idOf, "unnamed_bad"))
        return "about " + percentText(unnamed->value) + " more are bad, but cannot be told one by one";
    // Too few to be a finding, but sure: then the rest is not good.
    constexpr double kSlack = 0.02;
    const MetricInterval* estimated = model.interval("estimated_bad");
    const double rejected = model.metric("verdict_rejected");
    const bool lacks = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return isOneOf(finding, {"missing_classes", "missing_modes", "missed"}) && finding.marks();
    });
    if (estimated != nullptr && estimated->low - rejected > kSlack)
        return lacks ? "" : "about " + percentText(model.metric("estimated_bad") - rejected) + " more seem bad";
    constexpr double kNearlyAll = 0.95; // of so little a rest nothing is said
    return rejected < kNearlyAll ? "the rest is as good as real" : "";
}

/// Clauses for what single samples are accused of beside the first accusation: "; 6.9 % are unrealistic".
std::string moreAccused(std::span<const Finding> findings, const Finding& first) {
    constexpr std::array kClauses{std::pair("copies", " are copies"),
                                  std::pair("over_represented", " are over-represented"),
                                  std::pair("unrealistic", " are unrealistic")};
    std::string text;
    for (const Finding& finding : findings)
        for (const auto& [id, clause] : kClauses)
            if (&finding != &first && finding.kind->id == id)
                text += "; " + percentText(finding.value) + clause;
    return text;
}

/// Removes the full stop at the end of a sentence; an empty text stays empty.
std::string withoutStop(std::string text) {
    if (!text.empty() && text.back() == '.')
        text.pop_back();
    return text;
}

} // namespace

std::span<const FindingKind> findingKinds() {
    return kKinds;
}

double badShare(const ModelAudit& model, std::span<const Finding> findings) {
    double share = model.metric("estimated_bad");
    for (const Finding& finding : findings)
        if (isOneOf(finding, {"missing_classes", "missing_modes"}))
            share = std::min(share, model.metric("estimated_bad") - finding.value);
    return std::max(share, model.metric("verdict_rejected"));
}

std::optional<MetricInterval> badInterval(const ModelAudit& model, std::span<const Finding> findings) {
    const MetricInterval* estimated = model.interval("estimated_bad");
    if (estimated == nullptr)
        return {};
    const double moved = badShare(model, findings) - model.metric("estimated_bad");
    return MetricInterval{estimated->id, estimated->low + moved, estimated->high + moved};
}

std::vector<Finding> findingsOf(const FindingInputs& in) {
    std::vector<Finding> all;
    for (const auto add : {findings::addAccused, findings::addMissingClasses, findings::addMissingModes,
                           findings::addMissed, findings::addUnnamedBad, findings::addFewSamples, findings::addSpread,
                           findings::addLeaks, findings::addRealDuplicates, findings::addTies, findings::addScales,
                           findings::addBuiltIn, findings::addSizes})
        add(in, all);
    std::erase_if(all, [](const Finding& finding) { return !(finding.value >= finding.kind->reportFrom); });
    // Too few samples come before all that they leave open; then what marks the model, the largest share first; then
    // what does not; what is only to be known last.
    const auto rank = [](const Finding& finding) {
        if (finding.marks() && finding.kind->id == "few_samples")
            return -1;
        return finding.marks() ? 0 : std::isinf(finding.kind->markFrom) ? 2 : 1;
    };
    std::stable_sort(all.begin(), all.end(), [&](const Finding& a, const Finding& b) {
        if (rank(a) != rank(b))
            return rank(a) < rank(b);
        return rank(a) < 2 ? a.value > b.value : a.kind < b.kind;
    });
    return all;
}

std::string summaryOf(const FindingInputs& in, std::span<const Finding> findings) {
    const ModelAudit& audited = in.model;
    const auto first = [&](std::initializer_list<std::string_view> ids) {
        return std::ranges::find_if(findings, [&](const Finding& finding) { return isOneOf(finding, ids); });
    };
    const auto few = first({"few_samples"});
    if (few != findings.end() && few->marks())
        return few->sentence;
    auto accused = first({"copies", "over_represented", "unrealistic"});
    if (accused == findings.end())
        accused = first({"unnamed_bad"});
    // Classes by name, unless much more than these is missed.
    constexpr double kMostOfIt = 0.8;
    const auto missed = first({"missed"});
    auto missing = first({"missing_classes", "missing_modes"});
    if (missing == findings.end() || (missed != findings.end() && missing->value < kMostOfIt * missed->value))
        missing = missed;
    std::string text;
    if (accused != findings.end()) {
        text = withoutStop(accused->sentence) + moreAccused(findings, *accused);
        const std::string rest = accused->kind->id == "unnamed_bad" ? "" : restSentence(audited, findings);
        if (!rest.empty())
            text += "; " + rest;
        text += ".";
    }
    if (missing != findings.end() && (text.empty() || missing->marks()))
        text += (text.empty() ? "" : " ") + missing->sentence;
    if (!text.empty())
        return text;
    const auto spread = first({"shrunken", "scattered", "few_samples"});
    if (spread != findings.end())
        return spread->sentence;
    if (!audited.hasMetric("verdict_rejected"))
        return "Single samples were not judged: a quick audit has too few neighbours.";
    return "As good as real, as far as " + findings::countText(audited.set->rows(), "sample", "samples") + " can tell.";
}

bool isMarked(const ModelAudit& model) {
    return std::ranges::any_of(model.findings, &Finding::marks);
}

FilterRule verdictRule() {
    return {"verdict", Bound::AtMost, static_cast<double>(Verdict::Good)};
}

namespace findings {

Finding ofMetric(const FindingInputs& in, std::string_view kind, std::string_view metric) {
    Finding finding = ofValue(kind, in.model.metric(metric));
    if (const MetricInterval* interval = in.model.interval(metric)) {
        finding.low = interval->low;
        finding.high = interval->high;
    }
    return finding;
}

Finding ofValue(std::string_view kind, double value, std::string sentence, std::string advice) {
    return {.kind = findBy(kKinds, &FindingKind::id, kind),
            .value = value,
            .sentence = std::move(sentence),
            .advice = std::move(advice)};
}

std::string countText(std::size_t count, std::string_view one, std::string_view many) {
    return assay::countText(count).append(" ").append(count == 1 ? one : many);
}

std::string listText(const std::vector<std::string>& items, std::size_t most) {
    std::string text;
    const std::size_t shown = items.size() <= most ? items.size() : most - 1;
    for (std::size_t i = 0; i < shown; ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    if (shown < items.size())
        text += " and " + std::to_string(items.size() - shown) + " more";
    return text;
}

} // namespace findings
} // namespace assay
