#include "engine/neighbors/pairs/pair_visitor.h"
#include "engine/neighbors/products/candidates.h"
#include "engine/neighbors/tree/point_tree.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace assay {
namespace {

/// Copies of some rows, one after the other.
std::vector<float> copied(MatrixView set, std::span<const std::uint32_t> rows) {
    std::vector<float> values;
    values.reserve(rows.size() * set.dim);
    for (const std::uint32_t row : rows)
        values.insert(values.end(), set.rowData(row), set.rowData(row) + set.dim);
    return values;
}

class TreePursuit {
public:
    TreePursuit(PairVisitor& visitor, const PairSets& sets, unsigned threads, const JobContext& job)
        : visitor_(visitor), sets_(sets),
          values_(copied(sets.base, sets.baseRow)), base_{values_.data(), sets.baseRow.size(), sets.base.dim},
          scale_(unitScale({base_, sets.queries}, job)), tree_(base_, scale_, threads, job),
          range_(2 * tree_.blocks() - 1) {
        for (std::size_t n = range_.size(); n-- > 0;)
            range_[n] = rangeOf(n);
    }

    void run(unsigned threads, const JobContext& job) const {
        constexpr std::size_t kPerTask = 32;
        const std::size_t queries = sets_.queryRow.size();
        parallelFor((queries + kPerTask - 1) / kPerTask, threads, job, [&](std::size_t t, unsigned) {
            for (std::size_t q = t * kPerTask; q < std::min(queries, (t + 1) * kPerTask); ++q)
                visitPairs(q, job);
        });
    }

private:
    /// Weights below a node.
    struct Range {
        double least;
        double most;
    };

    double weight(std::size_t place) const { return sets_.weight.empty() ? 0.0 : sets_.weight[place]; }

    Range rangeOf(std::size_t n) const {
        const PointTree::Node& node = tree_.node(n);
        if (node.blocks > 1) {
            const Range& left = range_[PointTree::leftOf(n)];
            const Range& right = range_[tree_.rightOf(n)];
            return {std::min(left.least, right.least), std::max(left.most, right.most)};
        }
        const auto rows = tree_.rowsIn(node.firstBlock);
        Range range{weight(rows.front()), weight(rows.front())};
        for (const std::uint32_t row : rows)
            range = {std::min(range.least, weight(row)), std::max(range.most, weight(row))};
        return range;
    }

    /// Distance of a query to a node's box, at most.
    double boxDistance(const float* query, std::size_t n) const {
        const float* low = tree_.low(n);
        const float* high = tree_.high(n);
        double sum = 0.0;
        for (std::size_t c = 0; c < base_.dim; ++c) {
            const double at = static_cast<double>(query[c]) * scale_;
            const double away = std::max({static_cast<double>(low[c]) - at, at - static_cast<double>(high[c]), 0.0});
            sum += away * away;
        }
        // Scaling is exact but for values that underflow.
        return std::max(0.0, std::sqrt(sum) * (1.0 - 1e-12) - static_cast<double>(base_.dim) * 0x1p-140) / scale_;
    }

    bool matters(std::size_t query, std::size_t n, double distance) const {
        return distance <= visitor_.reach(query, range_[n].least, range_[n].most) * (1.0 + 1e-12);
    }

    void visitPairs(std::size_t query, const JobContext& job) const {
        const float* row = sets_.queries.rowData(sets_.queryRow[query]);
        std::vector<std::pair<std::size_t, double>> open{{0, boxDistance(row, 0)}};
        while (!open.empty()) {
            job.throwIfStopped();
            const auto [n, distance] = open.back();
            open.pop_back();
            if (!matters(query, n, distance))
                continue;
            if (tree_.node(n).blocks == 1) {
                meetBlock(query, tree_.node(n).firstBlock);
                continue;
            }
            std::pair<std::size_t, double> near{PointTree::leftOf(n), boxDistance(row, PointTree::leftOf(n))};
            std::pair<std::size_t, double> far{tree_.rightOf(n), boxDistance(row, tree_.rightOf(n))};
            if (far.second < near.second)
                std::swap(near, far);
            open.push_back(far);
            open.push_back(near);
        }
    }

    void meetBlock(std::size_t query, std::size_t block) const {
        for (const std::uint32_t place : tree_.rowsIn(block)) {
            const std::uint32_t row = sets_.baseRow[place];
            if (visitor_.reach(query, weight(place), weight(place)) >= 0.0 && !visitor_.isKnown(query, row))
                visitor_.visit(query, row, weight(place),
                               directDistance(sets_.queries, sets_.queryRow[query], sets_.base, row));
        }
    }

    PairVisitor& visitor_;
    const PairSets& sets_;
    std::vector<float> values_;
    MatrixView base_;
    double scale_;
    PointTree tree_;
    std::vector<Range> range_; ///< per node
};

} // namespace

void visitByTree(PairVisitor& visitor, const PairSets& sets, unsigned threads, const JobContext& job) {
    if (sets.queryRow.empty() || sets.baseRow.empty())
        return;
    TreePursuit(visitor, sets, threads, job.part({}, 0.0, 0.0)).run(threads, job);
}

} // namespace assay
