#include "engine/audit/result/sample_pairs.h"

#include "engine/audit/result/audit_result.h"
#include "engine/metrics/verdicts/copy_ratio.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kRowsBetweenStops = 16384;

void stopIfAsked(std::size_t row, const JobContext& job) {
    if (row % kRowsBetweenStops == 0)
        job.throwIfStopped();
}

/// Per sample: the distance from its nearest real sample to that sample's nearest other real sample.
std::vector<double> references(const NeighborTable& toReal, const NeighborTable& real) {
    std::vector<double> distances(toReal.rows());
    for (std::size_t j = 0; j < distances.size(); ++j)
        distances[j] = real.distanceAt(toReal.indexAt(j, 0), 0);
    return distances;
}

SamplePair pairOf(std::size_t a, std::size_t b, double distance, const std::vector<double>& reference) {
    return {static_cast<std::uint32_t>(std::min(a, b)), static_cast<std::uint32_t>(std::max(a, b)), distance,
            distanceRatio(distance, std::min(reference[a], reference[b]))};
}

SamplePairs sorted(std::vector<SamplePair> pairs, double threshold, const JobContext& job) {
    job.throwIfStopped();
    std::sort(pairs.begin(), pairs.end(), [](const SamplePair& a, const SamplePair& b) {
        return std::tie(a.ratio, a.distance, a.first, a.second) < std::tie(b.ratio, b.distance, b.first, b.second);
    });
    const auto end = std::partition_point(
        pairs.begin(), pairs.end(), [threshold](const SamplePair& pair) { return isRemarkable(pair, threshold); });
    const auto remarkable = static_cast<std::size_t>(end - pairs.begin());
    return {std::move(pairs), threshold, remarkable};
}

/// Disjoint sets of rows (union-find); the lowest row represents its set.
class JoinedRows {
public:
    explicit JoinedRows(std::size_t rows) : parent_(rows) { std::iota(parent_.begin(), parent_.end(), 0U); }

    std::uint32_t lowest(std::uint32_t row) {
        while (parent_[row] != row)
            row = parent_[row] = parent_[parent_[row]]; // halves the path
        return row;
    }

    void join(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t first = lowest(a);
        const std::uint32_t second = lowest(b);
        parent_[std::max(first, second)] = std::min(first, second);
    }

private:
    std::vector<std::uint32_t> parent_;
};

bool hasTables(const RealAnalysis& real, const ModelAudit& model) {
    return real.neighbors.rows() > 0 && model.tables->synthetic.nearest.rows() > 0;
}

} // namespace

SamplePairs duplicatePairs(const RealAnalysis& real, const ModelAudit& model, std::uint64_t seed,
                           const JobContext& job) {
    const NeighborTable& own = model.tables->syntheticToSynthetic;
    if (own.rows() == 0 || !hasTables(real, model))
        return {};
    const std::vector<double> reference = references(model.tables->synthetic.nearest, real.neighbors);
    std::vector<SamplePair> pairs;
    pairs.reserve(own.rows());
    for (std::size_t j = 0; j < own.rows(); ++j) {
        stopIfAsked(j, job);
        const std::uint32_t nearest = own.indexAt(j, 0);
        const bool listedBefore = nearest < j && own.indexAt(nearest, 0) == j;
        if (!listedBefore)
            pairs.push_back(pairOf(j, nearest, own.distanceAt(j, 0), reference));
    }
    return sorted(std::move(pairs), duplicateThreshold(real.neighbors, own.rows(), seed, job), job);
}

SamplePairs copyPairs(const RealAnalysis& real, const ModelAudit& model, const JobContext& job) {
    if (!hasTables(real, model))
        return {};
    const NeighborTable& toReal = model.tables->synthetic.nearest;
    const std::vector<double> ratios = copyRatios(toReal, real.neighbors);
    std::vector<SamplePair> pairs(toReal.rows());
    for (std::size_t j = 0; j < pairs.size(); ++j) {
        stopIfAsked(j, job);
        pairs[j] = {static_cast<std::uint32_t>(j), toReal.indexAt(j, 0), toReal.distanceAt(j, 0), ratios[j]};
    }
    return sorted(std::move(pairs), copyThreshold(real.neighbors), job);
}

SamplePairs exposedPairs(const ModelAudit& model, std::size_t heldOutRows, const JobContext& job) {
    const NeighborTable& nearest = model.tables->real.nearest;
    if (nearest.rows() == 0 || !model.hasColumn("membership_rank"))
        return {};
    const std::vector<double>& ranks = model.column("membership_rank");
    std::vector<SamplePair> pairs(nearest.rows());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        stopIfAsked(i, job);
        pairs[i] = {static_cast<std::uint32_t>(i), nearest.indexAt(i, 0), nearest.distanceAt(i, 0), 1.0 - ranks[i]};
    }
    // Found are those as near as at most 1 % of the held-out samples. Ratios are multiples of 1 / heldOutRows, and the
    // threshold lies between two of them.
    const auto rows = static_cast<double>(heldOutRows);
    const double threshold = (std::floor(kRemarkableShare * rows) + 0.5) / rows;
    SamplePairs result = sorted(std::move(pairs), threshold, job);
    // At distance 0, too, a sample is exposed only if held-out samples are not.
    const auto isFound = [threshold](const SamplePair& pair) { return pair.ratio < threshold; };
    result.remarkable =
        static_cast<std::size_t>(std::ranges::partition_point(result.pairs, isFound) - result.pairs.begin());
    return result;
}

std::vector<std::uint32_t> duplicateRepresentatives(const RealAnalysis& real, const ModelAudit& model, double threshold,
                                                    const JobContext& job) {
    const NeighborTable& own = model.tables->syntheticToSynthetic;
    if (own.rows() == 0 || !hasTables(real, model))
        return {};
    const std::vector<double> reference = references(model.tables->synthetic.nearest, real.neighbors);
    JoinedRows groups(own.rows());
    for (std::size_t j = 0; j < own.rows(); ++j) {
        stopIfAsked(j, job);
        for (std::size_t rank = 0; rank < own.k; ++rank) {
            const double distance = own.distanceAt(j, rank);
            // The other sample's reference can only make the ratio larger, and further neighbours are no nearer.
            if (distance > 0.0 && !(distanceRatio(distance, reference[j]) < threshold))
                break;
            const std::uint32_t other = own.indexAt(j, rank);
            if (isRemarkable(pairOf(j, other, distance, reference), threshold))
                groups.join(static_cast<std::uint32_t>(j), other);
        }
    }
    std::vector<std::uint32_t> representatives(own.rows());
    for (std::uint32_t j = 0; j < representatives.size(); ++j)
        representatives[j] = groups.lowest(j);
    return representatives;
}

} // namespace assay
