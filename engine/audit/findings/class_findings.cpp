#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/audit/result/nearest_classes.h"
#include "engine/data/gather_rows.h"
#include "engine/math/statistics/binomial.h"
#include "engine/math/statistics/conformal.h"
#include "engine/metrics/held_out/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace assay::findings {
namespace {

/// A class that the count test does not report counts as missing if at least this share of its real samples is missed.
/// The first limit applies if the synthetic samples have labels, the second if only the real samples have.
constexpr double kAllMissed = 0.9;
constexpr double kMostlyMissed = 0.75;
constexpr std::size_t kFewestReal = 10; ///< smallest number of real samples in a class that can be reported as missing

double meanOr(const ByClass& byClass, const ClassScores& scores, std::string_view column, double otherwise) {
    const auto at = std::find(byClass.columns.begin(), byClass.columns.end(), column);
    if (at == byClass.columns.end())
        return otherwise;
    const double mean = scores.means[static_cast<std::size_t>(at - byClass.columns.begin())];
    return std::isnan(mean) ? otherwise : mean;
}

/// Per region: whether most of its real samples are of classes that are missing, whose names say more.
std::vector<bool> namedByClass(const RealModes& modes, const std::vector<Finding>& findings) {
    std::vector<std::size_t> lost(modes.counts.size(), 0);
    for (const Finding& finding : findings)
        if (finding.kind->id == "missing_classes")
            for (const std::uint32_t row : finding.rows)
                ++lost[modes.cells.cell[row]];
    std::vector<bool> named(lost.size());
    for (std::size_t mode = 0; mode < named.size(); ++mode)
        named[mode] = 2 * lost[mode] > modes.counts[mode];
    return named;
}

std::string classesText(const EmbeddingSet& set) {
    std::vector<std::string> names = set.labels().names;
    std::erase(names, std::string());
    return listText(names);
}

} // namespace

void addMissingClasses(const FindingInputs& in, std::vector<Finding>& findings) {
    const EmbeddingSet& real = *in.real.set;
    const EmbeddingSet& synthetic = *in.model.set;
    if (!real.hasLabels())
        return;
    if (synthetic.hasLabels() && !haveCommonClass(real, synthetic)) {
        findings.push_back(ofValue("other_classes", 1.0,
                                   "It has no class in common with the real set. The real classes are " +
                                       classesText(real) + "; its own are " + classesText(synthetic) + ".",
                                   "Missing classes cannot be found this way. Name the classes of both sets alike."));
        return;
    }
    const std::optional<ByClass> byClass = scoresByClass(real, in.model);
    Finding finding = ofValue("missing_classes", 0.0);
    finding.side = Side::Real;
    std::vector<std::string> few;    // classes that it has hardly any samples of
    std::vector<std::string> missed; // classes whose real samples it misses, whatever samples of them it has
    std::size_t lost = 0;
    std::size_t classes = 0;
    std::string counts;
    // Shares are of the samples that have a class.
    const std::size_t ofReal = real.labels().classified();
    const std::size_t ofSynthetic = synthetic.labels().classified();
    for (const ClassScores& scores : byClass->classes) {
        const std::size_t here = scores.real.value_or(0);
        classes += here > 0 ? 1 : 0;
        if (here < kFewestReal)
            continue;
        const bool byCount = scores.synthetic && surelyFewer({*scores.synthetic, ofSynthetic}, {here, ofReal});
        if (!byCount &&
            meanOr(*byClass, scores, "coverage_verdict", 0.0) < (scores.synthetic ? kAllMissed : kMostlyMissed))
            continue;
        finding.classes.push_back(scores.label);
        (byCount ? few : missed).push_back(scores.label);
        lost += here;
        if (scores.synthetic) {
            const double expected =
                static_cast<double>(here) * static_cast<double>(ofSynthetic) / static_cast<double>(ofReal);
            counts += fmt::format("{}{} has {} instead of about {}", (counts.empty() ? "" : ", "), scores.label,
                                  assay::countText(*scores.synthetic),
                                  assay::countText(static_cast<std::size_t>(std::llround(expected))));
        }
    }
    // Where all classes are missed, it is not for their class: the finding on missed real samples says how many.
    if (finding.classes.empty() || finding.classes.size() == classes)
        return;
    finding.value = static_cast<double>(lost) / static_cast<double>(real.rows());
    finding.rows = rowsWhere(real.rows(), [&](std::size_t row) {
        return std::ranges::find(finding.classes, real.labelText(row)) != finding.classes.end();
    });
    const std::string all = countText(classes, "class", "classes");
    if (!few.empty())
        finding.sentence = fmt::format("It lacks {} of {}: {}.", few.size(), all, listText(few));
    if (!missed.empty())
        finding.sentence +=
            fmt::format("{}It misses {} real samples of {} of {}: {}.", few.empty() ? "" : " ",
                        synthetic.hasLabels() ? "nearly all" : "most", missed.size(), all, listText(missed));
    finding.advice = counts.empty() ? "" : "Samples per class: " + counts + ".";
    findings.push_back(std::move(finding));
}

void addMissingModes(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.described == nullptr || in.described->modes == nullptr || in.model.modeCounts.empty())
        return;
    const RealModes& modes = *in.described->modes;
    const std::vector<std::uint32_t>& counts = in.model.modeCounts;
    const std::size_t n = in.real.set->rows();
    const std::size_t m = in.model.set->rows();
    std::vector<double> p(counts.size());
    for (std::size_t mode = 0; mode < p.size(); ++mode)
        p[mode] = twoSharesPValue(counts[mode], m, modes.counts[mode], n);
    const std::vector<double> q = benjaminiHochberg(p);
    const std::vector<bool> named = namedByClass(modes, findings);
    std::vector<bool> missing(counts.size(), false);
    std::size_t different = 0;
    std::size_t many = 0;
    std::size_t lost = 0;
    for (std::size_t mode = 0; mode < q.size(); ++mode) {
        different += q[mode] <= in.falseDiscoveryRate ? 1 : 0;
        missing[mode] = !named[mode] && q[mode] <= in.falseDiscoveryRate && modes.counts[mode] >= kFewestReal &&
                        surelyFewer({counts[mode], m}, {modes.counts[mode], n});
        many += missing[mode] ? 1 : 0;
        lost += missing[mode] ? modes.counts[mode] : 0;
    }
    if (many == 0)
        return;
    Finding finding = ofValue("missing_modes", static_cast<double>(lost) / static_cast<double>(n));
    finding.side = Side::Real;
    finding.rows = rowsWhere(n, [&](std::size_t row) { return missing[modes.cells.cell[row]]; });
    finding.sentence = fmt::format("It lacks {} of {} of similar real samples, which hold {} of the real data.", many,
                                   countText(counts.size(), "group", "groups"), percentText(finding.value));
    finding.advice = countText(different, "group has", "groups have") +
                     " a different share than in the real set (NDB " +
                     roundedText(static_cast<double>(different) / static_cast<double>(counts.size())) + ").";
    findings.push_back(std::move(finding));
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
    const auto ofModel = nearestClasses(*in.model.set, real, tables.syntheticToReal);
    const auto ofReal = nearestClasses(real, real, in.real.neighbors);
    if (!ofModel || !ofReal || tables.clippedBallsHolding.empty())
        return;
    // Of samples that are like real ones: elsewhere the nearest real sample says little.
    const LabelAgreement model(*ofModel, [&](std::uint32_t row) { return tables.clippedBallsHolding[row] > 0; });
    const LabelAgreement own(*ofReal, [](std::uint32_t) { return true; });
    if (model.compared == 0 || own.compared == 0)
        return;
    constexpr double kQuantile = 1.96; // 95 % of a normal distribution
    Finding finding = ofValue("wrong_labels", model.share() - own.share());
    const double half = kQuantile * std::sqrt(model.variance() + own.variance());
    finding.low = finding.value - half;
    finding.high = finding.value + half;
    if (!(*finding.low > 0.0))
        return;
    finding.rows = model.differing;
    finding.sentence = percentText(model.share()) +
                       " of its realistic samples carry another label than their nearest real sample (" +
                       percentText(own.share()) + " of real samples do).";
    finding.advice = "Their labels are wrong, or the model was asked for one class and made another.";
    findings.push_back(std::move(finding));
}

} // namespace assay::findings
