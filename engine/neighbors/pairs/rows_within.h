#pragma once

#include "engine/math/products/kernels.h"
#include "engine/neighbors/pairs/pair_proposer.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace assay {

/// Counts the base rows within a distance of each query.
class RowsWithin : public PairHandler {
public:
    /// @param rows outlive this @param distance in the stored unit
    RowsWithin(const PairRows& rows, double distance) : count(rows.query.size()), rows_(rows), distance_(distance) {}

    double farthest(std::size_t, const PlaceRange&) const override { return distance_; }

    void take(const ProposedPairs& pairs, const JobContext&) override {
        for (std::size_t pair = 0; pair < pairs.place.size(); ++pair)
            count[pairs.query] += directDistance(rows_.queries, rows_.query[pairs.query], rows_.base,
                                                 rows_.baseRow[pairs.place[pair]]) <= distance_
                                      ? 1
                                      : 0;
    }

    std::vector<std::uint32_t> count; ///< per query

private:
    const PairRows& rows_;
    double distance_;
};

/// @return per row of a: rows of b within the distance
inline std::vector<std::uint32_t> rowsWithin(PairSearch search, MatrixView a, MatrixView b, double distance) {
    std::vector<std::uint32_t> all(std::max(a.rows, b.rows));
    std::iota(all.begin(), all.end(), 0U);
    const PairRows rows{a, {all.data(), a.rows}, b, {all.data(), b.rows}};
    RowsWithin within(rows, distance);
    PairProposer(search, a, b, 0, {}).propose(rows, within, {});
    return within.count;
}

} // namespace assay
