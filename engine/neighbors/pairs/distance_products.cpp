#include "engine/neighbors/pairs/distance_products.h"

#include "engine/neighbors/pairs/distance_product_kernels.h"
#include "engine/neighbors/pairs/pair_scan.h"
#include "engine/neighbors/products/tile_product.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay {
namespace {

using Rows = std::vector<std::uint32_t>;

/// A side and the products of its rows.
struct Side {
    const ProductSide& given;
    std::vector<ProductInSteps> product; ///< of squares, per row of the set
    Rows open;                           ///< that ask and whose products bounds have not shown to be negligible
    std::int64_t reach;                  ///< logarithm of the squared reach

    explicit Side(const ProductSide& side)
        : given(side), product(side.set.rows), open(side.asked),
          reach(ProductInSteps::logarithm(side.within * side.within)) {}

    /// Rows that are not open.
    Rows others() const {
        std::vector<bool> isOpen(given.set.rows, false);
        for (const std::uint32_t row : open)
            isOpen[row] = true;
        Rows others;
        for (std::size_t row = 0; row < isOpen.size(); ++row)
            if (!isOpen[row])
                others.push_back(static_cast<std::uint32_t>(row));
        return others;
    }

    std::vector<double> results() const {
        std::vector<double> of;
        of.reserve(given.asked.size());
        for (const std::uint32_t row : given.asked)
            of.push_back(product[row].root());
        return of;
    }
};

/// Every row once, consecutive ones far apart: sets are often sorted by class.
Rows spread(std::size_t rows) {
    std::size_t stride = std::max<std::size_t>(1, static_cast<std::size_t>(0.618 * static_cast<double>(rows)));
    while (std::gcd(stride, rows) != 1)
        ++stride;
    Rows order(rows);
    for (std::size_t r = 0, row = 0; r < rows; ++r, row = (row + stride) % rows)
        order[r] = static_cast<std::uint32_t>(row);
    return order;
}

/// Multiplies upper bounds of the distances, measuring none: many rows have so many others in reach that some of these
/// show the product to be negligible. A row is left alone once the others promise too little.
class MultipliedBounds : public PairScanVisitor {
public:
    MultipliedBounds(const PairScan& scan, double within) : scan_(scan), octaves_(scan.row.size(), 0.0) {
        const double reach = within * static_cast<double>(scan.frame.scale);
        limit_ = roundUp(reach * reach);
        unit_ = static_cast<float>((1.0 + 1e-6) / (reach * reach)); // more than what rounding takes off a factor
    }

    float limit(std::size_t, std::size_t) const override { return limit_; }

    bool isOpen(std::size_t row, std::size_t firstColumn) const override {
        constexpr double kWorthIt = 0.8; // a row that closes only at the end of all columns is better measured
        const double seen = static_cast<double>(firstColumn) / static_cast<double>(scan_.column.size());
        return !isNegligible(row) && octaves_[row] >= seen / kWorthIt * ProductInSteps::kClosedOctaves;
    }

    void take(const ScannedPairs& pairs, const JobContext&) override {
        double product = 1.0;
        for (std::size_t h = 0; h < pairs.hits.count; ++h) {
            const float bound = pairs.hits.estimate[h] + (pairs.columnBounds(h).above + pairs.rowBounds.above);
            product *= static_cast<double>(std::clamp(bound * unit_, 0.0F, 1.0F));
        }
        octaves_[pairs.row] -= std::log2(product);
    }

    bool isNegligible(std::size_t row) const { return octaves_[row] > ProductInSteps::kClosedOctaves; }

private:
    const PairScan& scan_;
    float limit_;                 ///< on scaled squared distances
    float unit_;                  ///< what makes factors of them
    std::vector<double> octaves_; ///< halvings that the bounds of a row seen so far multiply to
};

/// Closes rows of a side by bounds.
void closeByBounds(Side& side, const Side& other, const Frame& frame, unsigned threads, const JobContext& job) {
    const Rows order = spread(other.given.set.rows);
    PairScan scan{side.given.set, side.open, other.given.set, order, frame, Precision::Single};
    scan.precision = scanPrecision(scan, side.given.within);
    MultipliedBounds bounds(scan, side.given.within);
    scanPairs(scan, bounds, threads, job);
    Rows open;
    for (std::size_t r = 0; r < side.open.size(); ++r) {
        if (bounds.isNegligible(r))
            side.product[side.open[r]].close();
        else
            open.push_back(side.open[r]);
    }
    side.open = std::move(open);
}

/// Which sides a pair's distance counts for.
enum class Counts { OneSide, BothSides };

/// Measures the pairs in reach and multiplies their distances.
class MultipliedPairs : public PairScanVisitor {
public:
    MultipliedPairs(const PairScan& scan, Side& rows, Side& columns, Counts counts, unsigned threads)
        : scan_(scan), rows_(rows), columns_(columns), counts_(counts),
          openColumns_(scan.column.size() / PairScan::kTileColumns + 1), buffers_(resolveThreads(threads)) {
        const double within =
            counts == Counts::BothSides ? std::max(rows.given.within, columns.given.within) : rows.given.within;
        const double reach = within * static_cast<double>(scan.frame.scale);
        limit_ = roundUp(reach * reach);
        if (counts == Counts::OneSide)
            return;
        for (std::size_t place = 0; place < scan.column.size(); ++place)
            if (!columns.product[scan.column[place]].isNegligible()) {
                ++openColumns_[place / PairScan::kTileColumns];
                ++allOpenColumns_;
            }
    }

    float limit(std::size_t row, std::size_t firstColumn) const override {
        const bool matters = rowIsOpen(row) || openColumns_[firstColumn / PairScan::kTileColumns] > 0;
        return matters ? limit_ : -std::numeric_limits<float>::infinity();
    }

    bool isOpen(std::size_t row, std::size_t) const override { return rowIsOpen(row) || allOpenColumns_ > 0; }

    void take(const ScannedPairs& pairs, const JobContext& job) override {
        job.throwIfStopped();
        const std::uint32_t row = scan_.row[pairs.row];
        const bool both = counts_ == Counts::BothSides;
        const bool open = rowIsOpen(pairs.row);
        Buffers& buffers = buffers_[pairs.worker];
        buffers.place.clear();
        buffers.values.clear();
        for (std::size_t h = 0; h < pairs.hits.count; ++h) {
            const std::size_t place = pairs.column(h);
            if (!open && !(both && !columns_.product[scan_.column[place]].isNegligible()))
                continue;
            buffers.place.push_back(place);
            buffers.values.push_back(scan_.columns.rowData(scan_.column[place]));
        }
        buffers.squared.resize(buffers.place.size());
        squaredDistancesNear(scan_.rows.rowData(row), buffers.values.data(), buffers.values.size(), scan_.rows.dim,
                             buffers.squared.data());
        std::int64_t sum = 0;
        for (std::size_t c = 0; c < buffers.place.size(); ++c) {
            const std::int64_t distance = ProductInSteps::logarithm(buffers.squared[c]);
            sum = ProductInSteps::sum(ProductInSteps::factor(rows_.reach, distance), sum);
            if (both)
                takeForColumn(buffers.place[c], ProductInSteps::factor(columns_.reach, distance));
        }
        rows_.product[row].take(sum);
    }

private:
    struct Buffers {
        std::vector<std::size_t> place; ///< of columns
        std::vector<const float*> values;
        std::vector<double> squared;
    };

    bool rowIsOpen(std::size_t row) const { return !rows_.product[scan_.row[row]].isNegligible(); }

    void takeForColumn(std::size_t place, std::int64_t factor) {
        if (!columns_.product[scan_.column[place]].take(factor))
            return;
        --openColumns_[place / PairScan::kTileColumns];
        --allOpenColumns_;
    }

    const PairScan& scan_;
    Side& rows_;
    Side& columns_;
    Counts counts_;
    float limit_;
    std::vector<std::atomic<std::size_t>> openColumns_; ///< per tile: columns whose product is not negligible yet
    std::atomic<std::size_t> allOpenColumns_ = 0;
    std::vector<Buffers> buffers_; ///< per worker
};

} // namespace

DistanceProducts distanceProductsByMatrix(const ProductSide& a, const ProductSide& b, unsigned threads,
                                          const JobContext& job) {
    if (a.asked.empty() && b.asked.empty())
        return {};
    prepareProducts(a.set.dim);
    const Frame frame = Frame::of(a.set, {a.set, b.set}, threads, job.part({}, 0.0, 0.0));
    Side sideA(a);
    Side sideB(b);
    closeByBounds(sideA, sideB, frame, threads, job.part({}, 0.0, 0.1));
    closeByBounds(sideB, sideA, frame, threads, job.part({}, 0.1, 0.2));
    const Rows othersA = sideA.others();
    const Rows othersB = sideB.others();
    struct Step {
        Side& rows;
        Side& columns;
        const Rows& column;
        Counts counts;
        double pairs() const { return static_cast<double>(rows.open.size()) * static_cast<double>(column.size()); }
    };
    const std::array<Step, 3> steps{Step{sideA, sideB, sideB.open, Counts::BothSides},
                                    Step{sideA, sideB, othersB, Counts::OneSide},
                                    Step{sideB, sideA, othersA, Counts::OneSide}};
    const double all = std::max(1.0, steps[0].pairs() + steps[1].pairs() + steps[2].pairs());
    double done = 0.2;
    for (const Step& step : steps) {
        const double share = 0.8 * step.pairs() / all;
        const JobContext part = job.part({}, done, std::min(1.0, done + share));
        done += share;
        if (step.pairs() == 0.0)
            continue;
        PairScan scan{step.rows.given.set, step.rows.open, step.columns.given.set,
                      step.column,         frame,          Precision::Single};
        scan.precision = scanPrecision(scan, std::max(a.within, b.within));
        MultipliedPairs multiplied(scan, step.rows, step.columns, step.counts, threads);
        scanPairs(scan, multiplied, threads, part);
    }
    return {sideA.results(), sideB.results()};
}

} // namespace assay
