#include "engine/layout/joint_neighbors.h"

#include "engine/base/error.h"
#include "engine/metrics/tables/pass_tables.h"
#include "engine/neighbors/backends/kdtree_search.h"

#include <algorithm>
#include <limits>
#include <string>

namespace assay {
namespace {

/// Neighbour tables of one set: in the same set and in the other, as indices in the union.
struct Lists {
    const NeighborTable& toReal;
    const NeighborTable& toSynthetic;
    std::size_t realRows;
    std::size_t realOthers, syntheticOthers; ///< rows that can be neighbours

    /// Number of nearest neighbours that the tables determine: rows beyond the end of a truncated list are unknown.
    std::size_t known() const {
        const bool allReal = toReal.k == realOthers;
        const bool allSynthetic = toSynthetic.k == syntheticOthers;
        if (allReal && allSynthetic)
            return toReal.k + toSynthetic.k;
        return allReal ? toSynthetic.k : allSynthetic ? toReal.k : std::min(toReal.k, toSynthetic.k);
    }

    void merge(std::size_t row, std::size_t k, std::uint32_t* index, double* distance) const {
        std::size_t r = 0;
        std::size_t s = 0;
        for (std::size_t rank = 0; rank < k; ++rank) {
            // At equal distances the real sample comes first: its index is lower.
            const bool real =
                s == toSynthetic.k || (r < toReal.k && toReal.distanceAt(row, r) <= toSynthetic.distanceAt(row, s));
            index[rank] =
                real ? toReal.indexAt(row, r) : static_cast<std::uint32_t>(realRows + toSynthetic.indexAt(row, s));
            distance[rank] = real ? toReal.distanceAt(row, r) : toSynthetic.distanceAt(row, s);
            ++(real ? r : s);
        }
    }
};

} // namespace

NeighborTable jointNeighbors(const RealAnalysis& real, const PairTables& pair, std::size_t wanted) {
    const std::size_t n = pair.real.nearest.rows();
    const std::size_t m = pair.synthetic.nearest.rows();
    const Lists ofReal{real.neighbors, pair.real.nearest, n, n - 1, m};
    const Lists ofSynthetic{pair.synthetic.nearest, pair.syntheticToSynthetic, n, n, m - 1};
    NeighborTable joint = noNeighbors(n + m, std::min({wanted, ofReal.known(), ofSynthetic.known()}));
    for (std::size_t row = 0; row < n + m; ++row) {
        const std::size_t at = row * joint.k;
        const Lists& lists = row < n ? ofReal : ofSynthetic;
        lists.merge(row < n ? row : row - n, joint.k, joint.index.data() + at, joint.distance.data() + at);
    }
    return joint;
}

double keptNeighbors(const NeighborTable& neighbors, std::span<const std::array<float, 3>> positions, unsigned threads,
                     const JobContext& job) {
    if (positions.size() != neighbors.rows())
        throw Error(ErrorKind::InvalidArgument, "kept neighbours: expected " + std::to_string(neighbors.rows()) +
                                                    " positions, found " + std::to_string(positions.size()));
    if (positions.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const std::size_t k = neighbors.k;
    const NeighborTable placed = KdTreeSearch(threads).within({positions.front().data(), positions.size(), 3}, k, job);
    std::size_t kept = 0;
    for (std::size_t row = 0; row < neighbors.rows(); ++row) {
        const auto* first = placed.index.data() + row * k;
        for (std::size_t rank = 0; rank < k; ++rank)
            kept += std::find(first, first + k, neighbors.indexAt(row, rank)) == first + k ? 0U : 1U;
    }
    return static_cast<double>(kept) / static_cast<double>(neighbors.index.size());
}

} // namespace assay
