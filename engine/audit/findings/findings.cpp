#include "engine/audit/findings/findings.h"

#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/math/statistics/binomial.h"
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
    FindingKind{"over_represented", "Crowded samples", "share of synthetic samples called crowded", kOne, 0.05},
    FindingKind{"unrealistic", "Unrealistic samples", "share of synthetic samples called unrealistic", kOne, 0.05},
    FindingKind{"crowded_combinations", "Crowded combinations of categories",
                "share of synthetic samples in combinations of categories that are far too frequent", kOne, 0.05},
    FindingKind{"new_combinations", "New combinations of categories",
                "share of synthetic samples whose combination of categories no real sample has, beyond that of good "
                "samples",
                0.01, 0.05},
    FindingKind{"collapse", "Few different outputs",
                "how far its number of different samples falls short of the real set's", 0.75, 0.75},
    FindingKind{"duplicates", "Duplicates within the model",
                "share of synthetic samples with an exact duplicate, beyond that of real ones", 0.01, 0.05},
    FindingKind{"leaks", "Gives training samples away",
                "how far beyond guessing training samples can be told from others: the larger of 2 AUC - 1 and of the "
                "share found at 1 % false alarms, less 1 %",
                0.01, 0.05},
    FindingKind{"useless", "Less useful than real data",
                "how much less accurate a classifier is when it is trained on the synthetic instead of the real set",
                0.02, 0.05},
    FindingKind{"missing_classes", "Missing classes", "share of real samples in the missing classes", kOne, kOne},
    FindingKind{"missing_modes", "Missing modes", "share of real samples in the missing groups of similar samples",
                kOne, 0.05},
    FindingKind{"missed", "Missed real samples", "share of real samples called missed", kOne, 0.05},
    FindingKind{"wrong_labels", "Wrong labels",
                "share of synthetic samples whose nearest real sample has another class, beyond that of real samples",
                0.02, 0.05},
    FindingKind{"unnamed_bad", "Slightly bad samples", "estimated share of bad synthetic samples beyond those rejected",
                0.1, 0.25},
    FindingKind{"few_samples", "Too few samples", "half the width of the wider interval of the two headline scores",
                0.05, 0.1},
    FindingKind{"shrunken", "Too little variety",
                "how much smaller distances between its samples are than between real ones", 0.1, 0.25},
    FindingKind{"scattered", "Too spread out",
                "how much larger distances between its samples are than between real ones", 0.1, 0.25},
    FindingKind{"old_verdicts", "Verdicts of an earlier version", "1 if its samples were judged by an earlier version",
                1.0, kNever},
    FindingKind{"held_out_leaks", "Held-out samples in the real set",
                "share of held-out samples that are also in the real set", kOne, kNever},
    FindingKind{"held_out_unlike", "Held-out samples unlike the real set",
                "nearest-neighbour accuracy between the real and the held-out set", 0.55, kNever},
    FindingKind{"real_duplicates", "Duplicates in the real set", "share of real samples with an exact duplicate", 0.01,
                kNever},
    FindingKind{"ties", "Many identical samples", "share of the k-th neighbour distances that are 0", 0.01, kNever},
    FindingKind{"scales", "Features on different scales",
                "largest standard deviation of a feature relative to their lower quartile", 100.0, kNever},
    FindingKind{"other_classes", "No class in common", "1 if the model and the real set share no class", 1.0, kNever},
    FindingKind{"built_in_embedding", "Built-in embedding", "1 if the scores come from a built-in embedding", 1.0,
                kNever},
    FindingKind{"sizes", "Sets of different sizes", "how much the larger set is larger", 0.1, kNever},
};

/// Place of a finding's group in the list. What marks a model is certain at any sample size, because the low end of its
/// interval does, so it comes before the finding that there are few samples.
int groupOf(const Finding& finding) {
    enum Group { Certain, FewSamples, Slight, Note };
    if (finding.marks())
        return finding.kind->id == "few_samples" ? FewSamples : Certain;
    return std::isinf(finding.kind->markFrom) ? Note : Slight;
}

} // namespace

std::span<const FindingKind> findingKinds() {
    return kKinds;
}

Finding oldVerdicts(const std::string& judgedBy) {
    return findings::ofValue("old_verdicts", 1.0,
                             "Its samples were judged by an earlier version (" + judgedBy +
                                 "), which calls good samples bad where many distances are equal or 0.",
                             "Audit the sets again to judge them with this version.");
}

double namedShare(const ModelAudit& model, std::span<const Finding> findings) {
    if (!model.hasColumn("verdict"))
        return model.metric("verdict_rejected");
    const std::vector<double>& verdict = model.column("verdict");
    std::vector<bool> named(verdict.size());
    for (std::size_t row = 0; row < named.size(); ++row)
        named[row] = verdict[row] != static_cast<double>(Verdict::Good);
    for (const Finding& finding : findings)
        if (findings::isOneOf(finding, {"crowded_combinations", "new_combinations"}) && finding.value > 0.0)
            for (const std::uint32_t row : finding.rows)
                named[row] = true;
    return static_cast<double>(std::ranges::count(named, true)) / static_cast<double>(named.size());
}

/// Share of the model's samples that have the labels of missing classes: they are there, but elsewhere.
double shareOfClasses(const EmbeddingSet& set, const std::vector<std::string>& classes) {
    if (!set.hasLabels())
        return 0.0;
    const std::vector<std::uint32_t> counts = set.labels().counts();
    std::size_t of = 0;
    for (std::size_t label = 0; label < counts.size(); ++label)
        of += std::ranges::find(classes, set.labels().names[label]) != classes.end() ? counts[label] : 0;
    return static_cast<double>(of) / static_cast<double>(set.rows());
}

double badShare(const ModelAudit& model, std::span<const Finding> findings) {
    double share = model.metric("estimated_bad");
    for (const Finding& finding : findings) {
        if (findings::isOneOf(finding, {"missing_classes"}))
            share -= std::max(0.0, finding.value - shareOfClasses(*model.set, finding.classes));
        if (findings::isOneOf(finding, {"missing_modes"}))
            share -= finding.value;
    }
    return std::max(share, namedShare(model, findings));
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
    for (const auto add :
         {findings::addAccused, findings::addCombinations, findings::addEqualWithin, findings::addMissingClasses,
          findings::addMissingModes, findings::addMissed, findings::addWrongLabels, findings::addUnnamedBad,
          findings::addFewSamples, findings::addSpread, findings::addLeaks, findings::addUseless,
          findings::addHeldOutUnlike, findings::addHeldOutLeaks, findings::addRealDuplicates, findings::addTies,
          findings::addScales, findings::addBuiltIn, findings::addSizes})
        add(in, all);
    std::erase_if(all, [](const Finding& finding) { return !(finding.value >= finding.kind->reportFrom); });
    // Samples that can be pointed at come before the share of those that cannot.
    double accused = 0.0;
    for (const Finding& finding : all)
        if (findings::isOneOf(finding, {"copies", "over_represented", "unrealistic"}))
            accused = std::max(accused, finding.value);
    const auto weight = [&](const Finding& finding) {
        return finding.kind->id == "unnamed_bad" && accused > 0.0 ? std::min(finding.value, accused) : finding.value;
    };
    std::stable_sort(all.begin(), all.end(), [&](const Finding& a, const Finding& b) {
        if (groupOf(a) != groupOf(b))
            return groupOf(a) < groupOf(b);
        return std::isinf(a.kind->markFrom) ? a.kind < b.kind : weight(a) > weight(b);
    });
    return all;
}

bool isMarked(const ModelAudit& model) {
    return std::ranges::any_of(model.findings, &Finding::marks);
}

std::size_t gravestModel(const AuditResult& audit) {
    constexpr double kNoShare = 1e-3; // of marks that name no samples, such as too little variety
    const auto share = [&](const ModelAudit& model, const Finding& finding) {
        if (finding.kind->id == "unnamed_bad")
            return finding.low.value_or(finding.value);
        const std::size_t all = finding.side == Side::Real ? audit.real->set->rows() : model.set->rows();
        const double named =
            static_cast<double>(finding.rows.size()) / static_cast<double>(std::max<std::size_t>(all, 1));
        return std::max(kNoShare, finding.kind->id == "copies" ? 2.0 * named : named);
    };
    const auto gravity = [&](const std::shared_ptr<const ModelAudit>& model) {
        double gravest = 0.0;
        for (const Finding& finding : model->findings)
            if (finding.marks())
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

bool surelyFewer(const Counted& first, const Counted& second) {
    return clopperPearson(first.count, first.of).high < kFarFewer * clopperPearson(second.count, second.of).low;
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
