#include "engine/neighbors/backends/cpu_backends.h"

#include "engine/base/compute_context.h"
#include "engine/base/parallel.h"
#include "engine/data/equal_rows.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/search/result_collectors.h"

#include <nanoflann.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Relative slack of the squared distance up to which branches are visited and points are looked at. nanoflann's lower
/// bound on a branch sums at most one term per dimension and changes it once per level: a relative error of
/// (dim + 3 levels) 2^-53, below 2e-6 for what fits in memory. The slack also covers the rounding of roots and squares,
/// so that it admits all points whose distances tie with the limit.
constexpr double kSlack = 1e-5;
/// A set as nanoflann reads it. Rows and coordinates are read only to build a tree, which stops when it is asked to.
class Rows {
public:
    Rows(MatrixView set, const JobContext& job) : set_(set), job_(job) {}

    MatrixView set() const { return set_; }
    std::span<const float> row(std::size_t index) const {
        countRead();
        return set_.row(index);
    }

    // NOLINTBEGIN(readability-identifier-naming): the names are nanoflann's
    std::size_t kdtree_get_point_count() const { return set_.rows; }
    float kdtree_get_pt(std::size_t row, std::size_t column) const {
        countRead();
        return set_.rowData(row)[column];
    }
    template <typename Box>
    bool kdtree_get_bbox(Box&) const {
        return false;
    }
    // NOLINTEND(readability-identifier-naming)

private:
    void countRead() const {
        constexpr std::size_t kReadsPerCheck = 1 << 16;
        if (++reads_ % kReadsPerCheck == 0)
            job_.throwIfStopped();
    }

    MatrixView set_;
    const JobContext& job_;
    mutable std::size_t reads_ = 0;
};

/// nanoflann's metric: the squared distance of the exactness contract. Squares of differences of floats neither
/// overflow nor underflow in double precision.
struct DirectMetric {
    using ElementType = float;
    using DistanceType = double;

    explicit DirectMetric(const Rows& rows) : set(rows.set()), squaredDistance(kernels().squaredDistance) {}

    double evalMetric(const float* query, std::uint32_t row, std::size_t dim) const {
        return squaredDistance(query, set.rowData(row), dim);
    }
    template <typename A, typename B>
    // NOLINTNEXTLINE(readability-identifier-naming): the name is nanoflann's
    double accum_dist(A a, B b, std::size_t) const {
        const double difference = static_cast<double>(a) - static_cast<double>(b);
        return difference * difference;
    }

    MatrixView set;
    double (*squaredDistance)(const float*, const float*, std::size_t);
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<DirectMetric, Rows, -1, std::uint32_t>;

/// Points of a leaf. nanoflann 1.5 reads beyond its points where it splits equal ones or a box whose sides overflow, so
/// that it is never made to. A tree is at most about 278 levels deep per dimension, since each level halves a side of a
/// box and floats can be halved no more often; where that would be too deep for the stack, all points are one leaf,
/// too.
std::size_t leafPoints(const Rows& rows) {
    constexpr std::size_t kFastest = 20; // measured, of 5 to 40
    constexpr std::size_t kMaxLevels = 10'000;
    constexpr std::size_t kLevelsPerDimension = 278;
    constexpr float kLargest = std::numeric_limits<float>::max() / 4.0F;
    const MatrixView set = rows.set();
    const std::span<const float> values(set.data, set.rows * set.dim);
    const bool canSplit = set.dim > 0 && std::min(set.rows, set.dim * kLevelsPerDimension) <= kMaxLevels &&
                          std::ranges::all_of(values, [](float value) { return std::abs(value) <= kLargest; });
    if (!canSplit)
        return std::max<std::size_t>(set.rows, 1);
    const std::vector<std::uint32_t> copies = groupEqualRows(std::array{set}, {.threads = 1}).countsOf(0);
    return std::max<std::size_t>(kFastest, copies.empty() ? 0 : std::ranges::max(copies));
}

/// nanoflann's result set: the nearest rows of a query, and those in its ball.
class Collector {
public:
    using DistanceType = double;
    using IndexType = std::uint32_t;

    /// @param excluded row that is not taken: the query itself, where it is one of the tree's rows; else kNoNeighbor
    Collector(std::size_t query, std::uint32_t excluded, NeighborTable& nearest, BallCounter& balls)
        : query_(query), excluded_(excluded), table_(nearest), balls_(balls), ball_(balls.radius(query)) {
        nearest_.reserve(table_.k);
        updateLimit();
    }

    double worstDist() const { return limit_; }
    bool addPoint(double squared, std::uint32_t row) {
        if (row == excluded_)
            return true;
        const Measured found{std::sqrt(squared), row};
        if (found.distance <= ball_)
            balls_.count(query_, row, found.distance);
        if (full()) {
            if (nearest_.empty() || !(found < nearest_.front()))
                return true;
            std::ranges::pop_heap(nearest_, std::less());
            nearest_.pop_back();
        }
        nearest_.push_back(found);
        std::ranges::push_heap(nearest_, std::less());
        updateLimit();
        return true;
    }
    std::size_t size() const { return nearest_.size(); }
    bool full() const { return nearest_.size() == table_.k; }
    void sort() {} // later versions of nanoflann call it

    void finish() {
        std::ranges::sort_heap(nearest_, std::less());
        for (std::size_t rank = 0; rank < nearest_.size(); ++rank) {
            table_.index[query_ * table_.k + rank] = nearest_[rank].index;
            table_.distance[query_ * table_.k + rank] = nearest_[rank].distance;
        }
    }

private:
    void updateLimit() {
        if (!full())
            limit_ = std::numeric_limits<double>::infinity();
        else if (const double distance = std::max(ball_, nearest_.empty() ? -1.0 : nearest_.front().distance);
                 distance >= 0.0)
            limit_ = distance * distance * (1.0 + kSlack) + std::numeric_limits<double>::denorm_min();
    }

    std::size_t query_;
    std::uint32_t excluded_;
    NeighborTable& table_;
    BallCounter& balls_;
    double ball_;
    double limit_ = -1.0;           ///< points at this squared distance or above are left out
    std::vector<Measured> nearest_; ///< a heap, the farthest first
};

/// A search in a tree for each of some rows.
struct TreeQuery {
    MatrixView queries;
    bool isOwnSet; ///< the queries are the tree's rows, none of which is its own neighbour
    std::size_t k; ///< 0 for no neighbours
};

/// @return the nearest rows of the set, for every query
NeighborTable searchTree(const TreeQuery& asked, MatrixView set, BallCounter& balls, const ComputeContext& context) {
    constexpr std::size_t kQueriesPerTask = 16;
    NeighborTable nearest = noNeighbors(asked.queries.rows, asked.k);
    if (asked.k == 0 && !balls.any())
        return nearest;
    const JobContext build = context.job.part({}, 0.0, 0.1);
    const Rows rows(set, build);
    const Tree tree(static_cast<Tree::Dimension>(set.dim), rows, leafPoints(rows));
    parallelRanges(asked.queries.rows, kQueriesPerTask, context.threads, context.job.part({}, 0.1, 1.0),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       for (std::size_t query = first; query < last; ++query) {
                           const std::uint32_t self = asked.isOwnSet ? static_cast<std::uint32_t>(query) : kNoNeighbor;
                           Collector collector(query, self, nearest, balls);
                           static_cast<void>(tree.radiusSearchCustomCallback(asked.queries.rowData(query), collector));
                           collector.finish();
                       }
                   });
    return nearest;
}

} // namespace

NeighborTable NanoflannSearch::within(MatrixView set, std::size_t k, const JobContext& job) const {
    requireNeighbors(set.rows, k);
    BallCounter none({set}, set);
    return searchTree({set, true, k}, set, none, {.threads = threads_, .job = job});
}

PassResult NanoflannSearch::between(const SideQuery& a, const SideQuery& b, const JobContext& job) const {
    requireSides(a, b);
    PassResult found;
    BallCounter ballsA(a, b.rows);
    BallCounter ballsB(b, a.rows);
    found.a.nearest =
        searchTree({a.rows, false, a.k}, b.rows, ballsA, {.threads = threads_, .job = job.part({}, 0.0, 0.5)});
    found.b.nearest =
        searchTree({b.rows, false, b.k}, a.rows, ballsB, {.threads = threads_, .job = job.part({}, 0.5, 1.0)});
    ballsA.addTo(found.a, found.b);
    ballsB.addTo(found.b, found.a);
    return found;
}

} // namespace assay
