// Findings from the verdicts of single samples, and from the tests behind them.
#include "engine/audit/findings/findings.h"
#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/data/brief_text.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/verdicts/group_tests.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::findings {
namespace {

constexpr double kFlaggedMarks = 0.05;
constexpr double kMaxSamples = 0.9; ///< of so many samples nothing more needs to be said

std::vector<std::uint32_t> rowsWith(const std::vector<double>& values, Verdict wanted) {
    return rowsWhere(values.size(), [&](std::size_t row) { return values[row] == static_cast<double>(wanted); });
}

/// The real samples that these copies are of: "real ones", or how many if they are few: "only 12 real samples".
std::string originalsText(const FindingInputs& in, const std::vector<std::uint32_t>& copies) {
    std::vector<std::uint32_t> originals;
    originals.reserve(copies.size());
    for (const std::uint32_t row : copies)
        originals.push_back(in.model.tables->synthetic.nearest.indexAt(row, 0));
    std::ranges::sort(originals);
    originals.erase(std::unique(originals.begin(), originals.end()), originals.end());
    if (kCopiesPerOriginal * originals.size() > copies.size())
        return "real ones";
    if (originals.size() == 1)
        return "one real sample (" + briefText(in.real.set->idText(originals.front())) + ")";
    return "only " + countText(originals.size(), "real sample", "real samples");
}

/// How much denser crowded samples lie than real ones there: ", 4 times as dense as the real data around them.".
std::string crowdText(const FindingInputs& in, const std::vector<std::uint32_t>& rows) {
    std::vector<double> ratios;
    ratios.reserve(rows.size());
    for (const std::uint32_t row : rows)
        ratios.push_back(in.model.column("log_density_ratio")[row]);
    std::ranges::nth_element(ratios, ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2));
    const double factor = std::exp(ratios[ratios.size() / 2]) * static_cast<double>(in.real.set->rows()) /
                          static_cast<double>(in.model.set->rows());
    constexpr double kMaxTimes = 100.0;
    const std::string how = factor > kMaxTimes ? "far denser than"
                            : factor >= 1.5    ? factorText(factor) + " times as dense as"
                                               : "denser than";
    return ", " + how + " the real data around them.";
}

/// Texts about the share of samples with a verdict.
struct VerdictText {
    Verdict verdict;
    std::string_view kind;
    std::string_view advice;
};

constexpr std::array kVerdictTexts{
    VerdictText{
        Verdict::Copy, "copy",
        "Each is far closer to one real sample than to any other. If the model was trained on the real set, it has "
        "memorised these samples: reject them, and train with more data or regularisation."},
    VerdictText{Verdict::Unrealistic, "unrealistic",
                "They are farther from the real samples than real samples are from each other. Reject them; a longer "
                "training or a narrower sampling may avoid them."},
    VerdictText{Verdict::Invented, "invented",
                "The model has modes that the real data has not. Look whether they are mixtures of real ones, or real "
                "data that the training set lacks."},
    VerdictText{Verdict::Crowded, "crowded",
                "The model puts far more samples there than the real data has, as collapsed modes do. Reject some, or "
                "rebalance what the model is trained on."},
};

std::string sentenceOf(const FindingInputs& in, Verdict verdict, const Finding& finding) {
    const std::string share = percentText(finding.value) + " of its samples ";
    switch (verdict) {
    case Verdict::Copy:
        return share + "are copies of " + originalsText(in, finding.rows) + ".";
    case Verdict::Unrealistic:
        return share + "are unrealistic: far from all real ones.";
    case Verdict::Invented:
        return share + "are invented: they lie where there is almost no real data.";
    case Verdict::Crowded:
        return share + "crowd together" + crowdText(in, finding.rows);
    case Verdict::Good:
        break;
    }
    return {};
}

double rejectedShare(const FindingInputs& in) {
    return in.model.hasMetric("verdict_rejected") ? in.model.metric("verdict_rejected") : 0.0;
}

std::string beyondText(Beyond what) {
    switch (what) {
    case Beyond::Farther:
        return "farther from real ones than";
    case Beyond::MoreCrowded:
        return "more crowded than";
    case Beyond::CloserToOne:
        break;
    }
    return "more like a single real one than";
}

} // namespace

void addEqualToReal(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.verdicts == nullptr || in.verdicts->equalToReal.samples == 0)
        return;
    const EqualToReal& equal = in.verdicts->equalToReal;
    if (equal.isUntold) {
        findings.push_back(ofValue(
            "deduplicated", equal.expectedPairs,
            fmt::format(
                "The real set has no equal rows where about {} pairs are to be expected: duplicates were removed. "
                "That {} of its samples equal a real row says nothing without a held-out set.",
                assay::countText(static_cast<std::size_t>(std::llround(equal.expectedPairs))),
                assay::countText(equal.samples)),
            "Give a held-out set, or the real set with its duplicates."));
        return;
    }
    Finding finding = ofValue("equal_to_real", static_cast<double>(equal.samples));
    finding.sentence = fmt::format("{} of its samples {} a training row; ", assay::countText(equal.samples),
                                   equal.samples == 1 ? "equals" : "equal");
    if (equal.ofHeldOut > 0)
        finding.sentence += fmt::format("of {} held-out samples {}, and ", assay::countText(equal.ofHeldOut),
                                        equal.heldOut == 0   ? "none does"
                                        : equal.heldOut == 1 ? "1 does"
                                                             : assay::countText(equal.heldOut) + " do");
    finding.sentence += equal.real == 0
                            ? fmt::format("the {} real rows are all different.", assay::countText(equal.ofReal))
                            : fmt::format("{} of {} real rows equal another.", assay::countText(equal.real),
                                          assay::countText(equal.ofReal));
    const NeighborTable& toReal = in.model.tables->synthetic.nearest;
    finding.rows = rowsWhere(toReal.rows(), [&](std::size_t row) { return toReal.distanceAt(row, 0) == 0.0; });
    finding.marksModel = equal.isAccused;
    if (equal.isAccused || equal.isImpossible) {
        finding.place = place::kEqual;
        finding.advice = "Remove these rows. If the training data is private, do not publish the set.";
    } else {
        finding.advice = "Rows repeat naturally where values are few: this is no sign of copying.";
    }
    findings.push_back(std::move(finding));
}

void addVerdicts(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.verdicts == nullptr)
        return;
    const std::vector<double>& verdict = in.verdicts->verdict;
    const std::string rate =
        "At most " + percentText(in.falseDiscoveryRate) + " of the flagged samples should be false alarms.";
    double most = 0.0; // of the shares
    for (const VerdictText& text : kVerdictTexts)
        most = std::max(most, static_cast<double>(rowsWith(verdict, text.verdict).size()) /
                                  static_cast<double>(verdict.size()));
    // A twentieth of the flagged samples may be false alarms, and what is said first should not be lost in small
    // shares.
    const auto worthSaying = [&](Verdict word) { return std::max(0.005, most / (word == Verdict::Copy ? 10.0 : 4.0)); };
    for (const VerdictText& text : kVerdictTexts) {
        std::vector<std::uint32_t> rows = rowsWith(verdict, text.verdict);
        if (rows.empty())
            continue;
        // Copies that are all equal rows have been told already.
        const EqualToReal& equal = in.verdicts->equalToReal;
        const bool told = std::ranges::any_of(
            findings, [](const Finding& finding) { return finding.kind->id == "equal_to_real" && finding.place; });
        if (text.verdict == Verdict::Copy && told &&
            static_cast<double>(rows.size()) <= 1.05 * static_cast<double>(equal.samples))
            continue;
        Finding finding = ofShare(text.kind, rows.size(), verdict.size(), in.unitCount());
        finding.rows = std::move(rows);
        finding.rules = {verdictRule()};
        finding.marksModel = *finding.low >= kFlaggedMarks;
        if (finding.value >= worthSaying(text.verdict))
            finding.place = place::kVerdicts - finding.value;
        finding.sentence = sentenceOf(in, text.verdict, finding);
        finding.advice = std::string(text.advice) + " " + rate;
        findings.push_back(std::move(finding));
    }
}

void addGroups(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.groups == nullptr)
        return;
    const GroupTests& groups = *in.groups;
    if (groups.isReported()) {
        Finding finding = ofShare("group_copies", groups.inside, groups.of);
        finding.rows = groups.rows;
        finding.marksModel = groups.marks();
        finding.sentence = fmt::format(
            "{} of its samples could be of a training group: they are as near to it as its own samples are to each "
            "other. By chance {} would be.",
            percentText(finding.value), percentText(groups.byChance()));
        finding.advice = "The model gives away who was in the training set. Train on more groups or with more "
                         "regularisation; the panel Private lists the groups.";
        const bool isNamed = std::ranges::any_of(findings, [&](const Finding& one) {
            return one.place && isOneOf(one, {"copy", "equal_to_real"}) && 2.0 * one.value >= finding.value;
        });
        if (!isNamed)
            finding.place = place::kGroups;
        findings.push_back(std::move(finding));
    }
    if (groups.overused.empty())
        return;
    const GroupUse& most = groups.overused.front();
    const auto all = static_cast<double>(in.model.set->rows());
    Finding finding = ofValue("group_overused", static_cast<double>(most.nearest) / all);
    finding.sentence =
        fmt::format("{} of its samples are nearest to group {}, which has {} of the real ones.",
                    percentText(finding.value), briefText(most.name),
                    percentText(static_cast<double>(most.realRows) / static_cast<double>(in.real.set->rows())));
    if (const std::size_t more = groups.overused.size() - 1; more > 0)
        finding.sentence +=
            fmt::format(" {} more {} overused.", assay::countText(more), more == 1 ? "group is" : "groups are");
    finding.advice = "The model draws too much from these groups. The panel Private lists all of them.";
    const NeighborTable& toReal = in.model.tables->synthetic.nearest;
    finding.rows = rowsWhere(toReal.rows(), [&](std::size_t row) {
        return std::ranges::find(groups.overused, in.real.set->groupText(toReal.indexAt(row, 0)), &GroupUse::name) !=
               groups.overused.end();
    });
    finding.place = place::kRegions;
    findings.push_back(std::move(finding));
}

void addMissed(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.labels == nullptr || !in.model.hasColumn("coverage_verdict"))
        return;
    const std::vector<double>& verdict = in.model.column("coverage_verdict");
    const RealPartition& partition = *in.real.partition;
    std::size_t missed = 0;
    std::size_t thin = 0;
    for (const std::uint32_t row : partition.rows) {
        missed += verdict[row] == static_cast<double>(CoverageVerdict::Missed) ? 1 : 0;
        thin += verdict[row] == static_cast<double>(CoverageVerdict::Thin) ? 1 : 0;
    }
    const std::size_t units = partition.rows.size();
    Finding finding = ofShare("missed", missed + thin, units);
    constexpr double kReported = 0.01;
    if (finding.value < kReported)
        return;
    finding.side = Side::Real;
    finding.rows = rowsWhere(verdict.size(), [&](std::size_t row) { return verdict[row] != 0.0; });
    finding.marksModel = in.labels->missesSurely && *finding.low >= kFlaggedMarks;
    if (finding.value < kMaxSamples && rejectedShare(in) < kMaxSamples)
        finding.place = place::kMissed;
    const auto share = [&](std::size_t count) {
        return percentText(static_cast<double>(count) / static_cast<double>(units));
    };
    constexpr double kFew = 0.1;
    const bool someThin = static_cast<double>(thin) > kFew * static_cast<double>(missed + thin);
    if (partition.byGroup)
        finding.sentence = fmt::format("It misses {} of the {} real groups.", assay::countText(missed + thin),
                                       assay::countText(units));
    else if (missed == 0)
        finding.sentence = fmt::format("It covers {} of the real data too thinly.", share(thin));
    else if (someThin)
        finding.sentence =
            fmt::format("It misses {} of the real data, and covers another {} too thinly.", share(missed), share(thin));
    else
        finding.sentence = fmt::format("It misses {} of the real data.", share(missed + thin));
    finding.advice = "Too few of its samples lie near these real ones. The panel Holes groups them.";
    findings.push_back(std::move(finding));
}

void addBeyondAll(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.verdicts == nullptr || !in.verdicts->beyondAll)
        return;
    const BeyondAll& beyond = *in.verdicts->beyondAll;
    Finding finding = ofValue("beyond_all", beyond.excess);
    const double byChance = static_cast<double>(beyond.real) * static_cast<double>(beyond.ofSamples) /
                            (static_cast<double>(beyond.ofReal) + 1.0);
    finding.sentence =
        fmt::format("{} of its {} samples are {} {}; by chance about {} would be.", assay::countText(beyond.samples),
                    assay::countText(beyond.ofSamples), beyondText(beyond.what),
                    beyond.rank == 1 ? "any real sample is"
                                     : fmt::format("all but the {} most extreme real samples are", beyond.rank - 1),
                    assay::countText(static_cast<std::size_t>(std::llround(std::max(1.0, byChance)))));
    finding.advice = "Single ones can be told where their p-value is small enough: see the ranking.";
    finding.marksModel = beyond.isSure;
    const bool isNamed = std::ranges::any_of(findings, [&](const Finding& one) {
        return one.place && (beyond.what == Beyond::Farther       ? isOneOf(one, {"unrealistic"})
                             : beyond.what == Beyond::MoreCrowded ? isOneOf(one, {"crowded", "invented", "shrunken"})
                                                                  : isOneOf(one, {"copy", "equal_to_real"}));
    });
    if (!isNamed && beyond.excess > 0.5 * rejectedShare(in))
        finding.place = beyond.what == Beyond::MoreCrowded ? place::kCrowdedBeyond : place::kBeyondAll;
    findings.push_back(std::move(finding));
}

void addSubtle(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.tests == nullptr || !(in.tests->bad.subtle > 0.0))
        return;
    Finding finding = ofValue("subtle", in.tests->bad.subtle);
    finding.place = place::kSubtle;
    finding.sentence =
        rejectedShare(in) > 0.0
            ? fmt::format("Another {} or so are subtly wrong; which ones cannot be told.", percentText(finding.value))
            : fmt::format("About {} of its samples are subtly wrong; which ones cannot be told.",
                          percentText(finding.value));
    finding.advice = "Rejecting single samples will not help; longer training or a better model may.";
    findings.push_back(std::move(finding));
}

} // namespace assay::findings
