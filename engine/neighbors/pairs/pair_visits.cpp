#include "engine/math/products/kernels.h"
#include "engine/neighbors/pairs/pair_scan.h"
#include "engine/neighbors/pairs/pair_visitor.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace assay {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Least and most weight of some rows.
struct WeightRange {
    double least = kInfinity;
    double most = -kInfinity;

    void add(const WeightRange& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
};

/// Hands the pairs of a scan to a PairVisitor, measured.
class MeasuredPairs : public PairScanVisitor {
public:
    MeasuredPairs(PairVisitor& visitor, const PairSets& sets, double scale)
        : visitor_(visitor), sets_(sets), scale_(scale) {
        const std::size_t rows = sets.baseRow.size();
        tile_.resize((rows + PairScan::kTileColumns - 1) / PairScan::kTileColumns);
        for (std::size_t b = 0; b < rows; ++b)
            tile_[b / PairScan::kTileColumns].add({weight(b), weight(b)});
        rest_ = tile_;
        for (std::size_t t = rest_.size() - 1; t-- > 0;)
            rest_[t].add(rest_[t + 1]);
    }

    /// Mean reach of some queries, among those where it is finite; infinity where it never is.
    double typicalReach() const {
        constexpr std::size_t kSome = 64;
        double sum = 0.0;
        std::size_t finite = 0;
        const std::size_t queries = sets_.queryRow.size();
        for (std::size_t s = 0; s < std::min(kSome, queries); ++s) {
            const double reach =
                visitor_.reach(s * queries / std::min(kSome, queries), rest_.front().least, rest_.front().most);
            sum += std::isfinite(reach) && reach > 0.0 ? reach : 0.0;
            finite += std::isfinite(reach) ? 1 : 0;
        }
        return finite > 0 ? sum / static_cast<double>(finite) : kInfinity;
    }

    float limit(std::size_t query, std::size_t firstColumn) const override {
        const WeightRange& weights = tile_[firstColumn / PairScan::kTileColumns];
        const double reach = visitor_.reach(query, weights.least, weights.most);
        return reach < 0.0 ? -std::numeric_limits<float>::infinity() : scaledLimit(reach);
    }

    bool isOpen(std::size_t query, std::size_t firstColumn) const override {
        const WeightRange& weights = rest_[firstColumn / PairScan::kTileColumns];
        return visitor_.reach(query, weights.least, weights.most) >= 0.0;
    }

    void take(const ScannedPairs& pairs, const JobContext& job) override {
        for (std::size_t h = 0; h < pairs.hits.count; ++h) {
            const std::size_t place = pairs.column(h);
            const double reach = visitor_.reach(pairs.row, weight(place), weight(place));
            if (reach < 0.0 || pairs.bounds(h).low > static_cast<double>(scaledLimit(reach)))
                continue;
            const std::uint32_t row = sets_.baseRow[place];
            if (visitor_.isKnown(pairs.row, row))
                continue;
            job.throwIfStopped();
            visitor_.visit(pairs.row, row, weight(place),
                           directDistance(sets_.queries, sets_.queryRow[pairs.row], sets_.base, row));
        }
    }

private:
    double weight(std::size_t place) const { return sets_.weight.empty() ? 0.0 : sets_.weight[place]; }
    float scaledLimit(double reach) const { return roundUp(reach * scale_ * reach * scale_); }

    PairVisitor& visitor_;
    const PairSets& sets_;
    double scale_;
    std::vector<WeightRange> tile_; ///< weights of each tile's columns
    std::vector<WeightRange> rest_; ///< the same from there to the end
};

} // namespace

void visitByProducts(PairVisitor& visitor, const PairSets& sets, unsigned threads, const JobContext& job) {
    if (sets.queryRow.empty() || sets.baseRow.empty())
        return;
    prepareProducts(sets.base.dim);
    const Frame frame = Frame::of(sets.base, {sets.base, sets.queries}, threads, job.part({}, 0.0, 0.0));
    MeasuredPairs measured(visitor, sets, static_cast<double>(frame.scale));
    PairScan scan{sets.queries, sets.queryRow, sets.base, sets.baseRow, frame, Precision::Single};
    scan.precision = scanPrecision(scan, measured.typicalReach());
    scanPairs(scan, measured, threads, job);
}

} // namespace assay
