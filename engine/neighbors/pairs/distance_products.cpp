#include "engine/neighbors/pairs/distance_products.h"

#include "engine/neighbors/pairs/distance_product_kernels.h"
#include "engine/neighbors/pairs/pair_scan.h"
#include "engine/neighbors/products/tile_product.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

namespace assay {
namespace {

using Rows = std::vector<std::uint32_t>;

/// A side and the products of its rows.
struct Side {
    const ProductSide& given;
    std::vector<ProductInSteps> product; ///< of squares, per row of the set
    std::int64_t reach;                  ///< logarithm of the squared reach

    explicit Side(const ProductSide& side)
        : given(side), product(side.set.rows), reach(ProductInSteps::logarithm(side.within * side.within)) {}

    /// Rows that do not ask.
    Rows others() const {
        std::vector<bool> asks(given.set.rows, false);
        for (const std::uint32_t row : given.asked)
            asks[row] = true;
        Rows others;
        for (std::size_t row = 0; row < asks.size(); ++row)
            if (!asks[row])
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
    const Rows othersA = sideA.others();
    const Rows othersB = sideB.others();
    struct Step {
        Side& rows;
        Side& columns;
        const Rows& column;
        Counts counts;
        double pairs() const {
            return static_cast<double>(rows.given.asked.size()) * static_cast<double>(column.size());
        }
    };
    const std::array<Step, 3> steps{Step{sideA, sideB, b.asked, Counts::BothSides},
                                    Step{sideA, sideB, othersB, Counts::OneSide},
                                    Step{sideB, sideA, othersA, Counts::OneSide}};
    const double all = std::max(1.0, steps[0].pairs() + steps[1].pairs() + steps[2].pairs());
    double done = 0.0;
    for (const Step& step : steps) {
        const JobContext part = job.part({}, done, std::min(1.0, done + step.pairs() / all));
        done += step.pairs() / all;
        if (step.pairs() == 0.0)
            continue;
        PairScan scan{step.rows.given.set, step.rows.given.asked, step.columns.given.set, step.column, frame,
                      Precision::Single};
        scan.precision = scanPrecision(scan, std::max(a.within, b.within));
        MultipliedPairs multiplied(scan, step.rows, step.columns, step.counts, threads);
        scanPairs(scan, multiplied, threads, part);
    }
    return {sideA.results(), sideB.results()};
}

} // namespace assay
