// Findings from samples that are equal: within a model, and between its samples and real ones.
#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/data/feature_layout.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/rarefaction.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/verdicts/equal_rows.h"
#include "engine/metrics/verdicts/real_partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace assay::findings {
namespace {

/// A difference is told if it is this many standard errors, which chance exceeds once in 700 audits.
constexpr double kErrorsToTell = 3.0;
constexpr double kErrorsOf95Percent = 1.96;

/// Number of groups of equal rows by their size.
using GroupSizes = std::map<std::size_t, std::size_t>;

std::vector<std::uint32_t> rowsWithEqual(const NeighborTable& own) {
    return rowsWhere(own.rows(), [&](std::size_t row) { return own.distanceAt(row, 0) == 0.0; });
}

GroupSizes sizesOf(const std::vector<std::uint32_t>& counts) {
    GroupSizes sizes;
    for (const std::uint32_t count : counts)
        if (count > 0)
            ++sizes[count];
    return sizes;
}

/// @param equal the rows that equal another one; the rest are not read
GroupSizes equalWithin(const EmbeddingSet& set, const std::vector<std::uint32_t>& equal) {
    const std::vector<float> values = gatherRows(set.matrix(), equal);
    const MatrixView rows{values.data(), equal.size(), set.dim()};
    GroupSizes sizes = sizesOf(groupEqualRows(std::array{rows}, {}).countsOf(0));
    if (equal.size() < set.rows())
        sizes[1] += set.rows() - equal.size();
    return sizes;
}

std::size_t groupsIn(const GroupSizes& sizes) {
    std::size_t all = 0;
    for (const auto& [size, number] : sizes)
        all += number;
    return all;
}

double rootSumOfSquares(double a, double b) {
    return std::sqrt(a * a + b * b);
}

constexpr double kEqualReported = 0.01;
constexpr double kEqualMarks = 0.05;

/// Sets value and 95 % interval of a share.
void setShare(Finding& finding, double value, double error) {
    finding.value = value;
    finding.low = value - kErrorsOf95Percent * error;
    finding.high = std::min(1.0, value + kErrorsOf95Percent * error);
}

/// Few different samples: "It produces only 5 different outputs in 400 samples."
Finding collapse(const FindingInputs& in, const GroupSizes& own, const Variety& model, const Variety& real) {
    const double kept = model.different.value / real.different.value;
    Finding finding = ofValue("collapse", 0.0);
    setShare(finding, 1.0 - kept,
             kept * rootSumOfSquares(model.different.error / model.different.value,
                                     real.different.error / real.different.value));
    const std::size_t outputs = groupsIn(own);
    const std::size_t rows = in.model.set->rows();
    finding.sentence =
        outputs == 1 ? "It produces a single output: all " + countText(rows, "sample", "samples") + " are identical."
                     : "It produces only " + countText(outputs, "different output", "different outputs") + " in " +
                           countText(rows, "sample.", "samples.");
    finding.advice =
        "The same number of real samples has about " +
        countText(static_cast<std::size_t>(std::llround(real.different.value)), "different one.", "different ones.");
    return finding;
}

/// Samples that equal another of the model's own, beyond what real ones do.
/// @return with value 0 if chance may explain it
Finding duplicates(const Variety& model, const Variety& real, double drawn) {
    const double share = 1.0 - model.single.value / drawn;
    const double usual = 1.0 - real.single.value / drawn;
    const double error = rootSumOfSquares(model.single.error, real.single.error) / drawn;
    Finding finding = ofValue("duplicates", 0.0);
    if (share - usual <= kErrorsToTell * error)
        return finding;
    setShare(finding, share - usual, error);
    finding.sentence = fmt::format("{} of its samples occur more than once; among as many real samples, {} do.",
                                   percentText(share), percentText(usual));
    return finding;
}

/// Whether a column holds nothing but 0 and 1; of the real set, both.
bool isBinary(MatrixView set, std::size_t column, bool needsBoth) {
    std::array<bool, 2> seen{};
    for (std::size_t row = 0; row < set.rows; ++row) {
        const float value = set.row(row)[column];
        if (value != 0.0F && value != 1.0F)
            return false;
        seen[value == 1.0F ? 1 : 0] = true;
    }
    return !needsBoth || (seen[0] && seen[1]);
}

/// The columns of categories: those of text, and numbers that are 0 or 1 in both sets. Numbers of few values count
/// something: children, or events.
std::vector<std::uint32_t> categoricalColumns(const EmbeddingSet& real, const EmbeddingSet& model) {
    const FeatureLayout layout = FeatureLayout::of(*real.preparation(), real.dim());
    return rowsWhere(real.dim(), [&](std::size_t column) {
        return layout.textAt(column) != nullptr ||
               (isBinary(real.matrix(), column, true) && isBinary(model.matrix(), column, false));
    });
}

/// The combinations of categories in the real set (set 0), the model (1) and the held-out set (2), which may be empty.
EqualRows combinationsOf(const FindingInputs& in, const std::vector<std::uint32_t>& columns) {
    const bool heldOut = in.heldOut != nullptr && in.heldOut->set->isWhole();
    return groupEqualRows(
        std::array{in.real.set->matrix(), in.model.set->matrix(), heldOut ? in.heldOut->set->matrix() : MatrixView{}},
        {}, columns);
}

/// Share of a set's samples, with its standard error.
CountEstimate shareWithError(std::size_t part, std::size_t whole) {
    const double share = static_cast<double>(part) / static_cast<double>(whole);
    return {share, std::sqrt(share * (1.0 - share) / static_cast<double>(whole))};
}

std::vector<std::uint32_t> newIn(const EqualRows& equal, std::size_t set) {
    const std::vector<std::uint32_t> inReal = equal.countsOf(0);
    return rowsWhere(equal.group[set].size(), [&](std::size_t row) { return inReal[equal.group[set][row]] == 0; });
}

/// Share of good samples whose combination does not occur among the (other) real ones: of the held-out samples, else
/// of the real ones (Good, Biometrika 1953).
CountEstimate usuallyNew(const EqualRows& equal) {
    if (!equal.group[2].empty())
        return shareWithError(newIn(equal, 2).size(), equal.group[2].size());
    const std::size_t n = equal.group[0].size();
    const CountEstimate single = varietyOf(sizesOf(equal.countsOf(0)), n).single;
    return {single.value / static_cast<double>(n), single.error / static_cast<double>(n)};
}

/// Samples that combine categories as no real sample does, beyond what good samples do.
/// @return with value 0 if chance may explain it
Finding newCombinations(const FindingInputs& in, const EqualRows& equal, bool single) {
    const CountEstimate usual = usuallyNew(equal);
    Finding finding = ofValue("new_combinations", 0.0);
    finding.rows = newIn(equal, 1);
    const CountEstimate share = shareWithError(finding.rows.size(), in.model.set->rows());
    const double error = rootSumOfSquares(share.error, usual.error);
    constexpr double kMaxlyNew = 0.5; // where most good samples are new combinations, another one means nothing
    if (usual.value > kMaxlyNew || share.value - usual.value <= kErrorsToTell * error)
        return finding;
    setShare(finding, share.value - usual.value, error);
    finding.sentence =
        percentText(share.value) + (single ? " of its samples have a category that no real sample has."
                                           : " of its samples combine categories in ways that no real sample does.");
    finding.advice = "Of good samples, about " + percentText(usual.value) + " would.";
    return finding;
}

/// Samples of combinations that the model has far too often, by their numbers. They tell which combinations the samples
/// are of that single tests reject, and see those that are rarer than k' equal samples.
/// @return with value 0 if there are none
Finding crowdedCombinations(const FindingInputs& in, const EqualRows& equal, bool single) {
    const std::vector<std::uint32_t> inReal = equal.countsOf(0);
    const std::vector<std::uint32_t> inModel = equal.countsOf(1);
    const std::size_t n = equal.group[0].size();
    const std::size_t m = equal.group[1].size();
    std::vector<double> p(equal.groups);
    for (std::size_t g = 0; g < p.size(); ++g)
        p[g] = twoSharesPValue(inModel[g], m, inReal[g], n);
    const std::vector<double> q = benjaminiHochberg(p);
    std::vector<bool> crowded(equal.groups, false);
    std::size_t combinations = 0;
    std::size_t realSamples = 0;
    for (std::size_t g = 0; g < q.size(); ++g) {
        crowded[g] = q[g] <= in.falseDiscoveryRate && inReal[g] > 0 && surelyFewer({inReal[g], n}, {inModel[g], m});
        combinations += crowded[g] ? 1 : 0;
        realSamples += crowded[g] ? inReal[g] : 0;
    }
    Finding finding = ofValue("crowded_combinations", 0.0);
    finding.rows = rowsWhere(m, [&](std::size_t row) { return crowded[equal.group[1][row]]; });
    const CountEstimate share = shareWithError(finding.rows.size(), m);
    setShare(finding, share.value, share.error);
    finding.sentence =
        fmt::format("{} of its samples fall into {} that only {} of the real samples have.", percentText(share.value),
                    single ? countText(combinations, "category", "categories")
                           : countText(combinations, "combination of categories", "combinations of categories"),
                    percentText(static_cast<double>(realSamples) / static_cast<double>(n)));
    return finding;
}

} // namespace

void addEqualWithin(const FindingInputs& in, std::vector<Finding>& findings) {
    const EmbeddingSet& synthetic = *in.model.set;
    const std::vector<std::uint32_t> equal = rowsWithEqual(in.model.tables->syntheticToSynthetic);
    if (equal.empty() || !synthetic.isWhole() || !in.real.set->isWhole())
        return;
    // Of a set whose duplicates were removed nothing can be told of how often rows repeat.
    const bool deduplicated = in.real.partition != nullptr && in.real.partition->deduplicated();
    const GroupSizes model = equalWithin(synthetic, equal);
    const GroupSizes real = equalWithin(*in.real.set, rowsWithEqual(in.real.neighbors));
    const std::size_t drawn = std::min(synthetic.rows(), in.real.set->rows());
    const Variety ofModel = varietyOf(model, drawn);
    const Variety ofReal = varietyOf(real, drawn);
    constexpr double kCollapsed = 0.75;
    Finding finding = collapse(in, model, ofModel, ofReal);
    if (*finding.low >= kCollapsed) {
        finding.marksModel = true;
        finding.place = place::kCollapse;
    } else {
        finding = duplicates(ofModel, ofReal, static_cast<double>(drawn));
        if (deduplicated || finding.value < kEqualReported)
            return;
        finding.marksModel = *finding.low >= kEqualMarks;
        finding.place = place::kDuplicates;
    }
    finding.rows = equal;
    findings.push_back(std::move(finding));
}

void addCombinations(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.tests == nullptr || !in.real.set->isWhole() || !in.model.set->isWhole())
        return;
    const std::vector<std::uint32_t> columns = categoricalColumns(*in.real.set, *in.model.set);
    if (columns.empty())
        return;
    const EqualRows equal = combinationsOf(in, columns);
    const FeatureLayout layout = FeatureLayout::of(*in.real.set->preparation(), in.real.set->dim());
    const bool single = std::ranges::all_of(
        columns, [&](std::uint32_t column) { return layout.sourceOf(column) == layout.sourceOf(columns.front()); });
    std::array found{newCombinations(in, equal, single), crowdedCombinations(in, equal, single)};
    for (Finding& finding : found) {
        if (finding.value < kEqualReported)
            continue;
        finding.marksModel = *finding.low >= kEqualMarks;
        finding.place = place::kCombinations;
        findings.push_back(std::move(finding));
    }
}

} // namespace assay::findings
