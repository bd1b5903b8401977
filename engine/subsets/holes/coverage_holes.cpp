#include "engine/subsets/holes/coverage_holes.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/backends/cpu_backends.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace assay {
namespace {

constexpr std::size_t kJoined = 15;
/// A saddle that is no sparser than this joins two centres: 1.2 times the mean distance of the sparser one.
constexpr double kDeepest = 1.2;
/// Samples farther from each other than this many of their balls' radii are not joined.
constexpr double kReach = 2.0;

/// Missed samples with their nearest missed ones; rows are positions among the missed.
struct Missed {
    NeighborTable nearest;
    std::vector<double> radius;     ///< of their balls among all real samples
    std::vector<double> sparseness; ///< mean distance of the nearest

    bool isDenser(std::uint32_t a, std::uint32_t b) const {
        return sparseness[a] < sparseness[b] || (sparseness[a] == sparseness[b] && a < b);
    }
};

/// Each sample's neighbours in the graph: those that it lists, and those that list it.
std::vector<std::vector<std::uint32_t>> joinedTo(const Missed& missed) {
    const NeighborTable& nearest = missed.nearest;
    std::vector<std::vector<std::uint32_t>> joined(nearest.rows());
    for (std::uint32_t row = 0; row < nearest.rows(); ++row)
        for (std::size_t rank = 0; rank < nearest.k; ++rank) {
            const std::uint32_t other = nearest.indexAt(row, rank);
            if (nearest.distanceAt(row, rank) > kReach * std::max(missed.radius[row], missed.radius[other]))
                continue; // covered samples lie between
            joined[row].push_back(other);
            joined[other].push_back(row);
        }
    for (std::vector<std::uint32_t>& others : joined) {
        std::ranges::sort(others);
        others.erase(std::unique(others.begin(), others.end()), others.end());
    }
    return joined;
}

std::uint32_t centreOf(std::vector<std::uint32_t>& centres, std::uint32_t row) {
    while (centres[row] != row)
        row = centres[row] = centres[centres[row]];
    return row;
}

/// The centre of each sample's hole, which is its densest sample.
std::vector<std::uint32_t> groupByCentres(const Missed& missed, const JobContext& job) {
    const auto count = static_cast<std::uint32_t>(missed.sparseness.size());
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return missed.isDenser(a, b); });
    const std::vector<std::vector<std::uint32_t>> joined = joinedTo(missed);
    std::vector<std::uint32_t> centres(count);
    std::iota(centres.begin(), centres.end(), 0U);
    for (const std::uint32_t row : order) { // from the densest down
        job.throwIfStopped();
        std::vector<std::uint32_t> above;
        std::ranges::copy_if(joined[row], std::back_inserter(above),
                             [&](std::uint32_t other) { return missed.isDenser(other, row); });
        if (above.empty())
            continue; // a centre of its own
        std::ranges::sort(above, [&](std::uint32_t a, std::uint32_t b) { return missed.isDenser(a, b); });
        centres[row] = centreOf(centres, above.front());
        for (const std::uint32_t other : above) {
            std::uint32_t denser = centreOf(centres, row);
            std::uint32_t sparser = centreOf(centres, other);
            if (missed.isDenser(sparser, denser))
                std::swap(denser, sparser);
            if (missed.sparseness[row] <= kDeepest * missed.sparseness[sparser])
                centres[sparser] = denser;
        }
    }
    for (std::uint32_t row = 0; row < count; ++row)
        centres[row] = centreOf(centres, row);
    return centres;
}

/// The densest members, none of which is among the nearest of one before; positions among the missed.
std::vector<std::uint32_t> examplesOf(const Missed& missed, std::vector<std::uint32_t> members) {
    std::ranges::sort(members, [&](std::uint32_t a, std::uint32_t b) { return missed.isDenser(a, b); });
    std::vector<std::uint32_t> examples;
    const auto isNear = [&](std::uint32_t a, std::uint32_t b) {
        for (std::size_t rank = 0; rank < missed.nearest.k; ++rank)
            if (missed.nearest.indexAt(a, rank) == b)
                return true;
        return false;
    };
    for (const std::uint32_t member : members) {
        if (examples.size() == kHoleExamples)
            break;
        if (std::ranges::none_of(examples,
                                 [&](std::uint32_t one) { return isNear(one, member) || isNear(member, one); }))
            examples.push_back(member);
    }
    return examples;
}

std::vector<std::pair<std::string, std::size_t>> classesOf(const EmbeddingSet& real,
                                                           const std::vector<std::uint32_t>& rows) {
    std::map<std::string, std::size_t> counts;
    for (const std::uint32_t row : rows)
        if (real.hasLabel(row))
            ++counts[real.labelText(row)];
    std::vector<std::pair<std::string, std::size_t>> classes(counts.begin(), counts.end());
    std::ranges::stable_sort(classes, std::ranges::greater(), [](const auto& one) { return one.second; });
    return classes;
}

} // namespace

CoverageHoles coverageHoles(const AuditResult& audit, std::size_t model, const JobContext& job) {
    const ModelAudit& scores = *audit.models[model];
    CoverageHoles found{.model = audit.models[model], .missed = 0, .holes = {}, .apart = {}};
    if (!scores.hasColumn("coverage_verdict"))
        return found;
    const std::vector<double>& verdicts = scores.column("coverage_verdict");
    const std::vector<std::uint32_t> rows = rowsWhere(verdicts.size(), [&](std::size_t row) {
        return verdicts[row] == static_cast<double>(CoverageVerdict::Missed);
    });
    found.missed = rows.size();
    if (rows.size() < kSmallestHole) {
        found.apart = rows;
        return found;
    }
    const EmbeddingSet& real = *audit.real->set;
    const std::vector<float> values = gatherRows(real.matrix(), rows);
    const MatrixView set{values.data(), rows.size(), real.matrix().dim};
    const auto search = makeCpuSearch(BackendChoice::Auto, set, 0, job);
    Missed missed{search->within(set, std::min(kJoined, rows.size() - 1), job.part({}, 0.0, 0.9)), {}, {}};
    for (std::size_t row = 0; row < rows.size(); ++row) {
        missed.radius.push_back(audit.real->radius[rows[row]]);
        double sum = 0.0;
        for (std::size_t rank = 0; rank < missed.nearest.k; ++rank)
            sum += missed.nearest.distanceAt(row, rank);
        missed.sparseness.push_back(sum / static_cast<double>(missed.nearest.k));
    }
    const std::vector<std::uint32_t> centres = groupByCentres(missed, job);
    std::map<std::uint32_t, std::vector<std::uint32_t>> members;
    for (std::uint32_t at = 0; at < rows.size(); ++at)
        members[centres[at]].push_back(at);
    for (const auto& [centre, group] : members) {
        CoverageHole hole;
        for (const std::uint32_t at : group)
            hole.rows.push_back(rows[at]);
        if (group.size() < kSmallestHole) {
            found.apart.insert(found.apart.end(), hole.rows.begin(), hole.rows.end());
            continue;
        }
        for (const std::uint32_t at : examplesOf(missed, group))
            hole.examples.push_back(rows[at]);
        hole.classes = classesOf(real, hole.rows);
        found.holes.push_back(std::move(hole));
    }
    std::ranges::sort(found.apart);
    std::ranges::stable_sort(found.holes, std::ranges::greater(),
                             [](const CoverageHole& one) { return one.rows.size(); });
    return found;
}

} // namespace assay
