#include "engine/neighbors/pairs/distance_products.h"

#include "engine/base/parallel.h"
#include "engine/neighbors/pairs/distance_product_kernels.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/products/product_trial.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace assay {
namespace {

constexpr std::size_t kColumns = 384; ///< of a tile
constexpr std::size_t kRows = 192;    ///< of a task
constexpr std::size_t kRowsAtOnce = 8192;
constexpr std::size_t kColumnsAtOnce = 10 * kColumns;
constexpr std::size_t kCacheBytes = std::size_t{768} << 10; ///< of rows that are measured again and again
/// Integers serve while what they may be off by is this share of the reach.
constexpr double kIntegerShare = 0.05;
/// Products are of squares; the margin covers the rounding of bounds.
constexpr double kClosed = kNegligibleProduct * kNegligibleProduct;
constexpr double kSurelyClosed = kClosed * (1.0 - 1e-3);

using Rows = std::vector<std::uint32_t>;

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

/// Rows of a set, evenly cut.
struct Cut {
    Cut(std::size_t count, std::size_t most) : count_(count), parts((count + most - 1) / most) {}

    Range operator[](std::size_t part) const {
        const std::size_t first = count_ * part / parts;
        return {first, count_ * (part + 1) / parts - first};
    }

private:
    std::size_t count_;

public:
    std::size_t parts;
};

/// A side and what is known of its rows.
struct Side {
    const ProductSide& given;
    std::vector<ProductInSteps> product; ///< of squares, per row of the set
    Rows open;                           ///< that still ask
    std::int64_t reach;                  ///< logarithm of the squared reach

    explicit Side(const ProductSide& side)
        : given(side), product(side.set.rows), open(side.asked),
          reach(ProductInSteps::logarithm(side.within * side.within)) {}

    std::vector<double> results() const {
        std::vector<double> of;
        of.reserve(given.asked.size());
        for (const std::uint32_t row : given.asked)
            of.push_back(product[row].root());
        return of;
    }
};

/// Which side a pair's distance counts for.
enum class Counts { One, Both };

/// What a worker fills tile after tile.
struct Buffers {
    TileProduct product;
    std::vector<float> never = std::vector<float>(kColumns, -std::numeric_limits<float>::infinity());
    std::vector<float> estimate = std::vector<float>(kColumns + 16);
    std::vector<float> noEstimate = std::vector<float>(kColumns + 16);
    std::vector<std::uint32_t> noColumn = std::vector<std::uint32_t>(kColumns + 16);
    std::vector<std::uint32_t> column = std::vector<std::uint32_t>(kRows * kColumns + 16);
    std::array<std::size_t, kRows + 1> first{}; ///< of a row's hits in `column`
    std::array<std::size_t, kRows> next{};
    std::vector<const float*> row;
    std::vector<double> squared;
};

/// Queries that bounds may settle, and the products of their bounds.
struct Chunk {
    Rows rows;
    std::vector<double> bound;
    ProductOperand operand;
};

class MatrixProducts {
public:
    MatrixProducts(const ProductSide& a, const ProductSide& b, unsigned threads, const JobContext& job)
        : a_(a), b_(b), threads_(resolveThreads(threads)), frame_(Frame::of(a.set, {a.set, b.set}, threads, job)),
          scale_(static_cast<double>(frame_.scale)), buffers_(threads_) {
        if (integersPossible(a.set.dim) && integersServe(job))
            precision_ = Precision::Integer;
    }

    DistanceProducts find(const JobContext& job) {
        close(a_, b_, job.part({}, 0.0, 0.1));
        close(b_, a_, job.part({}, 0.1, 0.2));
        const Rows closedB = others(b_);
        const auto pairs = [](const Rows& x, const Rows& y) {
            return static_cast<double>(x.size()) * static_cast<double>(y.size());
        };
        const Rows closedA = others(a_);
        const std::array<double, 3> work{pairs(a_.open, b_.open), pairs(a_.open, closedB), pairs(b_.open, closedA)};
        const double all = std::max(1.0, work[0] + work[1] + work[2]);
        const double second = 0.2 + 0.8 * work[0] / all;
        const double third = second + 0.8 * work[1] / all;
        visitPairs(a_, b_, b_.open, Counts::Both, job.part({}, 0.2, second));
        visitPairs(a_, b_, closedB, Counts::One, job.part({}, second, third));
        visitPairs(b_, a_, closedA, Counts::One, job.part({}, third, 1.0));
        return {a_.results(), b_.results()};
    }

private:
    static Rows others(const Side& side) {
        std::vector<bool> open(side.given.set.rows, false);
        for (const std::uint32_t row : side.open)
            open[row] = true;
        Rows closed;
        for (std::size_t row = 0; row < open.size(); ++row)
            if (!open[row])
                closed.push_back(static_cast<std::uint32_t>(row));
        return closed;
    }

    ProductOperand operandOf(MatrixView set, const std::uint32_t* rows, std::size_t count, Precision precision) const {
        // On a worker's thread, which reports nothing; some hundred rows need no look at the stop token.
        return ProductOperand::of(set, {rows, count}, frame_, precision, 1, {});
    }

    /// Operands of some rows, `each` rows each.
    std::vector<std::optional<ProductOperand>> operandsOf(MatrixView set, const Rows& rows, const Range& range,
                                                          std::size_t each, const JobContext& job) const {
        std::vector<std::optional<ProductOperand>> operands((range.count + each - 1) / each);
        parallelFor(operands.size(), threads_, job, [&](std::size_t o, unsigned) {
            operands[o] = operandOf(set, rows.data() + range.first + o * each, std::min(each, range.count - o * each),
                                    precision_);
        });
        return operands;
    }

    bool integersServe(const JobContext& job) const {
        constexpr std::size_t kSome = 64;
        const auto residual = [&](MatrixView set) {
            Rows some;
            for (std::size_t r = 0; r < std::min(kSome, set.rows); ++r)
                some.push_back(static_cast<std::uint32_t>(r * set.rows / std::min(kSome, set.rows)));
            return static_cast<double>(operandOf(set, some.data(), some.size(), Precision::Integer).largestResidual());
        };
        job.throwIfStopped();
        return residual(a_.given.set) + residual(b_.given.set) <=
               kIntegerShare * scale_ * std::max(a_.given.within, b_.given.within);
    }

    /// Settles what upper bounds can settle, and leaves a row alone as soon as they promise too little.
    void close(Side& side, const Side& other, const JobContext& job) {
        const Rows order = spread(other.given.set.rows);
        const Cut groups(side.open.size(), kRowsAtOnce);
        for (std::size_t g = 0; g < groups.parts; ++g) {
            const double done = static_cast<double>(g) / static_cast<double>(groups.parts);
            job.checkpoint(done);
            const JobContext quiet = job.part({}, done, done);
            std::vector<Chunk> chunks = chunksOf(side, groups[g], quiet);
            for (std::size_t from = 0; from < order.size() && !chunks.empty(); from += kColumns) {
                const std::size_t count = std::min(kColumns, order.size() - from);
                const ProductOperand columns = operandOf(other.given.set, order.data() + from, count, precision_);
                std::vector<float> above(count);
                for (std::size_t c = 0; c < count; ++c)
                    above[c] = columns.bounds(c).above;
                const double hope = static_cast<double>(from + count) / static_cast<double>(order.size());
                parallelFor(chunks.size(), threads_, quiet, [&](std::size_t c, unsigned worker) {
                    bound(chunks[c], side, columns, above, buffers_[worker]);
                    release(chunks[c], side, hope);
                });
                std::erase_if(chunks, [](const Chunk& chunk) { return chunk.rows.empty(); });
            }
        }
        std::erase_if(side.open, [&](std::uint32_t row) { return side.product[row].isNegligible(); });
    }

    std::vector<Chunk> chunksOf(const Side& side, const Range& range, const JobContext& job) const {
        std::vector<std::optional<ProductOperand>> operands = operandsOf(side.given.set, side.open, range, kRows, job);
        std::vector<Chunk> chunks;
        for (std::size_t o = 0; o < operands.size(); ++o) {
            const auto first = side.open.begin() + static_cast<std::ptrdiff_t>(range.first + o * kRows);
            const auto count = static_cast<std::ptrdiff_t>(operands[o]->rows());
            chunks.push_back(
                {Rows(first, first + count), std::vector<double>(operands[o]->rows(), 1.0), std::move(*operands[o])});
        }
        return chunks;
    }

    void bound(Chunk& chunk, const Side& side, const ProductOperand& columns, const std::vector<float>& above,
               Buffers& buffers) const {
        const Range rows{0, chunk.rows.size()};
        const Range all{0, columns.rows()};
        buffers.product.multiply(chunk.operand, rows, columns, all);
        const double within = side.given.within * scale_;
        // The margin covers the rounding of these few operations.
        const auto unit = static_cast<float>((1.0 + 1e-6) / (within * within));
        for (std::size_t r = 0; r < rows.count; ++r) {
            buffers.product.estimates(chunk.operand, rows, columns, all, r, buffers.estimate.data());
            chunk.bound[r] *=
                productOfBounds(buffers.estimate.data(), above.data(), chunk.operand.bounds(r).above, unit, all.count);
        }
    }

    /// @param seen share of the other set's rows
    void release(Chunk& chunk, Side& side, double seen) const {
        constexpr double kWorthIt = 1.2; // a row that closes only at the end of all columns is better measured
        const double least = std::pow(kSurelyClosed, kWorthIt * seen);
        Rows left;
        std::vector<double> bounds;
        for (std::size_t r = 0; r < chunk.rows.size(); ++r) {
            if (chunk.bound[r] < kSurelyClosed)
                side.product[chunk.rows[r]].close();
            else if (chunk.bound[r] <= least) {
                left.push_back(chunk.rows[r]);
                bounds.push_back(chunk.bound[r]);
            }
        }
        if (left.size() == chunk.rows.size())
            return;
        chunk.rows = std::move(left);
        chunk.bound = std::move(bounds);
        if (!chunk.rows.empty())
            chunk.operand = operandOf(side.given.set, chunk.rows.data(), chunk.rows.size(), precision_);
    }

    /// Every open row of one side meets some rows of the other.
    void visitPairs(Side& rows, Side& columns, const Rows& columnRows, Counts counts, const JobContext& job) {
        const Cut groups(rows.open.size(), kRowsAtOnce);
        const Cut slabs(columnRows.size(), kColumnsAtOnce);
        for (std::size_t g = 0; g < groups.parts; ++g) {
            const Range group = groups[g];
            const auto share = [&](double slabsDone) {
                return (static_cast<double>(g) + slabsDone / static_cast<double>(slabs.parts)) /
                       static_cast<double>(groups.parts);
            };
            const JobContext quiet = job.part({}, share(0.0), share(0.0));
            const std::vector<std::optional<ProductOperand>> operands =
                operandsOf(rows.given.set, rows.open, group, kRows, quiet);
            for (std::size_t s = 0; s < slabs.parts; ++s) {
                const Range slab = slabs[s];
                const double begin = share(static_cast<double>(s));
                const Slab here{columns, columnRows, slab,
                                operandsOf(columns.given.set, columnRows, slab, kColumns, job.part({}, begin, begin)),
                                counts};
                std::vector<std::vector<std::int64_t>> partial(operands.size());
                const JobContext part = job.part({}, begin, share(static_cast<double>(s + 1)));
                parallelFor(operands.size(), threads_, part, [&](std::size_t o, unsigned worker) {
                    if (counts == Counts::Both)
                        partial[o].assign(slab.count, 0);
                    visit(rows, group.first + o * kRows, *operands[o], here, partial[o], buffers_[worker], part);
                });
                for (const std::vector<std::int64_t>& factors : partial)
                    for (std::size_t c = 0; c < factors.size(); ++c)
                        columns.product[columnRows[slab.first + c]].take(factors[c]);
            }
        }
    }

    /// Columns that are looked at together.
    struct Slab {
        const Side& side;
        const Rows& rows;
        Range range;
        std::vector<std::optional<ProductOperand>> operands; ///< kColumns rows each
        Counts counts;
    };

    void visit(Side& rows, std::size_t first, const ProductOperand& operand, const Slab& slab,
               std::vector<std::int64_t>& partial, Buffers& buffers, const JobContext& job) const {
        const double reach =
            (slab.counts == Counts::Both ? std::max(rows.given.within, slab.side.given.within) : rows.given.within) *
            scale_;
        const float limit = roundUp(reach * reach);
        for (std::size_t o = 0; o < slab.operands.size(); ++o) {
            job.throwIfStopped();
            const ProductOperand& columns = *slab.operands[o];
            select(operand, columns, limit, buffers);
            const std::size_t cached = std::clamp<std::size_t>(kCacheBytes / (4 * columns.dim()), 16, kColumns);
            std::copy_n(buffers.first.begin(), operand.rows(), buffers.next.begin());
            for (std::size_t c = 0; c < columns.rows(); c += cached) {
                job.throwIfStopped();
                for (std::size_t r = 0; r < operand.rows(); ++r)
                    measure(rows, rows.open[first + r], r, slab, o * kColumns, c + cached, partial, buffers);
            }
        }
    }

    /// The columns in reach of each row.
    void select(const ProductOperand& operand, const ProductOperand& columns, float limit, Buffers& buffers) const {
        const Range all{0, columns.rows()};
        buffers.product.multiply(operand, {0, operand.rows()}, columns, all);
        const float* never = buffers.never.data();
        const TileColumns terms = columns.tileColumns(0, all.count, never, never, never);
        std::size_t found = 0;
        for (std::size_t r = 0; r < operand.rows(); ++r) {
            const Gate gate = Gate::of(limit, operand.bounds(r));
            const TileRow row = operand.tileRow(r, gate.reach, gate.level, gate.most(columns));
            TileHits hits{buffers.estimate.data(), buffers.column.data() + found, 0};
            TileHits none{buffers.noEstimate.data(), buffers.noColumn.data(), 0};
            if (precision_ == Precision::Integer)
                tileKernels().selectInteger(buffers.product.integerRow(r), row, terms, hits, none);
            else
                tileKernels().selectSingle(buffers.product.singleRow(r), row, terms, hits, none);
            buffers.first[r] = found;
            found += hits.count;
        }
        buffers.first[operand.rows()] = found;
    }

    /// Measures a row's next hits, up to a column.
    /// @param offset of the tile in the slab
    static void measure(Side& rows, std::uint32_t row, std::size_t r, const Slab& slab, std::size_t offset,
                        std::size_t end, std::vector<std::int64_t>& partial, Buffers& buffers) {
        const std::size_t from = buffers.next[r];
        std::size_t& next = buffers.next[r];
        while (next < buffers.first[r + 1] && buffers.column[next] < end)
            ++next;
        const bool both = slab.counts == Counts::Both;
        if (next == from || (!both && rows.product[row].isNegligible()))
            return;
        const MatrixView other = slab.side.given.set;
        buffers.row.clear();
        for (std::size_t h = from; h < next; ++h)
            buffers.row.push_back(other.rowData(slab.rows[slab.range.first + offset + buffers.column[h]]));
        buffers.squared.resize(next - from);
        squaredDistancesNear(rows.given.set.rowData(row), buffers.row.data(), next - from, other.dim,
                             buffers.squared.data());
        for (std::size_t h = from; h < next; ++h) {
            const std::int64_t distance = ProductInSteps::logarithm(buffers.squared[h - from]);
            rows.product[row].take(ProductInSteps::factor(rows.reach, distance));
            if (both) {
                std::int64_t& sum = partial[offset + buffers.column[h]];
                sum = ProductInSteps::sum(sum, ProductInSteps::factor(slab.side.reach, distance));
            }
        }
    }

    Side a_;
    Side b_;
    unsigned threads_;
    Frame frame_;
    double scale_;
    Precision precision_ = Precision::Single;
    std::vector<Buffers> buffers_;
};

} // namespace

DistanceProducts distanceProductsByMatrix(const ProductSide& a, const ProductSide& b, unsigned threads,
                                          const JobContext& job) {
    if (a.asked.empty() && b.asked.empty())
        return {};
    prepareProducts(a.set.dim);
    return MatrixProducts(a, b, threads, job.part({}, 0.0, 0.0)).find(job);
}

} // namespace assay
