// Shares of classes and regions, and labels that are wrong.
#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/data/brief_text.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/verdicts/relabelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace assay::findings {
namespace {

constexpr std::size_t kNamedClasses = 6;

std::string classesText(const EmbeddingSet& set) {
    std::vector<std::string> names = set.labels().names;
    std::erase(names, std::string());
    return listText(names);
}

/// Names of classes by their codes.
std::vector<std::string> namesOf(const SetTests& tests, const std::vector<std::uint32_t>& codes) {
    std::vector<std::string> names;
    names.reserve(codes.size());
    for (const std::uint32_t code : codes)
        names.push_back(briefText(tests.labels.names[code]));
    return names;
}

std::vector<std::uint32_t> rowsOfClasses(const EmbeddingSet& set, const std::vector<std::string>& classes) {
    return rowsWhere(set.rows(),
                     [&](std::size_t row) { return std::ranges::find(classes, set.labelText(row)) != classes.end(); });
}

/// Classes that are not lost, but have less than a fourth of their share.
std::vector<std::uint32_t> nearlyLost(const ClassShares& shares) {
    std::vector<std::uint32_t> codes = shares.under;
    std::erase_if(
        codes, [&](std::uint32_t code) { return shares.syntheticShare(code) >= kFarFewer * shares.realShare(code); });
    return codes;
}

double realShareOf(const ClassShares& shares, const std::vector<std::uint32_t>& codes) {
    double share = 0.0;
    for (const std::uint32_t code : codes)
        share += shares.realShare(code);
    return share;
}

/// Classes that the model never or hardly ever makes.
void addLostClasses(const FindingInputs& in, const ClassShares& shares, std::vector<Finding>& findings) {
    const SetTests& tests = *in.tests;
    const std::vector<std::uint32_t> few = nearlyLost(shares);
    std::vector<std::uint32_t> who = shares.lost.empty() && few.empty() ? shares.missing : shares.lost;
    who.insert(who.end(), few.begin(), few.end());
    const std::size_t number = (shares.tooManyMissing ? shares.missing.size() : shares.lost.size()) + few.size();
    const double share = realShareOf(shares, who);
    const char* never = few.empty() ? "never" : number == few.size() ? "hardly ever" : "never or hardly ever";
    Finding finding = ofValue("class_shares", share);
    finding.side = Side::Real;
    for (const std::uint32_t code : who)
        finding.classes.push_back(tests.labels.names[code]);
    finding.rows = rowsOfClasses(*in.real.set, finding.classes);
    if (number == 1) {
        finding.sentence = fmt::format("It {} makes class {} ({} of the real samples).", never,
                                       namesOf(tests, who).front(), percentText(share));
    } else {
        finding.sentence = fmt::format("It {} makes {} of {} classes: {}", never, number, shares.realClasses,
                                       listText(namesOf(tests, who), kNamedClasses));
        constexpr double kSome = 0.5;
        finding.sentence += shares.missingByChance >= kSome
                                ? fmt::format("; {:.0f} would be missing by chance.", shares.missingByChance)
                                : fmt::format(" (together {} of the real samples).", percentText(share));
    }
    finding.advice = "The panel Classes has every class. Train or sample these classes more often.";
    constexpr double kMarks = 0.05;
    finding.marksModel = shares.lossMarks() || realShareOf(shares, few) >= kMarks;
    finding.place = place::kClasses;
    findings.push_back(std::move(finding));
}

/// Classes that the model makes too often or too rarely.
void addOtherShares(const FindingInputs& in, const ClassShares& shares, std::vector<Finding>& findings) {
    const SetTests& tests = *in.tests;
    std::vector<std::uint32_t> under = shares.under;
    for (const std::uint32_t code : nearlyLost(shares))
        std::erase(under, code);
    if (shares.over.empty() && under.empty())
        return;
    Finding finding = ofValue("class_shares", shares.overSurplus);
    std::vector<std::uint32_t> who = shares.over;
    who.resize(std::min<std::size_t>(2, who.size()));
    if (!under.empty())
        who.push_back(under.front());
    for (const std::uint32_t code : who)
        finding.sentence += fmt::format("{} {} makes up {} of its samples but {} of the real ones",
                                        finding.sentence.empty() ? "Class" : "; class",
                                        briefText(tests.labels.names[code]), percentText(shares.syntheticShare(code)),
                                        shares.realShare(code) > 0.0 ? percentText(shares.realShare(code)) : "none");
    finding.sentence += ".";
    for (const std::uint32_t code : shares.over.empty() ? under : shares.over)
        finding.classes.push_back(tests.labels.names[code]);
    finding.rows = rowsOfClasses(*in.model.set, finding.classes);
    finding.advice = "If the classes were balanced on purpose, this is no fault. The panel Classes has every class.";
    finding.marksModel = shares.surplusMarks();
    finding.place = place::kClasses;
    findings.push_back(std::move(finding));
}

/// Classes of the real set of which an unlabelled model misses most samples.
void addMissedClasses(const FindingInputs& in, std::vector<Finding>& findings) {
    const EmbeddingSet& real = *in.real.set;
    if (!in.model.hasColumn("coverage_verdict"))
        return;
    constexpr std::size_t kFewestReal = 10;
    constexpr double kMost = 0.75;
    const std::vector<double>& verdict = in.model.column("coverage_verdict");
    const std::vector<std::uint32_t> counts = real.labels().counts();
    std::vector<std::size_t> missed(counts.size(), 0);
    for (std::size_t row = 0; row < verdict.size(); ++row)
        missed[real.labels().code[row]] += verdict[row] != 0.0 ? 1 : 0;
    Finding finding = ofValue("class_shares", 0.0);
    std::size_t lost = 0;
    for (std::uint32_t label = 0; label < counts.size(); ++label)
        if (real.labels().isClass(label) && counts[label] >= kFewestReal &&
            static_cast<double>(missed[label]) >= kMost * static_cast<double>(counts[label])) {
            finding.classes.push_back(real.labels().names[label]);
            lost += counts[label];
        }
    const std::size_t classes = real.labels().classCount();
    if (finding.classes.empty() || finding.classes.size() == classes) // else it is not for their class
        return;
    finding.value = static_cast<double>(lost) / static_cast<double>(real.rows());
    finding.side = Side::Real;
    finding.rows = rowsOfClasses(real, finding.classes);
    finding.sentence = fmt::format("It misses most real samples of {} of {} classes: {} ({} of the real samples).",
                                   finding.classes.size(), classes, listText(finding.classes, kNamedClasses),
                                   percentText(finding.value));
    finding.advice = "Train or sample these classes more often.";
    constexpr double kMarks = 0.05;
    finding.marksModel = finding.value >= kMarks && in.labels != nullptr && in.labels->missesSurely;
    finding.place = place::kClasses;
    findings.push_back(std::move(finding));
}

} // namespace

void addClassShares(const FindingInputs& in, std::vector<Finding>& findings) {
    const EmbeddingSet& real = *in.real.set;
    const EmbeddingSet& synthetic = *in.model.set;
    if (real.hasLabels() && synthetic.hasLabels() && !haveCommonClass(real, synthetic)) {
        findings.push_back(ofValue("other_classes", 1.0,
                                   "It has no class in common with the real set. The real classes are " +
                                       classesText(real) + "; its own are " + classesText(synthetic) + ".",
                                   "Classes cannot be compared this way. Name the classes of both sets alike."));
        return;
    }
    if (in.labels != nullptr && real.hasLabels() && !synthetic.hasLabels() && kindOf(real) == LabelKind::Classes)
        addMissedClasses(in, findings);
    if (in.tests == nullptr || !in.tests->classes)
        return;
    const ClassShares& shares = *in.tests->classes;
    const bool lost = shares.tooManyMissing || !shares.lost.empty() || !nearlyLost(shares).empty();
    const bool other = !shares.over.empty() || !shares.under.empty();
    if (lost)
        addLostClasses(in, shares, findings);
    if (other)
        addOtherShares(in, shares, findings);
    if (!lost && !other && shares.distributionDiffers) {
        findings.push_back(ofValue("class_shares", 0.0, "The classes have other shares than in the real data.",
                                   "No single class stands out. The panel Classes has every class."));
        findings.back().place = place::kFeatures;
    }
}

void addRegions(const FindingInputs& in, std::vector<Finding>& findings) {
    const auto missed =
        std::ranges::find_if(findings, [](const Finding& one) { return isOneOf(one, {"class_shares"}); });
    constexpr double kHopeless = 0.9;
    const bool allMissed = in.model.hasMetric("coverage_missed") && in.model.metric("coverage_missed") >= kHopeless;
    if (in.tests == nullptr || allMissed || (missed != findings.end() && missed->place))
        return;
    const RegionShares& regions = in.tests->regions;
    if (!regions.many.empty()) {
        Finding finding = ofValue("modes", regions.manyShare);
        finding.rows = regions.rowsInMany;
        finding.sentence =
            fmt::format("Too many of its samples are in {} of the real data: {}, but {} of the real ones.",
                        regions.many.size() == 1 ? "one region" : std::to_string(regions.many.size()) + " regions",
                        percentText(regions.manyShare), percentText(regions.manyRealShare));
        finding.advice = "A mode has more than its share. Look at these samples, and rebalance them.";
        finding.place = place::kRegions;
        findings.push_back(std::move(finding));
    }
    if (!regions.nearlyEmpty.empty()) {
        Finding finding = ofValue("modes", regions.nearlyEmptyRealShare);
        finding.low = regions.nearlyEmptyRealBounds.low;
        finding.high = regions.nearlyEmptyRealBounds.high;
        finding.side = Side::Real;
        finding.rows = regions.realRowsInNearlyEmpty;
        finding.sentence =
            fmt::format("It has almost no samples in {} of {} regions of the real data, which {} {} of the real ones.",
                        regions.nearlyEmpty.size(), regions.counts.size(),
                        regions.nearlyEmpty.size() == 1 ? "holds" : "hold", percentText(regions.nearlyEmptyRealShare));
        finding.advice = "A mode is missing or far too rare. Look at these real samples.";
        finding.marksModel = regions.marks();
        finding.place = place::kRegions;
        findings.push_back(std::move(finding));
    }
}

namespace {

/// Rows with a class of the real set whose nearest real sample has a class.
struct LabelAgreement {
    std::size_t compared = 0;
    std::vector<std::uint32_t> differing; ///< rows whose nearest real sample has another class

    /// @param counts whether a row is compared
    template <typename Counts>
    LabelAgreement(const NearestClasses& found, const Counts& counts) {
        const std::size_t none = found.classes.size();
        for (std::uint32_t row = 0; row < found.own.size(); ++row) {
            const std::uint32_t own = found.own[row];
            if (own == none || found.real[own] == 0 || found.nearest[row] == none || !counts(row))
                continue;
            ++compared;
            if (own != found.nearest[row])
                differing.push_back(row);
        }
    }

    double share() const { return static_cast<double>(differing.size()) / static_cast<double>(compared); }
    double variance() const { return share() * (1.0 - share()) / static_cast<double>(compared); }
};

} // namespace

void addWrongLabels(const FindingInputs& in, std::vector<Finding>& findings) {
    const EmbeddingSet& real = *in.real.set;
    const PairTables& tables = *in.model.tables;
    const auto ofModel = nearestClasses(*in.model.set, real, tables.synthetic.nearest);
    const auto ofReal = nearestClasses(real, real, in.real.neighbors);
    if (!ofModel || !ofReal || tables.synthetic.innerHolding.empty())
        return;
    // Of samples that are like real ones: elsewhere the nearest real sample says little.
    const LabelAgreement model(*ofModel, [&](std::uint32_t row) { return tables.synthetic.innerHolding[row] > 0; });
    const LabelAgreement own(*ofReal, [](std::uint32_t) { return true; });
    if (model.compared == 0 || own.compared == 0)
        return;
    constexpr double kQuantile = 1.96; // 95 % of a normal distribution
    Finding finding = ofValue("wrong_labels", model.share() - own.share());
    const double half = kQuantile * std::sqrt(model.variance() + own.variance());
    finding.low = finding.value - half;
    finding.high = finding.value + half;
    constexpr double kReported = 0.02;
    constexpr double kMarks = 0.05;
    if (!(*finding.low > 0.0) || finding.value < kReported)
        return;
    finding.marksModel = *finding.low >= kMarks;
    finding.place = place::kLabels;
    finding.rows = model.differing;
    finding.sentence = percentText(model.share()) +
                       " of its realistic samples have a different label from their nearest real sample (" +
                       percentText(own.share()) + " of real samples do).";
    finding.advice = "Their labels are wrong, or the model was asked for one class and made another.";
    findings.push_back(std::move(finding));
}

} // namespace assay::findings
