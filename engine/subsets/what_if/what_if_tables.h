#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/metric.h"
#include "engine/metrics/tables/subset_neighbors.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace assay {

/// A ball around a row of the centres' set.
struct CentredBall {
    std::uint32_t centre;
    double radius;
};

/// Finds the points in balls around given centres, for balls that grow. Membership lists are sorted by distance. They
/// start as the audit's table of nearest points; longer lists are searched when a ball outgrows its list.
class BallMembers {
public:
    /// @param centres, points kept by reference
    /// @param nearest the points nearest to every centre; kept by reference
    BallMembers(MatrixView centres, MatrixView points, const NeighborTable& nearest);

    /// Calls visit(point) for every listed point in the closed ball. O(members).
    /// @return whether the list contains all points in the ball
    template <typename Visit>
    bool visit(const CentredBall& ball, Visit visit) const {
        const List list = listOf(ball.centre);
        for (std::size_t rank = 0; rank < list.count && list.distance[rank] <= ball.radius; ++rank)
            visit(list.index[rank]);
        return ball.radius < list.end;
    }

    struct Effort {
        std::size_t expected;  ///< expected number of members per ball; balls with many times as many are not listed
        std::size_t byteLimit; ///< the search ends early when all lists together take more bytes
    };

    /// Extends the lists of these balls so that they contain all members, unless a ball has far more members than
    /// expected.
    /// @throws Cancelled; lists found before are kept
    void extendLists(std::span<const CentredBall> balls, const Effort& effort, const NeighborSearch& search,
                     const JobContext& job);

    /// Drops the added lists except those of the centres in `needed`.
    void keepOnly(const RowMask& needed);

    std::size_t bytes() const noexcept { return bytes_; }

private:
    struct LongerList {
        std::vector<std::uint32_t> index;
        std::vector<double> distance;
        double end;

        std::size_t bytes() const noexcept;
    };
    struct List {
        const std::uint32_t* index;
        const double* distance;
        std::size_t count;
        double end; ///< every point nearer than this distance is listed
    };

    List listOf(std::size_t centre) const {
        if (const LongerList* deep = longer_[centre].get())
            return {deep->index.data(), deep->distance.data(), deep->index.size(), deep->end};
        const std::size_t first = centre * nearest_.k;
        // Of points at the last distance some may not be in the list.
        const double end = nearest_.k == points_.rows ? std::numeric_limits<double>::infinity()
                                                      : nearest_.distance[first + nearest_.k - 1];
        return {nearest_.index.data() + first, nearest_.distance.data() + first, nearest_.k, end};
    }

    /// Whether the list contains all points in the closed ball.
    bool knows(const CentredBall& ball) const { return ball.radius < listOf(ball.centre).end; }
    std::vector<CentredBall> listUpTo(std::size_t depth, std::span<const CentredBall> balls, const Effort& effort,
                                      const NeighborSearch& search, const JobContext& job);
    bool store(const CentredBall& ball, const NeighborTable& found, std::size_t query);

    MatrixView centres_;
    MatrixView points_;
    const NeighborTable& nearest_;
    std::vector<std::unique_ptr<LongerList>> longer_; ///< one per centre; null if the table is used
    /// Per centre: smallest radius whose ball had too many members to list.
    std::vector<double> tooLargeRadius_;
    std::size_t bytes_ = 0;
};

/// Tables that WhatIf reads and extends: neighbours of real and synthetic samples among subsets of the synthetic
/// samples, and the real samples in synthetic balls.
struct WhatIfTables {
    WhatIfTables(std::shared_ptr<const AuditResult> result, std::size_t model, std::unique_ptr<NeighborSearch> how,
                 std::size_t bytesPerSample, SubsetScores scores);

    std::shared_ptr<const AuditResult> audit;
    const RealAnalysis& real;
    const ModelAudit& model;
    std::size_t k;
    SubsetScores scores;
    std::unique_ptr<NeighborSearch> search;
    SubsetNeighbors realToSynthetic;
    SubsetNeighbors syntheticToSynthetic;
    BallMembers realInBalls;
    std::size_t byteLimit;

    /// Number of neighbours that the metrics read: of a synthetic sample in its own set (ownNeighbors()), and of a real
    /// sample in the synthetic set (neighborsOfReal()).
    std::size_t ownNeighbors() const {
        return scores == SubsetScores::Samples ? std::max(k, audit->cover.neighbors()) : k;
    }
    std::size_t neighborsOfReal() const { return scores == SubsetScores::Samples ? std::max(k, audit->cover.k) : k; }
    std::size_t realRows() const { return real.set->rows(); }
    std::size_t syntheticRows() const { return model.set->rows(); }
    std::size_t bytes() const { return realToSynthetic.bytes() + syntheticToSynthetic.bytes() + realInBalls.bytes(); }
    /// Part of byteLimit for membership lists. It is small because memberships can be found in other ways that are
    /// faster than searching neighbours again.
    std::size_t ballByteLimit() const { return byteLimit / 4; }
    /// Drops the least recently used lists until the limit holds.
    /// @param kept the subset in use
    void trim(const RowMask& kept);
};

} // namespace assay
