#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/bounds.h"
#include "engine/neighbors/search/result_collectors.h"
#include "engine/neighbors/tree/point_tree.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace assay {

/// Points of one block found near one query, by their single-precision squared distances.
struct BlockHits {
    std::span<const float> squared;
    std::span<const std::uint8_t> position; ///< within the block
    std::span<const std::uint32_t> rows;    ///< of the block's points: position p is row rows[p] of the set

    std::size_t count() const noexcept { return squared.size(); }
    std::uint32_t row(std::size_t hit) const noexcept { return rows[position[hit]]; }
};

/// Scans the pairs of one block of queries and the points of a tree that are within a reach. One object per worker.
class BlockScan {
public:
    /// @param points may be the queries' own tree: a query is then not paired with itself
    BlockScan(const PointTree& queries, const PointTree& points) : queries_(queries), points_(points) {}

    /// Calls take(q, hits) for each query q of a block and each block of points that holds hits, near blocks first.
    /// @param limits per query of the block, 64: squared distance up to which points are hits; may shrink on the way
    /// @param farthest returns a distance (squared) beyond which no query's limit reaches
    /// @throws Cancelled
    template <class Farthest, class Take>
    void run(std::size_t queryBlock, const float* limits, const Farthest& farthest, const JobContext& job,
             const Take& take) {
        const std::size_t from = queries_.leafOf(queryBlock);
        open_.assign(1, {0, distance(from, 0)});
        while (!open_.empty()) {
            const Open next = open_.back();
            open_.pop_back();
            if (!(next.distance <= farthest()))
                continue;
            if (points_.node(next.node).blocks > 1) {
                openChildren(from, next.node, farthest());
                continue;
            }
            job.throwIfStopped();
            scanBlock(queryBlock, points_.node(next.node).firstBlock, limits, take);
        }
    }

private:
    struct Open {
        std::size_t node;
        float distance;
    };

    void openChildren(std::size_t from, std::size_t node, float farthest) {
        Open near{PointTree::leftOf(node), distance(from, PointTree::leftOf(node))};
        Open far{points_.rightOf(node), distance(from, points_.rightOf(node))};
        const bool bothMatter = near.distance <= farthest && far.distance <= farthest;
        if (bothMatter && distanceOfMiddle(from, far.node) < distanceOfMiddle(from, near.node))
            std::swap(near, far);
        if (far.distance <= farthest)
            open_.push_back(far);
        if (near.distance <= farthest)
            open_.push_back(near);
    }

    float distance(std::size_t queryNode, std::size_t node) const {
        return leafKernels().boxDistance(queries_.low(queryNode), queries_.high(queryNode), points_.low(node),
                                         points_.high(node), points_.paddedDim());
    }
    float distanceOfMiddle(std::size_t queryNode, std::size_t node) const {
        return leafKernels().boxDistance(queries_.middle(queryNode), queries_.middle(queryNode), points_.low(node),
                                         points_.high(node), points_.paddedDim());
    }

    template <class Take>
    void scanBlock(std::size_t queryBlock, std::size_t block, const float* limits, const Take& take) {
        const LeafKernels& kernel = leafKernels();
        const std::size_t dim = points_.set().dim;
        const std::size_t leaf = points_.leafOf(block);
        const bool same = &queries_ == &points_ && queryBlock == block;
        std::uint64_t near =
            kernel.pointsNearBox(queries_.block(queryBlock), dim, points_.low(leaf), points_.high(leaf), limits);
        kernel.pointsNearPoints(points_.block(block), dim, {queries_.block(queryBlock), near, limits}, hits_);
        for (; near != 0; near &= near - 1) {
            const auto q = static_cast<std::size_t>(__builtin_ctzll(near));
            if (same)
                dropSelf(q);
            const std::size_t count = hits_.count[q];
            if (count > 0)
                take(q, BlockHits{{hits_.squared[q], count}, {hits_.position[q], count}, points_.rowsIn(block)});
        }
    }

    /// Takes the query itself out of the hits of its own block.
    void dropSelf(std::size_t q) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < hits_.count[q]; ++i) {
            hits_.squared[q][kept] = hits_.squared[q][i];
            hits_.position[q][kept] = hits_.position[q][i];
            kept += hits_.position[q][i] != q ? 1 : 0;
        }
        hits_.count[q] = static_cast<std::uint8_t>(kept);
    }

    const PointTree& queries_;
    const PointTree& points_;
    std::vector<Open> open_;
    PointHits hits_;
};

/// The k nearest of up to 64 queries at once, the points of one block of the query tree.
///
/// Points proposed by their single-precision distance are gathered until a query's list is full; then the list's k-th
/// smallest bounds what may still matter and the rest is dropped. Where that does not help (ties, duplicates) the
/// list's points are measured by definition and only the k nearest by (distance, index) stay, as they do at the end.
class BlockNeighbors {
public:
    /// @param scale of the trees' coordinates
    /// @param nearest of all queries, takes the points that are measured; outlives this
    BlockNeighbors(MatrixView queries, MatrixView base, double scale, NearestMeasured& nearest);

    /// Begins with the queries of a block, given by their rows.
    void start(std::span<const std::uint32_t> queryRows);

    /// 64 limits: a point matters to query q when its squared distance in single precision is at most limits()[q].
    /// +infinity until k points are known, -1 for the places of a block that hold no query.
    const float* limits() const noexcept { return limit_.data(); }
    /// The largest limit.
    float farthest() {
        if (limitsChanged_)
            findFarthest();
        return farthest_;
    }

    /// Adds points of a block for query q.
    void add(std::size_t q, const BlockHits& hits) {
        float* const values = squared_.data() + q * capacity_;
        std::uint32_t* const items = row_.data() + q * capacity_;
        std::size_t at = count_[q];
        for (std::size_t h = 0; h < hits.count(); ++h, ++at) {
            values[at] = hits.squared[h];
            items[at] = hits.row(h);
        }
        count_[q] = static_cast<std::uint32_t>(at);
        if (at > full_)
            shrink(q);
    }

    /// Measures what is left. At least k points must have been added for each query.
    void finish();

private:
    void findFarthest();
    void shrink(std::size_t q);
    void dropFar(std::size_t q);
    void measure(std::size_t q);

    MatrixView queries_;
    MatrixView base_;
    std::size_t k_;
    double scale_;
    FloatBounds bounds_;
    std::size_t full_;     ///< a list longer than this is shortened
    std::size_t capacity_; ///< a block more
    std::span<const std::uint32_t> queryRows_;
    std::vector<float> squared_;     ///< 64 x capacity
    std::vector<std::uint32_t> row_; ///< 64 x capacity
    std::array<std::uint32_t, kBlockPoints> count_{};
    alignas(64) std::array<float, kBlockPoints> limit_{};
    float farthest_ = -1.0F;
    bool limitsChanged_ = true;
    NearestMeasured& nearest_;
};

} // namespace assay
