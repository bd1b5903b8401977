#include "engine/subsets/what_if/what_if_tables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace assay {
namespace {

/// The subsets that a threshold on a score can keep. They are nested, so the size identifies a subset.
class NestedSubsets {
public:
    NestedSubsets(std::span<const double> score, Bound bound, const RowMask& others)
        : allRows_(score.size()), smallestWith_(score.size(), std::numeric_limits<std::size_t>::max()) {
        for (const std::uint32_t row : others.rows())
            if (!std::isnan(score[row]))
                order_.push_back(row);
        const auto better = [&](std::uint32_t a, std::uint32_t b) {
            return bound == Bound::AtLeast ? score[a] > score[b] : score[a] < score[b];
        };
        std::stable_sort(order_.begin(), order_.end(), better);
        // Rows of equal value enter and leave a subset together.
        for (std::size_t first = 0, last = 0; first < order_.size(); first = last) {
            while (last < order_.size() && !better(order_[first], order_[last]))
                ++last;
            for (std::size_t at = first; at < last; ++at)
                smallestWith_[order_[at]] = last;
            sizes_.push_back(last);
        }
    }

    /// Size of the smallest subset that keeps a row.
    std::size_t smallestWith(std::size_t row) const { return smallestWith_[row]; }
    /// Sizes of all subsets, ascending.
    std::span<const std::size_t> sizes() const { return sizes_; }
    std::span<const std::uint32_t> rowsOf(std::size_t size) const { return std::span(order_).first(size); }
    RowMask mask(std::size_t size) const {
        RowMask mask(allRows_);
        for (const std::uint32_t row : rowsOf(size))
            mask.add(row);
        return mask;
    }

private:
    std::size_t allRows_;
    std::vector<std::uint32_t> order_; ///< best first
    std::vector<std::size_t> smallestWith_;
    std::vector<std::size_t> sizes_;
};

/// Rows whose lists may run out.
struct OpenRows {
    std::vector<std::uint32_t> real, synthetic; ///< ascending
};

/// Fills the tables along a chain of subsets, each about a third of the previous one. Lists among a subset serve the
/// sweep down to the next subset of the chain. For rows whose list is too short for this, subsets in between are
/// searched.
class Preparation {
public:
    Preparation(WhatIfTables& tables, const NestedSubsets& subsets) : tables_(tables), subsets_(subsets) {}

    void run(const JobContext& job) {
        const std::vector<std::size_t> chain = chainOfSizes();
        if (chain.empty())
            return;
        const double whole = std::accumulate(chain.begin(), chain.end() - 1, 0.0); // a step costs as its size
        double done = 0.0;
        for (std::size_t c = 0; c + 1 < chain.size() && !full(); ++c) {
            const double next = std::min(1.0, done + static_cast<double>(chain[c]) / whole);
            step(chain[c], chain[c + 1], c + 2 == chain.size(), job.part({}, done, next));
            done = next;
        }
    }

private:
    static constexpr std::size_t kRatio = 3;
    /// Smaller numbers of rows are searched when the sweep needs them, which is faster.
    static constexpr std::size_t kFewRows = 32;

    /// Whether the cache is full, apart from a reserve for one more search and for single changes.
    bool full() const { return tables_.bytes() > tables_.byteLimit / 8 * 7; }

    std::vector<std::size_t> chainOfSizes() const {
        const std::span<const std::size_t> sizes = subsets_.sizes();
        const auto first = std::upper_bound(sizes.begin(), sizes.end(), tables_.k); // at most k cannot be audited
        std::vector<std::size_t> chain;
        if (first == sizes.end())
            return chain;
        chain.push_back(sizes.back());
        while (chain.back() > *first) {
            const auto next = std::lower_bound(first, sizes.end(), chain.back() / kRatio);
            chain.push_back(*next < chain.back() ? *next : *(next - 1));
        }
        return chain;
    }

    void step(std::size_t high, std::size_t low, bool last, const JobContext& job) {
        OpenRows all;
        all.real.resize(tables_.realRows());
        std::iota(all.real.begin(), all.real.end(), 0U);
        const RowMask mask = subsets_.mask(high);
        all.synthetic = mask.rows();
        const bool stored = high == tables_.syntheticRows();
        if (!stored || !tables_.realToSynthetic.baseTableSuffices())
            searchLists(high, low, all, job.part({}, 0.0, 0.5));
        refine(high, low, all, job.part({}, 0.5, 0.7));
        extendBalls(high, low, last, job.part({}, 0.7, 1.0));
    }

    void searchLists(std::size_t size, std::size_t low, const OpenRows& rows, const JobContext& job) {
        const RowMask mask = subsets_.mask(size);
        const auto forReal = [&](std::uint32_t, std::span<const std::uint32_t> list) {
            return rankOfKth(list, low) + 1;
        };
        const auto forSynthetic = [&](std::uint32_t row, std::span<const std::uint32_t> list) {
            return rankOfKth(list, std::max(low, subsets_.smallestWith(row))) + 1;
        };
        tables_.realToSynthetic.search(mask, rows.real, forReal, *tables_.search, job.part({}, 0.0, 0.6));
        tables_.syntheticToSynthetic.search(mask, rows.synthetic, forSynthetic, *tables_.search,
                                            job.part({}, 0.6, 1.0));
    }

    /// Rank of the k-th neighbour in the subset of the given size; the last rank of the list if there are fewer.
    std::size_t rankOfKth(std::span<const std::uint32_t> list, std::size_t size) const {
        std::size_t kept = 0;
        for (std::size_t rank = 0; rank < list.size(); ++rank)
            if (kept += subsets_.smallestWith(list[rank]) <= size ? 1 : 0; kept == tables_.k)
                return rank;
        return list.size() - 1;
    }

    /// Number of neighbours in a row's list that are in the subset of the given size.
    std::size_t keptIn(std::span<const std::uint32_t> list, std::size_t size) const {
        return static_cast<std::size_t>(std::count_if(
            list.begin(), list.end(), [&](std::uint32_t row) { return subsets_.smallestWith(row) <= size; }));
    }

    /// Rows whose list among the subset of size `high` may run out before the sweep reaches size `low`, or before the
    /// row itself is removed.
    OpenRows openRows(std::size_t high, std::size_t low, const OpenRows& rows) {
        const RowMask mask = subsets_.mask(high);
        tables_.realToSynthetic.choose(mask);
        tables_.syntheticToSynthetic.choose(mask);
        OpenRows open;
        for (const std::uint32_t row : rows.real)
            if (keptIn(tables_.realToSynthetic.listOf(row), low) < tables_.k)
                open.real.push_back(row);
        for (const std::uint32_t row : rows.synthetic)
            if (keptIn(tables_.syntheticToSynthetic.listOf(row), std::max(low, subsets_.smallestWith(row))) < tables_.k)
                open.synthetic.push_back(row);
        return open;
    }

    void refine(std::size_t high, std::size_t low, const OpenRows& rows, const JobContext& job) {
        const std::span<const std::size_t> sizes = subsets_.sizes();
        const auto middle = std::lower_bound(sizes.begin(), sizes.end(), low + (high - low + 1) / 2);
        const std::size_t between = *middle < high ? *middle : *(middle - 1);
        if (between <= low || full())
            return;
        OpenRows open = openRows(high, low, rows);
        job.checkpoint(0.0);
        if (open.real.size() + open.synthetic.size() < kFewRows)
            return;
        const std::vector<std::uint32_t> above = open.synthetic;
        std::erase_if(open.synthetic, [&](std::uint32_t row) { return subsets_.smallestWith(row) > between; });
        searchLists(between, low, open, job.part({}, 0.0, 0.4));
        refine(between, low, open, job.part({}, 0.4, 0.7));
        refine(high, between, {open.real, above}, job.part({}, 0.7, 1.0));
    }

    /// Extends the membership lists of the balls. A ball is largest just before its own sample is removed.
    void extendBalls(std::size_t high, std::size_t low, bool last, const JobContext& job) {
        tables_.syntheticToSynthetic.choose(subsets_.mask(high));
        std::vector<std::pair<std::size_t, CentredBall>> balls;
        for (const std::uint32_t row : subsets_.rowsOf(high)) {
            const std::size_t size = std::max(subsets_.smallestWith(row), low);
            if (size > low || last)
                if (const CentredBall ball = ballAmong(row, size); !tables_.realInBalls.knows(ball))
                    balls.emplace_back(size, ball);
        }
        // Balls of about the same share of the sweep hold about as many: they are searched together.
        std::stable_sort(balls.begin(), balls.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        for (std::size_t first = 0, end = 0; first < balls.size(); first = end) {
            std::vector<CentredBall> some;
            const std::size_t smallest = balls[first].first * 3 / 4;
            for (; end < balls.size() && balls[end].first >= smallest; ++end)
                some.push_back(balls[end].second);
            const double from = static_cast<double>(first) / static_cast<double>(balls.size());
            const double to = static_cast<double>(end) / static_cast<double>(balls.size());
            const BallMembers::Effort effort{tables_.k * tables_.realRows() / std::max<std::size_t>(1, smallest),
                                             BallMembers::Keep::Members, tables_.ballByteLimit()};
            tables_.realInBalls.extendLists(some, effort, *tables_.search, job.part({}, from, to));
        }
    }

    CentredBall ballAmong(std::uint32_t row, std::size_t size) const {
        const SubsetNeighbors& lists = tables_.syntheticToSynthetic;
        return {row, lists.distanceOf(row, rankOfKth(lists.listOf(row), size))};
    }

    WhatIfTables& tables_;
    const NestedSubsets& subsets_;
};

} // namespace

void prepareSweep(WhatIfTables& tables, std::span<const double> score, Bound bound, const RowMask& others,
                  const JobContext& job) {
    const NestedSubsets subsets(score, bound, others);
    Preparation(tables, subsets).run(job);
    job.checkpoint(1.0);
}

} // namespace assay
