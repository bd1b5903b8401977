#include "engine/neighbors/nanoflann/nanoflann_search.h"

#include "engine/base/compute_context.h"
#include "engine/base/parallel.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/search/query_check.h"

#include <nanoflann.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
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

/// How often the most frequent row is in the set.
std::size_t mostCopies(const Rows& rows) {
    std::vector<std::uint32_t> order(rows.set().rows);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return std::ranges::lexicographical_compare(rows.row(a), rows.row(b));
    });
    std::size_t most = 0;
    std::size_t copies = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        copies = i > 0 && std::ranges::equal(rows.row(order[i - 1]), rows.row(order[i])) ? copies + 1 : 1;
        most = std::max(most, copies);
    }
    return most;
}

/// Points of a leaf. nanoflann 1.5 reads beyond its points where it splits equal ones or a box whose sides overflow, so
/// that it is never made to. A tree is at most about 278 levels deep per dimension, since each level halves a side of a
/// box and floats can be halved no more often; where that would be too deep for the stack, all points are one leaf,
/// too.
std::size_t leafPoints(const Rows& rows) {
    constexpr std::size_t kFastest = 20; // measured, of 5 to 40
    constexpr std::size_t kMostLevels = 10'000;
    constexpr std::size_t kLevelsPerDimension = 278;
    constexpr float kLargest = std::numeric_limits<float>::max() / 4.0F;
    const MatrixView set = rows.set();
    const std::span<const float> values(set.data, set.rows * set.dim);
    const bool canSplit = set.dim > 0 && std::min(set.rows, set.dim * kLevelsPerDimension) <= kMostLevels &&
                          std::ranges::all_of(values, [](float value) { return std::abs(value) <= kLargest; });
    return canSplit ? std::max(kFastest, mostCopies(rows)) : std::max<std::size_t>(set.rows, 1);
}

/// What is searched for in a tree, for each of some rows.
struct TreeQuery {
    MatrixView queries;
    bool isOwnSet;                ///< the queries are the tree's rows, none of which is its own neighbour
    std::size_t k;                ///< 0 for no neighbours
    std::span<const double> ball; ///< radii around the queries, or empty
    std::span<const double> innerBall;
};

struct TreeResult {
    NeighborTable nearest;
    std::vector<std::uint32_t> inside, insideInner;   ///< per query
    std::vector<std::uint32_t> holding, holdingInner; ///< per row of the tree
};

/// nanoflann's result set: the nearest rows of a query, and its balls.
class Collector {
public:
    using DistanceType = double;
    using IndexType = std::uint32_t;

    Collector(const TreeQuery& asked, std::size_t query, TreeResult& result)
        : asked_(asked), query_(query), result_(result),
          ball_(asked.ball.empty() || !(asked.ball[query] >= 0.0) ? -1.0 : asked.ball[query]) {
        nearest_.reserve(asked.k);
        updateLimit();
    }

    double worstDist() const { return limit_; }
    bool addPoint(double squared, std::uint32_t row) {
        if (asked_.isOwnSet && row == query_)
            return true;
        const Measured found{std::sqrt(squared), row};
        if (found.distance <= ball_)
            count(found);
        if (nearest_.size() == asked_.k) {
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
    bool full() const { return nearest_.size() == asked_.k; }
    void sort() {} // later versions of nanoflann call it

    void finish() {
        std::ranges::sort_heap(nearest_, std::less());
        for (std::size_t rank = 0; rank < nearest_.size(); ++rank) {
            result_.nearest.index[query_ * asked_.k + rank] = nearest_[rank].index;
            result_.nearest.distance[query_ * asked_.k + rank] = nearest_[rank].distance;
        }
    }

private:
    void count(const Measured& found) {
        const auto addOne = [](std::uint32_t& shared) {
            std::atomic_ref(shared).fetch_add(1, std::memory_order_relaxed); // other queries' balls hold the row, too
        };
        ++result_.inside[query_];
        addOne(result_.holding[found.index]);
        if (!asked_.innerBall.empty() && found.distance <= asked_.innerBall[query_]) {
            ++result_.insideInner[query_];
            addOne(result_.holdingInner[found.index]);
        }
    }
    void updateLimit() {
        if (!full())
            limit_ = std::numeric_limits<double>::infinity();
        else if (const double distance = std::max(ball_, nearest_.empty() ? -1.0 : nearest_.front().distance);
                 distance >= 0.0)
            limit_ = distance * distance * (1.0 + kSlack) + std::numeric_limits<double>::denorm_min();
    }

    const TreeQuery& asked_;
    std::size_t query_;
    TreeResult& result_;
    double ball_;
    double limit_ = -1.0;           ///< points at this squared distance or above are left out
    std::vector<Measured> nearest_; ///< a heap, the farthest first
};

TreeResult searchTree(const TreeQuery& asked, MatrixView set, const ComputeContext& context) {
    constexpr std::size_t kQueriesPerTask = 16;
    const JobContext build = context.job.part({}, 0.0, 0.1);
    const Rows rows(set, build);
    const Tree tree(static_cast<Tree::Dimension>(set.dim), rows, leafPoints(rows));
    const bool hasBalls = !asked.ball.empty();
    const bool hasInner = !asked.innerBall.empty();
    TreeResult result{noNeighbors(asked.queries.rows, asked.k), std::vector<std::uint32_t>(asked.ball.size()),
                      std::vector<std::uint32_t>(asked.innerBall.size()),
                      std::vector<std::uint32_t>(hasBalls ? set.rows : 0),
                      std::vector<std::uint32_t>(hasInner ? set.rows : 0)};
    if (asked.k == 0 && !hasBalls)
        return result;
    parallelRanges(asked.queries.rows, kQueriesPerTask, context.threads, context.job.part({}, 0.1, 1.0),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       for (std::size_t query = first; query < last; ++query) {
                           Collector collector(asked, query, result);
                           static_cast<void>(tree.radiusSearchCustomCallback(asked.queries.rowData(query), collector));
                           collector.finish();
                       }
                   });
    return result;
}

} // namespace

NeighborTable NanoflannSearch::selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const {
    checkSelfQuery(set, k);
    return searchTree({set, true, k, {}, {}}, set, {.threads = threads_, .job = job}).nearest;
}

CrossResult NanoflannSearch::cross(const CrossQuery& query, const JobContext& job) const {
    checkCrossQuery(query);
    TreeResult a = searchTree({query.a, false, query.kAToB, query.radiusA, query.innerRadiusA}, query.b,
                              {.threads = threads_, .job = job.part({}, 0.0, 0.5)});
    TreeResult b = searchTree({query.b, false, query.kBToA, query.radiusB, {}}, query.a,
                              {.threads = threads_, .job = job.part({}, 0.5, 1.0)});
    return {.aToB = std::move(a.nearest),
            .bToA = std::move(b.nearest),
            .insideBallA = std::move(a.inside),
            .insideInnerBallA = std::move(a.insideInner),
            .ballsAHolding = std::move(a.holding),
            .innerBallsAHolding = std::move(a.holdingInner),
            .insideBallB = std::move(b.inside),
            .ballsBHolding = std::move(b.holding)};
}

} // namespace assay
