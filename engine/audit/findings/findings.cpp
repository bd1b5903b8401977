#include "engine/audit/findings/findings.h"

#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/metrics/verdicts/sample_units.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace assay {
namespace {

constexpr std::string_view kSurely5 = "if it is surely 5 % or more";
constexpr std::string_view kAlways = "always";

constexpr std::array kKinds{
    FindingKind{
        "real_ordered", "Neighbouring rows are alike",
        "share of real rows whose nearest other row is 1 to 5 rows away in the file, beyond those 21 to 25 away"},
    FindingKind{"scale", "Another scale", "median length of its samples relative to that of real ones",
                "if it is larger"},
    FindingKind{"swapped", "Exchanged files", "share of synthetic samples that are copies of held-out ones", kAlways},
    FindingKind{"collapse", "Few different outputs",
                "how far its number of different samples falls short of the real set's", kAlways},
    FindingKind{"equal_to_real", "Equal to real samples", "number of synthetic samples that equal a real one",
                "if they are surely more than natural"},
    FindingKind{"copy", "Copies", "share of synthetic samples called copies", kSurely5},
    FindingKind{"group_copies", "Samples of training groups",
                "share of synthetic samples as near to a real group as its own samples are to each other", kSurely5},
    FindingKind{"unrealistic", "Unrealistic samples", "share of synthetic samples called unrealistic", kSurely5},
    FindingKind{"invented", "Invented samples", "share of synthetic samples called invented", kSurely5},
    FindingKind{"crowded", "Crowded samples", "share of synthetic samples called crowded", kSurely5},
    FindingKind{"class_shares", "Shares of classes",
                "share of the real samples in lost classes, or surplus of classes with too many samples",
                "if lost classes or surpluses make up 5 %, or too many classes are lost"},
    FindingKind{"categories_differ", "Categories", "number of categories that are lost, new, or of another share"},
    FindingKind{"new_combinations", "New combinations of categories",
                "share of synthetic samples whose combination of categories no real sample has, beyond that of good "
                "samples",
                kSurely5},
    FindingKind{"crowded_combinations", "Crowded combinations of categories",
                "share of synthetic samples in combinations of categories that are far too frequent", kSurely5},
    FindingKind{"constant_features", "Constant features", "number of features that are constant on one side only"},
    FindingKind{"wrong_labels", "Wrong labels",
                "share of synthetic samples whose nearest real sample has another class, beyond that of real samples",
                kSurely5},
    FindingKind{"features_differ", "Features", "number of features that are distributed differently"},
    FindingKind{"modes", "Regions", "share of the samples in regions with too many or almost none",
                "if nearly empty regions surely hold 5 % of the real samples"},
    FindingKind{"group_overused", "Groups that are used too much",
                "share of synthetic samples whose nearest real sample is of the group that is used most"},
    FindingKind{"missed", "Missed real samples", "share of real samples that are missed or covered too thinly",
                kSurely5},
    FindingKind{"pairs_differ", "Pairs of features", "number of pairs of features whose rank correlations differ"},
    FindingKind{"duplicates", "Duplicates within the model",
                "share of synthetic samples with an exact duplicate, beyond that of real ones", kSurely5},
    FindingKind{"beyond_all", "Beyond all real samples",
                "share of synthetic samples at the far end of a statistic, beyond that of real ones", kSurely5},
    FindingKind{"shrunken", "Too little variety", "distances between its samples relative to those between real ones",
                "from 20 % smaller on"},
    FindingKind{"scattered", "Too spread out", "distances between its samples relative to those between real ones",
                "from 20 % larger on"},
    FindingKind{"useless", "Less useful than real data",
                "how much less accurate a classifier is when it is trained on the synthetic instead of as many real "
                "samples",
                kSurely5},
    FindingKind{"leaks", "Gives training samples away",
                "share of training samples picked out by their nearest synthetic sample, beyond guessing",
                "from 5 % on, at p <= 0.001"},
    FindingKind{"told_apart", "A classifier tells them apart", "AUC of a classifier; 0.5 is a coin toss"},
    FindingKind{"subtle", "Subtly wrong samples", "estimated share of bad synthetic samples beyond those flagged"},
    FindingKind{"few_samples", "Few samples", "number of samples of the smaller set"},
    FindingKind{"old_verdicts", "Verdicts of an earlier version", "1 if its samples were judged by an earlier version"},
    FindingKind{"deduplicated", "Duplicates were removed", "pairs of equal real rows that are to be expected"},
    FindingKind{"held_out_contaminated", "Held-out samples repeat real ones",
                "number of held-out samples that repeat real ones or nearly do"},
    FindingKind{"held_out_unlike", "Held-out samples unlike the real set", "1 if the two sets are not drawn alike"},
    FindingKind{"near_repeats", "Near repeats in the real set", "number of real rows that nearly repeat another one"},
    FindingKind{"real_duplicates", "Duplicates in the real set", "share of real samples with an exact duplicate"},
    FindingKind{"ties", "Many identical samples", "share of the k-th neighbour distances that are 0"},
    FindingKind{"scales", "Features on different scales",
                "largest standard deviation of a feature relative to their lower quartile"},
    FindingKind{"other_classes", "No class in common", "1 if the model and the real set share no class"},
    FindingKind{"built_in_embedding", "Built-in embedding", "1 if the scores come from a built-in embedding"},
    FindingKind{"sizes", "Sets of different sizes", "how much the larger set is larger"},
};

/// Findings that hold whatever the order of the rows: of those that accuse, only these may mark a model whose real
/// rows are alike in a row.
constexpr std::array<std::string_view, 6> kFacts{"equal_to_real", "scale",    "swapped",
                                                 "class_shares",  "collapse", "crowded_combinations"};

} // namespace

std::span<const FindingKind> findingKinds() {
    return kKinds;
}

Finding oldVerdicts(const std::string& judgedBy) {
    return findings::ofValue("old_verdicts", 1.0,
                             "Its samples were judged by an earlier version (" + judgedBy +
                                 "), which accused some good models and missed some faults.",
                             "Judge it again: --open FILE --judge in the terminal, Edit > Judge again in the window.");
}

std::size_t FindingInputs::unitCount() const {
    return units == nullptr ? model.set->rows() : units->count(model.set->rows());
}

std::vector<Finding> findingsOf(const FindingInputs& in) {
    std::vector<Finding> all;
    for (const auto add :
         {findings::addRowOrder,     findings::addScale,    findings::addEqualToReal, findings::addHeldOut,
          findings::addVerdicts,     findings::addGroups,   findings::addEqualWithin, findings::addClassShares,
          findings::addCombinations, findings::addFeatures, findings::addWrongLabels, findings::addRegions,
          findings::addMissed,       findings::addSpread,   findings::addBeyondAll,   findings::addToldApart,
          findings::addUseless,      findings::addSubtle,   findings::addFewSamples,  findings::addRepeats,
          findings::addTies,         findings::addScales,   findings::addBuiltIn,     findings::addSizes})
        add(in, all);
    if (!all.empty() && all.front().kind->id == "real_ordered")
        for (Finding& finding : all)
            finding.marksModel = finding.marksModel && std::ranges::find(kFacts, finding.kind->id) != kFacts.end();
    constexpr double kNote = std::numeric_limits<double>::infinity();
    std::ranges::stable_sort(all, [&](const Finding& a, const Finding& b) {
        if (a.marksModel != b.marksModel)
            return a.marksModel;
        return a.place.value_or(kNote) < b.place.value_or(kNote);
    });
    return all;
}

bool isMarked(const ModelAudit& model) {
    return std::ranges::any_of(model.findings, &Finding::marksModel);
}

std::size_t gravestModel(const AuditResult& audit) {
    constexpr double kNoShare = 1e-3; // of marks that name no samples, such as too little variety
    const auto share = [&](const ModelAudit& model, const Finding& finding) {
        const std::size_t all = finding.side == Side::Real ? audit.real->set->rows() : model.set->rows();
        const double named =
            static_cast<double>(finding.rows.size()) / static_cast<double>(std::max<std::size_t>(all, 1));
        return std::max(kNoShare, findings::isOneOf(finding, {"copy", "equal_to_real"}) ? 2.0 * named : named);
    };
    const auto gravity = [&](const std::shared_ptr<const ModelAudit>& model) {
        double gravest = 0.0;
        for (const Finding& finding : model->findings)
            if (finding.marksModel)
                gravest = std::max(gravest, share(*model, finding));
        return gravest;
    };
    return static_cast<std::size_t>(std::ranges::max_element(audit.models, {}, gravity) - audit.models.begin());
}

FilterRule verdictRule() {
    return {"verdict", Bound::AtMost, static_cast<double>(Verdict::Good)};
}

namespace findings {

bool isOneOf(const Finding& finding, std::initializer_list<std::string_view> ids) {
    return std::ranges::find(ids, finding.kind->id) != ids.end();
}

Finding ofValue(std::string_view kind, double value, std::string sentence, std::string advice) {
    return {.kind = findBy(kKinds, &FindingKind::id, kind),
            .value = value,
            .sentence = std::move(sentence),
            .advice = std::move(advice)};
}

Finding ofShare(std::string_view kind, std::size_t part, std::size_t whole, std::size_t units) {
    Finding finding = ofValue(kind, static_cast<double>(part) / static_cast<double>(whole));
    if (units > 0 && units < whole) {
        part = static_cast<std::size_t>(std::llround(finding.value * static_cast<double>(units)));
        whole = units;
    }
    const Bounds bounds = clopperPearson(part, whole);
    finding.low = bounds.low;
    finding.high = bounds.high;
    return finding;
}

bool surelyFewer(const Counted& first, const Counted& second) {
    return clopperPearson(first.count, first.of).high < kFarFewer * clopperPearson(second.count, second.of).low;
}

std::string countText(std::size_t count, std::string_view one, std::string_view many) {
    return assay::countText(count).append(" ").append(count == 1 ? one : many);
}

std::string factorText(double factor, int digits) {
    const double least = std::pow(10.0, digits);
    if (!(factor >= least - 0.5))
        return fmt::format("{:.{}g}", factor, digits);
    const double unit = std::pow(10.0, std::floor(std::log10(factor)) + 1.0 - digits);
    return assay::countText(static_cast<std::size_t>(std::llround(std::round(factor / unit) * unit)));
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

// The first sentences about a model. docs/verdicts.md has the order and its reasons.

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
    if (in.units != nullptr && !in.units->areKnown)
        return "No fault found in single samples. Whether they crowd, or miss real ones, was not tested: give the "
               "model's groups, too, as some of its samples may belong together.";
    std::string low;
    for (const std::string& score :
         {lowScore(in, "clipped_density", "clipped density", in.tests->scores.clippedDensity),
          lowScore(in, "clipped_coverage", "clipped coverage", in.tests->scores.clippedCoverage)})
        if (!score.empty())
            low += (low.empty() ? "" : " and ") + score;
    if (!low.empty())
        return "No fault found, but " + low + ".";
    const bool byGroup = in.unitCount() < in.model.set->rows();
    return fmt::format("As good as real, as far as {} can tell.",
                       byGroup ? findings::countText(in.unitCount(), "group", "groups")
                               : findings::countText(in.unitCount(), "sample", "samples"));
}

} // namespace assay
