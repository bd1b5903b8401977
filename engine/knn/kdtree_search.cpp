#include "engine/knn/kdtree_search.h"

#include "engine/job/parallel.h"
#include "engine/knn/candidates.h"
#include "engine/knn/gemm_search.h"
#include "engine/knn/kernels.h"
#include "engine/knn/query_check.h"

#include <nanoflann.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kLeafRows = 16;
constexpr std::size_t kQueriesPerTask = 64;
/// Squared distances that bound a search are widened by this, so that neither ties nor the rounding of the tree's own
/// bounds (a few units in the last place of a double) prune what the definition includes.
constexpr double kMargin = 1.0 + 1e-9;

/// The stored rows as nanoflann sees them. While the tree is built it also looks for a stop request.
struct Rows {
    MatrixView set;
    const JobContext* building = nullptr;
    mutable std::size_t looks = 0;

    std::size_t kdtree_get_point_count() const { return set.rows; }
    float kdtree_get_pt(std::size_t row, std::size_t column) const {
        if (building != nullptr && (++looks & 0xFFFFU) == 0)
            building->throwIfStopped();
        return set.rowData(row)[column];
    }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
        return false;
    }
};

struct DirectMetric {
    using ElementType = float;
    using DistanceType = double;

    const Rows& rows;
    explicit DirectMetric(const Rows& source) : rows(source) {}

    double evalMetric(const float* query, std::uint32_t row, std::size_t dim) const {
        return kernels().squaredDistance(query, rows.set.rowData(row), dim);
    }
    template <typename U, typename V>
    double accum_dist(U a, V b, int) const {
        const double difference = static_cast<double>(a) - static_cast<double>(b);
        return difference * difference;
    }
};

using Index = nanoflann::KDTreeSingleIndexAdaptor<DirectMetric, Rows, -1, std::uint32_t>;

/// The k nearest by (distance, index), kept sorted; nanoflann's result-set interface.
class NearestSet {
public:
    using DistanceType = double;

    NearestSet(std::size_t k, std::optional<std::uint32_t> excluded) : k_(k), excluded_(excluded) {
        found_.reserve(k + 1);
    }

    bool addPoint(double squared, std::uint32_t row) {
        if (excluded_ && row == *excluded_)
            return true;
        const Measured next{std::sqrt(squared), row};
        if (found_.size() == k_ && !(next < found_.back()))
            return true;
        found_.insert(std::upper_bound(found_.begin(), found_.end(), next), next);
        if (found_.size() > k_)
            found_.pop_back();
        return true;
    }
    double worstDist() const {
        if (found_.size() < k_)
            return std::numeric_limits<double>::max();
        const double last = found_.back().distance;
        return last * last * kMargin + std::numeric_limits<double>::min();
    }
    bool full() const { return found_.size() == k_; }
    std::size_t size() const { return found_.size(); }
    void sort() {}

    const std::vector<Measured>& found() const { return found_; }

private:
    std::size_t k_;
    std::optional<std::uint32_t> excluded_;
    std::vector<Measured> found_;
};

/// Calls visit(row, distance) for every row within a closed ball; nanoflann's result-set interface.
template <typename Visit>
class BallSet {
public:
    using DistanceType = double;

    BallSet(double radius, Visit visit)
        : radius_(radius), bound_(radius * radius * kMargin + std::numeric_limits<double>::min()),
          visit_(std::move(visit)) {}

    bool addPoint(double squared, std::uint32_t row) {
        if (const double distance = std::sqrt(squared); distance <= radius_)
            visit_(row, distance);
        return true;
    }
    double worstDist() const { return bound_; }
    bool full() const { return true; }
    std::size_t size() const { return 0; }
    void sort() {}

private:
    double radius_;
    double bound_;
    Visit visit_;
};

class Tree {
public:
    Tree(MatrixView set, const JobContext& job) : rows_{set, &job} {
        job.throwIfStopped();
        index_ = std::make_unique<Index>(static_cast<int>(set.dim), rows_,
                                         nanoflann::KDTreeSingleIndexAdaptorParams(kLeafRows));
        rows_.building = nullptr;
    }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    template <typename ResultSet>
    void find(ResultSet& result, const float* query) const {
        index_->findNeighbors(result, query, {});
    }

private:
    Rows rows_;
    std::unique_ptr<Index> index_;
};

NeighborTable nearest(const Tree& tree, MatrixView queries, std::size_t k, bool sameSet, unsigned threads,
                      const JobContext& job) {
    NeighborTable table;
    table.k = k;
    if (k == 0)
        return table;
    table.index.resize(queries.rows * k);
    table.distance.resize(queries.rows * k);
    parallelFor((queries.rows + kQueriesPerTask - 1) / kQueriesPerTask, threads, job, [&](std::size_t t, unsigned) {
        const std::size_t last = std::min(queries.rows, (t + 1) * kQueriesPerTask);
        for (std::size_t q = t * kQueriesPerTask; q < last; ++q) {
            job.throwIfStopped();
            NearestSet set(k, sameSet ? std::optional(static_cast<std::uint32_t>(q)) : std::nullopt);
            tree.find(set, queries.rowData(q));
            for (std::size_t rank = 0; rank < k; ++rank) {
                table.index[q * k + rank] = set.found()[rank].index;
                table.distance[q * k + rank] = set.found()[rank].distance;
            }
        }
    });
    return table;
}

/// Whether the tree's own arithmetic, sums of two coordinates in float, might overflow. The product scales its inputs
/// and takes over.
bool tooLarge(MatrixView set) {
    constexpr float kLargest = std::numeric_limits<float>::max() / 4.0F;
    const std::span values(set.data, set.rows * set.dim);
    return std::any_of(values.begin(), values.end(), [](float v) { return std::abs(v) > kLargest; });
}

struct BallCounts {
    std::vector<std::uint32_t> inside, insideInner;   ///< per centre
    std::vector<std::uint32_t> holding, holdingInner; ///< per point
};

void addInto(std::vector<std::uint32_t>& total, const std::vector<std::uint32_t>& part) {
    for (std::size_t i = 0; i < part.size(); ++i)
        total[i] += part[i];
}

BallCounts countBalls(const Tree& points, std::size_t pointRows, MatrixView centres, std::span<const double> radius,
                      std::span<const double> inner, unsigned threads, const JobContext& job) {
    BallCounts counts;
    if (radius.empty())
        return counts;
    const unsigned workers = resolveThreads(threads);
    const std::size_t innerPoints = inner.empty() ? 0 : pointRows;
    counts.inside.assign(centres.rows, 0);
    counts.insideInner.assign(inner.empty() ? 0 : centres.rows, 0);
    counts.holding.assign(pointRows, 0);
    counts.holdingInner.assign(innerPoints, 0);
    // Balls of different centres share points, so each worker counts for itself.
    std::vector<BallCounts> own(workers);
    parallelFor((centres.rows + kQueriesPerTask - 1) / kQueriesPerTask, workers, job,
                [&](std::size_t t, unsigned worker) {
                    BallCounts& mine = own[worker];
                    mine.holding.resize(pointRows, 0);
                    mine.holdingInner.resize(innerPoints, 0);
                    const std::size_t last = std::min(centres.rows, (t + 1) * kQueriesPerTask);
                    for (std::size_t c = t * kQueriesPerTask; c < last; ++c) {
                        job.throwIfStopped();
                        BallSet ball(radius[c], [&](std::uint32_t row, double distance) {
                            ++counts.inside[c];
                            ++mine.holding[row];
                            if (!inner.empty() && distance <= inner[c]) {
                                ++counts.insideInner[c];
                                ++mine.holdingInner[row];
                            }
                        });
                        points.find(ball, centres.rowData(c));
                    }
                });
    for (const BallCounts& mine : own) {
        addInto(counts.holding, mine.holding);
        addInto(counts.holdingInner, mine.holdingInner);
    }
    return counts;
}

} // namespace

NeighborTable KdTreeSearch::selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const {
    checkSelfQuery(set, k);
    if (tooLarge(set))
        return GemmSearch(threads_).selfNeighbors(set, k, job);
    const JobContext build = job.part("building the tree", 0.0, 0.05);
    const Tree tree(set, build);
    return nearest(tree, set, k, true, threads_, job.part("searching the tree", 0.05, 1.0));
}

CrossResult KdTreeSearch::cross(const CrossQuery& query, const JobContext& job) const {
    checkCrossQuery(query);
    if (tooLarge(query.a) || tooLarge(query.b))
        return GemmSearch(threads_).cross(query, job);
    const JobContext build = job.part("building the trees", 0.0, 0.05);
    const Tree treeA(query.a, build);
    const Tree treeB(query.b, build);
    CrossResult result;
    result.aToB = nearest(treeB, query.a, query.kAToB, false, threads_, job.part("searching the tree", 0.05, 0.35));
    result.bToA = nearest(treeA, query.b, query.kBToA, false, threads_, job.part("searching the tree", 0.35, 0.65));
    BallCounts a = countBalls(treeB, query.b.rows, query.a, query.radiusA, query.innerRadiusA, threads_,
                              job.part("counting balls", 0.65, 0.85));
    BallCounts b =
        countBalls(treeA, query.a.rows, query.b, query.radiusB, {}, threads_, job.part("counting balls", 0.85, 1.0));
    result.insideBallA = std::move(a.inside);
    result.insideInnerBallA = std::move(a.insideInner);
    result.ballsAHolding = std::move(a.holding);
    result.innerBallsAHolding = std::move(a.holdingInner);
    result.insideBallB = std::move(b.inside);
    result.ballsBHolding = std::move(b.holding);
    return result;
}

} // namespace assay
