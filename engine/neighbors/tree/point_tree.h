#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/tree/leaf_kernels.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace assay {

/// The power of two that brings every value of these sets to a magnitude of at most 1. Values are finite.
double unitScale(std::initializer_list<MatrixView> sets, const JobContext& job);

/// A k-d tree whose leaves are blocks of 64 points, stored dimension by dimension in scaled float32.
///
/// Every split is at the median of the dimension in which the node's box is widest, rounded to whole blocks, so all
/// blocks but the last are full and the tree's shape follows from the number of rows alone: nodes are numbered in
/// preorder, a node of n blocks has 2 n - 1 nodes below and including it. Each node has the tight box of its points.
class PointTree {
public:
    /// @param set rows x dim, at least one row; must outlive the tree
    /// @param scale from unitScale() of this set and of whatever is compared with it
    /// @param threads 0 for every core
    /// @throws Cancelled
    PointTree(MatrixView set, double scale, unsigned threads, const JobContext& job);

    PointTree(const PointTree&) = delete;
    PointTree& operator=(const PointTree&) = delete;

    struct Node {
        std::uint32_t firstBlock;
        std::uint32_t blocks; ///< 1 for a leaf
    };

    MatrixView set() const noexcept { return set_; }
    double scale() const noexcept { return scale_; }
    std::size_t blocks() const noexcept { return (set_.rows + kBlockPoints - 1) / kBlockPoints; }
    /// Points of a block: 64 but for the last.
    std::size_t pointsIn(std::size_t block) const noexcept {
        return block + 1 < blocks() ? kBlockPoints : set_.rows - block * kBlockPoints;
    }
    const float* block(std::size_t b) const noexcept { return firstPoint() + b * kBlockPoints * set_.dim; }
    /// Rows of the set, in the order of their points in the blocks.
    std::span<const std::uint32_t> rowsIn(std::size_t block) const noexcept {
        return {row_.data() + block * kBlockPoints, pointsIn(block)};
    }

    const Node& node(std::size_t n) const noexcept { return nodes_[n]; }
    static std::size_t leftOf(std::size_t n) noexcept { return n + 1; }
    std::size_t rightOf(std::size_t n) const noexcept { return n + 2 * leftBlocks(nodes_[n].blocks); }
    std::size_t leafOf(std::size_t block) const noexcept { return leaf_[block]; }

    /// A node's box and its middle, each padded with zeros to paddedDim() values.
    const float* low(std::size_t n) const noexcept { return boxes_.data() + n * 3 * paddedDim_; }
    const float* high(std::size_t n) const noexcept { return low(n) + paddedDim_; }
    const float* middle(std::size_t n) const noexcept { return low(n) + 2 * paddedDim_; }
    std::size_t paddedDim() const noexcept { return paddedDim_; }

private:
    struct Key {
        float value;
        std::uint32_t row;
    };
    struct Part {
        std::size_t node, firstBlock, blocks;
    };

    static constexpr std::size_t kAlignment = 64;
    const float* firstPoint() const noexcept {
        const auto address = reinterpret_cast<std::uintptr_t>(points_.data());
        return points_.data() + (kAlignment - address % kAlignment) % kAlignment / sizeof(float);
    }
    static std::size_t leftBlocks(std::size_t blocks) noexcept { return (blocks + 1) / 2; }
    /// Builds the nodes from `top` down. @param keys scratch memory
    /// @return parts of at most `small` blocks, which are left to be built
    std::vector<Part> build(const Part& top, std::size_t small, std::vector<Key>& keys, const JobContext& job);
    void measureBox(const Part& part, const JobContext& job);
    void split(const Part& part, std::vector<Key>& keys, const JobContext& job);
    void fillBlock(std::size_t block);

    MatrixView set_;
    double scale_;
    std::size_t paddedDim_;
    std::vector<std::uint32_t> row_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> leaf_; ///< node of each block
    std::vector<float> boxes_;
    std::vector<float> points_; ///< from firstPoint() on, so that a vector of coordinates never straddles cache lines
};

} // namespace assay
