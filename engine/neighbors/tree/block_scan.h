#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/tree/point_tree.h"

#include <algorithm>
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

} // namespace assay
