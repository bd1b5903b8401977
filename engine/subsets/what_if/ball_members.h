#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/row_mask.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/neighbors/search/neighbor_table.h"

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

/// Which points lie in balls around given centres, for balls that grow: membership lists by distance, the audit's table
/// of nearest points to begin with, deepened where a ball outgrows its list.
class BallMembers {
public:
    /// @param nearest points nearest to every centre; kept by reference, like the views
    BallMembers(MatrixView centres, MatrixView points, const NeighborTable& nearest);

    /// Calls visit(point) for every listed point in the closed ball. O(members).
    /// @return whether the list names all of them
    template <typename Visit>
    bool visit(const CentredBall& ball, Visit visit) const {
        const List list = listOf(ball.centre);
        for (std::size_t rank = 0; rank < list.count && list.distance[rank] <= ball.radius; ++rank)
            visit(list.index[rank]);
        return ball.radius < list.end;
    }

    /// Whether the list names all points in the closed ball.
    bool knows(const CentredBall& ball) const { return ball.radius < listOf(ball.centre).end; }

    /// What to keep of a list: the ball's members, or as much as was found, for balls that will grow.
    enum class Keep { Members, Everything };
    struct Effort {
        std::size_t expected;  ///< about how many members a ball has; lists of many times as many are not sought
        Keep keep;             ///< of what is found
        std::size_t byteLimit; ///< ends early once all lists together take more
    };

    /// Deepens the lists of these balls, where worth the effort, so that they name all members.
    /// @throws Cancelled, keeping what was found
    void deepen(std::span<const CentredBall> balls, const Effort& effort, const NeighborSearch& search,
                const JobContext& job);

    /// Forgets the lists that were added, but for those of the centres in `needed`.
    void forgetAllBut(const RowMask& needed);

    std::size_t bytes() const noexcept { return bytes_; }

private:
    struct DeepList {
        std::vector<std::uint32_t> index;
        std::vector<double> distance;
        double end;

        std::size_t bytes() const noexcept;
    };
    struct List {
        const std::uint32_t* index;
        const double* distance;
        std::size_t count;
        double end; ///< every point nearer than this is listed
    };

    List listOf(std::size_t centre) const {
        if (const DeepList* deep = deep_[centre].get())
            return {deep->index.data(), deep->distance.data(), deep->index.size(), deep->end};
        const std::size_t first = centre * nearest_.k;
        // Of points at the last distance some may not be in the list.
        const double end = nearest_.k == points_.rows ? std::numeric_limits<double>::infinity()
                                                      : nearest_.distance[first + nearest_.k - 1];
        return {nearest_.index.data() + first, nearest_.distance.data() + first, nearest_.k, end};
    }

    std::vector<CentredBall> deepenTo(std::size_t depth, std::span<const CentredBall> balls, const Effort& effort,
                                      const NeighborSearch& search, const JobContext& job);
    bool store(const CentredBall& ball, const NeighborTable& found, std::size_t query, Keep keep);

    MatrixView centres_;
    MatrixView points_;
    const NeighborTable& nearest_;
    std::vector<std::unique_ptr<DeepList>> deep_; ///< one per centre, null where the table serves
    std::vector<double> hopeless_;                ///< per centre: a ball this large held too many to list
    std::size_t bytes_ = 0;
};

} // namespace assay
