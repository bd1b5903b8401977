#pragma once

#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/bounds.h"
#include "engine/neighbors/search/nearest_measured.h"
#include "engine/neighbors/tree/block_scan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

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
