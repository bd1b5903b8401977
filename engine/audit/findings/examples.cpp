#include "engine/audit/findings/findings.h"

#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/k_means.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace assay {
namespace {

/// Rows are read in this many parts, whatever the number of threads: sums are then added in one order.
constexpr std::size_t kParts = 16;

using Groups = std::vector<std::uint8_t>; ///< group of each of a finding's rows, or Finding::kNoExample

/// Calls part(p, first, last) for consecutive ranges of `count` indices.
template <typename Part>
void inParts(std::size_t count, const ComputeContext& context, const Part& part) {
    const std::size_t perPart = (count + kParts - 1) / kParts;
    parallelFor(kParts, context.threads, context.job.part({}, 0.0, 0.0), [&](std::size_t p, unsigned) {
        part(p, std::min(count, p * perPart), std::min(count, (p + 1) * perPart));
    });
}

/// Groups of like samples: the cells of k-means on some of them.
Groups groupsByLikeness(MatrixView set, std::span<const std::uint32_t> rows, const ComputeContext& context) {
    std::vector<std::uint32_t> some = drawNumbers(kExampleRows, rows.size(), streamSeed(context.seed, "examples"));
    std::ranges::sort(some);
    for (std::uint32_t& row : some)
        row = rows[row];
    const std::vector<float> values = gatherRows(set, some);
    const Cells cells = kMeans({values.data(), some.size(), set.dim}, kMaxExamples,
                               {streamSeed(context.seed, "examples"), context.threads, context.job}, 1);
    Groups groups(rows.size());
    inParts(rows.size(), context, [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t at = first; at < last; ++at) {
            context.job.throwIfStopped();
            groups[at] = static_cast<std::uint8_t>(nearestCell(set.row(rows[at]), cells));
        }
    });
    return groups;
}

/// Groups of the copies of one original each: of the originals with the most copies, the nearest ones on ties. Empty if
/// no original has kCopiesPerOriginal copies.
Groups groupsByOriginal(const NeighborTable& nearestReal, std::span<const std::uint32_t> rows) {
    struct Copies {
        std::size_t count = 0;
        double nearest = std::numeric_limits<double>::infinity();
    };
    std::map<std::uint32_t, Copies> copiesOf;
    for (const std::uint32_t row : rows) {
        Copies& copies = copiesOf[nearestReal.indexAt(row, 0)];
        ++copies.count;
        copies.nearest = std::min(copies.nearest, nearestReal.distanceAt(row, 0));
    }
    std::vector<std::pair<std::uint32_t, Copies>> originals(copiesOf.begin(), copiesOf.end());
    std::ranges::stable_sort(originals, [](const auto& a, const auto& b) {
        return std::tuple(b.second.count, a.second.nearest) < std::tuple(a.second.count, b.second.nearest);
    });
    if (originals.front().second.count < kCopiesPerOriginal)
        return {};
    originals.resize(std::min(originals.size(), kMaxExamples));
    Groups groups;
    groups.reserve(rows.size());
    for (const std::uint32_t row : rows) {
        const auto at =
            std::ranges::find(originals, nearestReal.indexAt(row, 0), [](const auto& o) { return o.first; });
        groups.push_back(at == originals.end() ? Finding::kNoExample
                                               : static_cast<std::uint8_t>(at - originals.begin()));
    }
    return groups;
}

/// Number of samples per group, and the groups' means.
struct Means {
    std::array<std::uint32_t, kMaxExamples> count{};
    std::vector<double> mean; ///< kMaxExamples x dim
};

Means meansOf(MatrixView set, std::span<const std::uint32_t> rows, const Groups& groups,
              const ComputeContext& context) {
    std::vector<Means> parts(kParts, {{}, std::vector<double>(kMaxExamples * set.dim)});
    inParts(rows.size(), context, [&](std::size_t p, std::size_t first, std::size_t last) {
        for (std::size_t at = first; at < last; ++at) {
            context.job.throwIfStopped();
            if (groups[at] == Finding::kNoExample)
                continue;
            ++parts[p].count[groups[at]];
            double* sum = parts[p].mean.data() + groups[at] * set.dim;
            for (std::size_t c = 0; c < set.dim; ++c)
                sum[c] += static_cast<double>(set.rowData(rows[at])[c]);
        }
    });
    Means& all = parts.front();
    for (std::size_t p = 1; p < kParts; ++p) {
        for (std::size_t group = 0; group < kMaxExamples; ++group)
            all.count[group] += parts[p].count[group];
        std::ranges::transform(all.mean, parts[p].mean, all.mean.begin(), std::plus());
    }
    for (std::size_t group = 0; group < kMaxExamples; ++group)
        for (std::size_t c = 0; c < set.dim && all.count[group] > 0; ++c)
            all.mean[group * set.dim + c] /= static_cast<double>(all.count[group]);
    return std::move(all);
}

double squaredDistanceTo(const float* row, const double* mean, std::size_t dim) {
    double squared = 0.0;
    for (std::size_t c = 0; c < dim; ++c) {
        const double apart = static_cast<double>(row[c]) - mean[c];
        squared += apart * apart;
    }
    return squared;
}

/// Per group the sample nearest to its mean; groups without samples stay without a count.
std::vector<FindingExample> medoidsOf(MatrixView set, std::span<const std::uint32_t> rows, const Groups& groups,
                                      const ComputeContext& context) {
    using Nearest = std::pair<double, std::uint32_t>; // squared distance, row
    const Means means = meansOf(set, rows, groups, context);
    std::array<std::array<Nearest, kMaxExamples>, kParts> nearest;
    for (auto& part : nearest)
        part.fill({std::numeric_limits<double>::infinity(), 0});
    inParts(rows.size(), context, [&](std::size_t p, std::size_t first, std::size_t last) {
        for (std::size_t at = first; at < last; ++at) {
            context.job.throwIfStopped();
            if (const std::uint8_t group = groups[at]; group != Finding::kNoExample) {
                const double* mean = means.mean.data() + group * set.dim;
                const Nearest here{squaredDistanceTo(set.rowData(rows[at]), mean, set.dim), rows[at]};
                nearest[p][group] = std::min(nearest[p][group], here);
            }
        }
    });
    std::vector<FindingExample> examples(kMaxExamples);
    for (std::size_t group = 0; group < kMaxExamples; ++group) {
        Nearest best = nearest.front()[group];
        for (const auto& part : nearest)
            best = std::min(best, part[group]);
        examples[group] = {best.second, means.count[group]};
    }
    return examples;
}

/// Sets examples and groups, the largest group first, without empty groups.
void setExamples(Finding& finding, const std::vector<FindingExample>& medoids, const Groups& groups) {
    std::vector<std::size_t> order(medoids.size());
    std::iota(order.begin(), order.end(), 0U);
    std::erase_if(order, [&](std::size_t group) { return medoids[group].count == 0; });
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return std::tuple(medoids[b].count, medoids[a].row) < std::tuple(medoids[a].count, medoids[b].row);
    });
    std::array<std::uint8_t, 256> place{};
    place.fill(Finding::kNoExample);
    for (std::size_t at = 0; at < order.size(); ++at) {
        finding.examples.push_back(medoids[order[at]]);
        place[order[at]] = static_cast<std::uint8_t>(at);
    }
    finding.exampleOf.resize(groups.size());
    std::ranges::transform(groups, finding.exampleOf.begin(), [&](std::uint8_t group) { return place[group]; });
}

void addExamples(Finding& finding, const FindingInputs& in, const ComputeContext& context) {
    const MatrixView set = (finding.side == Side::Real ? *in.real.set : *in.model.set).matrix();
    const NeighborTable& nearestReal = in.model.tables->synthetic.nearest;
    const bool areCopies = finding.kind->is(FindingKind::OfCopies);
    Groups groups = areCopies ? groupsByOriginal(nearestReal, finding.rows) : Groups();
    if (groups.empty())
        groups = groupsByLikeness(set, finding.rows, context);
    setExamples(finding, medoidsOf(set, finding.rows, groups, context), groups);
    if (areCopies)
        for (FindingExample& example : finding.examples)
            example.original = nearestReal.indexAt(example.row, 0);
}

/// The finding about the same samples; null for none.
const Finding* sameIn(std::span<const Finding> before, const Finding& finding) {
    const auto at = std::ranges::find_if(before, [&](const Finding& other) {
        return other.kind == finding.kind && !other.examples.empty() && other.rows == finding.rows;
    });
    return at == before.end() ? nullptr : &*at;
}

} // namespace

std::vector<Finding> withExamples(std::vector<Finding> findings, std::span<const Finding> before,
                                  const FindingInputs& in, const ComputeContext& context) {
    for (Finding& finding : findings) {
        const EmbeddingSet& set = finding.side == Side::Real ? *in.real.set : *in.model.set;
        if (finding.rows.empty() || !set.isWhole())
            continue;
        if (const Finding* same = sameIn(before, finding)) {
            finding.examples = same->examples;
            finding.exampleOf = same->exampleOf;
        } else {
            addExamples(finding, in, context);
        }
    }
    return findings;
}

std::size_t exampleBytes(std::size_t rows, std::size_t dim) {
    // k-means copies its rows once more to start on, and adds its centres up in eight parts.
    constexpr std::size_t kCopies = 2;
    constexpr std::size_t kBytesPerRow = 3 * sizeof(std::uint32_t) + 64; // drawn numbers, groups, counts by original
    return kCopies * std::min(rows, kExampleRows) * dim * sizeof(float) +
           (kParts + 16) * kMaxExamples * dim * sizeof(double) + rows * kBytesPerRow;
}

} // namespace assay
