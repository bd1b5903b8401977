#include "engine/neighbors/tree/point_tree.h"

#include "engine/base/parallel.h"
#include "engine/neighbors/products/product_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay {
namespace {

/// Values looked at between two looks for a stop request: a few milliseconds.
constexpr std::size_t kLookEvery = std::size_t{1} << 20;

} // namespace

double unitScale(std::initializer_list<MatrixView> sets, const JobContext& job) {
    float most = 0.0F;
    for (const MatrixView& set : sets)
        most = std::max(most, largestMagnitude(set, 1, job.silent()));
    int exponent = 0;
    std::frexp(most, &exponent); // most = f * 2^exponent with f in [0.5, 1); 0 for 0
    return std::ldexp(1.0, -exponent);
}

PointTree::PointTree(MatrixView set, double scale, unsigned threads, const JobContext& job)
    : set_(set), scale_(scale), paddedDim_((set.dim + 15) / 16 * 16), row_(set.rows), nodes_(2 * blocks() - 1),
      leaf_(blocks()), boxes_(nodes_.size() * 3 * paddedDim_, 0.0F) {
    std::iota(row_.begin(), row_.end(), 0U);
    points_.resize(blocks() * kBlockPoints * set.dim + kAlignment / sizeof(float));
    // The top of the tree here, what hangs below it by the workers.
    const std::size_t small = std::max<std::size_t>(8, blocks() / (8 * std::size_t{resolveThreads(threads)}));
    std::vector<std::vector<Key>> keys(resolveThreads(threads));
    const std::vector<Part> below = build({0, 0, blocks()}, small, keys[0], job);
    parallelFor(below.size(), threads, job,
                [&](std::size_t t, unsigned worker) { build(below[t], 0, keys[worker], job); });
}

std::vector<PointTree::Part> PointTree::build(const Part& top, std::size_t small, std::vector<Key>& keys,
                                              const JobContext& job) {
    std::vector<Part> open{top};
    std::vector<Part> below;
    while (!open.empty()) {
        const Part part = open.back();
        open.pop_back();
        if (part.blocks <= small) {
            below.push_back(part);
            continue;
        }
        measureBox(part, job);
        if (part.blocks == 1) {
            leaf_[part.firstBlock] = static_cast<std::uint32_t>(part.node);
            fillBlock(part.firstBlock);
            continue;
        }
        split(part, keys, job);
        const std::size_t left = leftBlocks(part.blocks);
        open.push_back({leftOf(part.node), part.firstBlock, left});
        open.push_back({rightOf(part.node), part.firstBlock + left, part.blocks - left});
    }
    return below;
}

void PointTree::measureBox(const Part& part, const JobContext& job) {
    nodes_[part.node] = {static_cast<std::uint32_t>(part.firstBlock), static_cast<std::uint32_t>(part.blocks)};
    float* low = boxes_.data() + part.node * 3 * paddedDim_;
    float* high = low + paddedDim_;
    float* middle = high + paddedDim_;
    std::fill_n(low, set_.dim, std::numeric_limits<float>::infinity());
    std::fill_n(high, set_.dim, -std::numeric_limits<float>::infinity());
    const std::size_t last = std::min(set_.rows, (part.firstBlock + part.blocks) * kBlockPoints);
    const std::size_t rowsPerLook = std::max<std::size_t>(1, kLookEvery / std::max<std::size_t>(set_.dim, 1));
    for (std::size_t p = part.firstBlock * kBlockPoints; p < last; ++p) {
        if (p % rowsPerLook == 0)
            job.throwIfStopped();
        const float* row = set_.rowData(row_[p]);
        for (std::size_t c = 0; c < set_.dim; ++c) {
            low[c] = row[c] < low[c] ? row[c] : low[c];
            high[c] = row[c] > high[c] ? row[c] : high[c];
        }
    }
    for (std::size_t c = 0; c < set_.dim; ++c) {
        // Scaling keeps the order, so the box still holds the scaled points.
        low[c] = static_cast<float>(low[c] * scale_);
        high[c] = static_cast<float>(high[c] * scale_);
        middle[c] = (low[c] + high[c]) * 0.5F;
    }
}

void PointTree::split(const Part& part, std::vector<Key>& keys, const JobContext& job) {
    std::size_t widest = 0;
    for (std::size_t c = 1; c < set_.dim; ++c)
        if (high(part.node)[c] - low(part.node)[c] > high(part.node)[widest] - low(part.node)[widest])
            widest = c;
    const std::size_t first = part.firstBlock * kBlockPoints;
    const std::size_t last = std::min(set_.rows, (part.firstBlock + part.blocks) * kBlockPoints);
    keys.resize(last - first);
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = {set_.rowData(row_[first + i])[widest], row_[first + i]};
    std::size_t looks = 0;
    const auto before = [&](const Key& a, const Key& b) {
        if (++looks % kLookEvery == 0)
            job.throwIfStopped();
        return a.value < b.value || (a.value == b.value && a.row < b.row);
    };
    const std::size_t left = leftBlocks(part.blocks) * kBlockPoints;
    std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(left), keys.end(), before);
    for (std::size_t i = 0; i < keys.size(); ++i)
        row_[first + i] = keys[i].row;
}

void PointTree::fillBlock(std::size_t b) {
    float* const to = points_.data() + (block(b) - points_.data());
    const auto rows = rowsIn(b);
    for (std::size_t p = 0; p < kBlockPoints; ++p)
        for (std::size_t c = 0; c < set_.dim; ++c)
            to[c * kBlockPoints + p] = p < rows.size() ? static_cast<float>(set_.rowData(rows[p])[c] * scale_)
                                                       : std::numeric_limits<float>::quiet_NaN();
}

} // namespace assay
