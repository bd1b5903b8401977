#include "engine/metrics/embedding/kernel_distance.h"

#include "engine/base/error.h"
#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/products/float_panels.h"
#include "engine/math/statistics/nan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>

namespace assay {
namespace {

constexpr std::size_t kSubsetRows = 1000;
constexpr std::size_t kFewestSubsets = 10;
constexpr std::size_t kMostSubsets = 100;
constexpr std::size_t kPanelsPerTask = 4;
constexpr std::size_t kChunk = 256;         // coordinates summed in single precision
constexpr std::size_t kDepth = 2048;        // coordinates of three panels that stay in cache
constexpr std::size_t kCentreRows = 256;    // enough to take off an offset that all rows have
constexpr std::uint64_t kStream = 0x6b6964; // sets these draws apart from others of the same seed

/// Draws rows of a set in random order without replacement, and shuffles again when too few are left.
class Deck {
public:
    Deck(std::size_t rows, demo::Random random) : random_(random), order_(rows), at_(rows) {
        std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    }

    /// @param count at most the number of rows
    std::vector<std::uint32_t> draw(std::size_t count) {
        if (at_ + count > order_.size()) {
            random_.shuffle(order_);
            at_ = 0;
        }
        const auto first = order_.begin() + static_cast<std::ptrdiff_t>(at_);
        at_ += count;
        return {first, first + static_cast<std::ptrdiff_t>(count)};
    }

private:
    demo::Random random_;
    std::vector<std::uint32_t> order_;
    std::size_t at_;
};

std::vector<float> centreOf(MatrixView set) {
    const std::size_t rows = std::min(set.rows, kCentreRows);
    std::vector<double> sum(set.dim, 0.0);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < set.dim; ++c)
            sum[c] += static_cast<double>(set.rowData(r)[c]);
    std::vector<float> centre(set.dim);
    for (std::size_t c = 0; c < set.dim; ++c)
        centre[c] = static_cast<float>(sum[c] / static_cast<double>(rows));
    return centre;
}

/// Packed panels of centred rows x' = x - c, and the terms that convert products of x' and y' into products of x and y:
/// x . y = x' . y' + term_x + term_y with term_x = x' . c + c . c / 2.
class CentredRows {
public:
    CentredRows(std::size_t mostRows, std::span<const float> centre)
        : centre_(centre), halfSquare_(0.5 * squareOf(centre)), terms_(floatPanelsFor(mostRows) * kFloatPanelWidth),
          values_(makeLargeArray<float>(terms_.size() * centre.size())) {}

    /// Selects the rows to pack.
    /// @param rows at most as many as the capacity
    void begin(std::span<const std::uint32_t> rows) { rows_ = rows; }

    /// Number of panels to fill.
    std::size_t panels() const { return floatPanelsFor(rows_.size()); }
    void fill(std::size_t panel, MatrixView set) {
        const std::size_t first = panel * kFloatPanelWidth;
        const std::size_t count = first < rows_.size() ? std::min(kFloatPanelWidth, rows_.size() - first) : 0;
        std::array<const float*, kFloatPanelWidth> from{};
        for (std::size_t v = 0; v < count; ++v)
            from[v] = set.rowData(rows_[first + v]);
        float* to = values_.get() + first * dim();
        packFloatPanel({from.data(), count}, dim(), centre_.data(), to);
        double* terms = terms_.data() + first;
        multiplyFloatPanel(to, dim(), centre_.data(), terms);
        for (std::size_t v = 0; v < kFloatPanelWidth; ++v)
            terms[v] += halfSquare_;
    }

    std::size_t count() const { return rows_.size(); }
    std::size_t dim() const { return centre_.size(); }
    const float* panel(std::size_t p) const { return values_.get() + p * kFloatPanelWidth * dim(); }
    double term(std::size_t row) const { return terms_[row]; }
    const double* terms() const { return terms_.data(); }

private:
    static double squareOf(std::span<const float> vector) {
        double sum = 0.0;
        for (const float x : vector)
            sum += static_cast<double>(x) * static_cast<double>(x);
        return sum;
    }

    std::span<const float> centre_;
    double halfSquare_;
    std::vector<double> terms_; ///< per row, padded with zeros
    LargeArray<float> values_;
    std::span<const std::uint32_t> rows_;
};

/// Pairs of rows that a sum covers.
enum class Pairs { All, Below }; ///< Below: each row with the earlier rows of the same set

double kernelSum(const double* products, std::size_t count, double rowTerm, const double* terms, double gamma) {
    std::array<double, 4> sums{};
    std::size_t j = 0;
    const auto kernel = [&](std::size_t at) {
        const double t = gamma * (products[at] + rowTerm + terms[at]) + 1.0;
        return t * t * t;
    };
    for (; j + sums.size() <= count; j += sums.size())
        for (std::size_t s = 0; s < sums.size(); ++s)
            sums[s] += kernel(j + s);
    for (; j < count; ++j)
        sums[0] += kernel(j);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Sums the kernel over pairs of rows of x with rows of y.
struct PairSums {
    const CentredRows& x;
    const CentredRows& y;
    Pairs pairs;
    FloatPanelKernel multiply;

    std::size_t tasks() const {
        const std::size_t rows = kPanelsPerTask * kFloatPanelWidth;
        return (x.count() + rows - 1) / rows;
    }

    double sum(std::size_t task) const {
        const std::size_t firstRow = task * kPanelsPerTask * kFloatPanelWidth;
        const std::size_t lastRow = std::min(x.count(), firstRow + kPanelsPerTask * kFloatPanelWidth);
        std::array<Tile, kTilesPerTask> tiles;
        double sum = 0.0;
        for (std::size_t j = 0; j < endOf(lastRow); j += kFloatTileColumns) {
            for (std::size_t from = 0; from < x.dim(); from += kDepth)
                for (std::size_t i = firstRow; i < lastRow; i += kFloatTileRows)
                    if (j < endOf(i + kFloatTileRows))
                        addProducts(i, j, from, tiles[(i - firstRow) / kFloatTileRows]);
            for (std::size_t i = firstRow; i < lastRow; i += kFloatTileRows)
                sum += tileSum(i, j, tiles[(i - firstRow) / kFloatTileRows]);
        }
        return sum;
    }

private:
    struct Tile {
        alignas(64) std::array<double, kFloatTileRows * kFloatTileColumns> products;
    };
    static constexpr std::size_t kTilesPerTask = kPanelsPerTask * kFloatPanelWidth / kFloatTileRows;

    /// End of the range of y's rows that form a pair with any row of x before `end`.
    std::size_t endOf(std::size_t end) const {
        return pairs == Pairs::All ? y.count() : std::min(y.count(), std::max<std::size_t>(end, 1) - 1);
    }

    /// Adds products of a range of coordinates that starts at `from`. The first range overwrites the tile.
    void addProducts(std::size_t i, std::size_t j, std::size_t from, Tile& tile) const {
        const std::size_t skipped = from * kFloatPanelWidth;
        const std::size_t q = j / kFloatPanelWidth;
        const float* rows = x.panel(i / kFloatPanelWidth) + i % kFloatPanelWidth + skipped;
        const float* const columns[kFloatPanelsAtOnce] = {y.panel(q) + skipped, y.panel(q + 1) + skipped,
                                                          y.panel(q + 2) + skipped};
        const std::size_t depth = std::min(kDepth, x.dim() - from);
        const std::size_t wanted = wantedFloatPanels(endOf(i + kFloatTileRows) - j);
        if (from == 0)
            return multiply(depth, kChunk, rows, columns, wanted, tile.products.data());
        Tile more; // NOLINT(cppcoreguidelines-pro-type-member-init)
        multiply(depth, kChunk, rows, columns, wanted, more.products.data());
        for (std::size_t p = 0; p < tile.products.size(); ++p)
            tile.products[p] += more.products[p];
    }

    double tileSum(std::size_t i, std::size_t j, const Tile& tile) const {
        const double gamma = 1.0 / static_cast<double>(x.dim());
        double sum = 0.0;
        for (std::size_t v = 0; v < std::min(kFloatTileRows, x.count() - i); ++v) {
            const std::size_t end = std::min(endOf(i + v + 1), j + kFloatTileColumns);
            if (j < end)
                sum += kernelSum(tile.products.data() + v * kFloatTileColumns, end - j, x.term(i + v), y.terms() + j,
                                 gamma);
        }
        return sum;
    }
};

double unbiasedDistance(const CentredRows& x, const CentredRows& y, unsigned threads, const JobContext& job) {
    const FloatPanelKernel multiply = floatPanelKernel();
    const std::array<PairSums, 3> parts{
        {{x, y, Pairs::All, multiply}, {x, x, Pairs::Below, multiply}, {y, y, Pairs::Below, multiply}}};
    const std::size_t tasks = std::max(parts[1].tasks(), parts[2].tasks());
    std::array<std::vector<double>, 3> sums;
    sums.fill(std::vector<double>(tasks, 0.0));
    parallelFor(parts.size() * tasks, threads, job, [&](std::size_t task, unsigned) {
        const std::size_t part = task / tasks;
        // The last rows have the most earlier ones: they go first, so that no worker is left with them.
        const std::size_t rows = tasks - 1 - task % tasks;
        if (rows < parts[part].tasks())
            sums[part][rows] = parts[part].sum(rows);
    });
    std::array<double, 3> total{};
    for (std::size_t part = 0; part < parts.size(); ++part)
        total[part] = std::accumulate(sums[part].begin(), sums[part].end(), 0.0);
    const auto m = static_cast<double>(x.count());
    const auto n = static_cast<double>(y.count());
    return 2.0 * total[1] / (m * (m - 1.0)) + 2.0 * total[2] / (n * (n - 1.0)) - 2.0 * total[0] / (m * n);
}

} // namespace

std::vector<KernelSubset> kernelSubsets(std::size_t rowsA, std::size_t rowsB, std::uint64_t seed) {
    const std::size_t size = std::min({kSubsetRows, rowsA, rowsB});
    const std::size_t longest = std::max(rowsA, rowsB);
    if (size == 0)
        return {};
    const std::size_t count =
        longest == size ? 1 : std::clamp((longest + size - 1) / size, kFewestSubsets, kMostSubsets);
    Deck a(rowsA, demo::Random::forItem(seed ^ kStream, 0));
    Deck b(rowsB, demo::Random::forItem(seed ^ kStream, 1));
    std::vector<KernelSubset> subsets(count);
    for (KernelSubset& subset : subsets)
        subset = {a.draw(size), b.draw(size)};
    return subsets;
}

KernelDistance kernelDistance(MatrixView a, MatrixView b, std::span<const KernelSubset> subsets, unsigned threads,
                              const JobContext& job) {
    if (a.dim != b.dim)
        throw Error(ErrorKind::InvalidArgument,
                    "kernel distance: expected " + std::to_string(a.dim) + " columns, found " + std::to_string(b.dim));
    if (subsets.empty() || subsets.front().a.size() < 2 || subsets.front().b.size() < 2)
        return {kNaN, kNaN};
    const std::vector<float> centre = centreOf(a);
    const auto most = [&](auto side) {
        std::size_t rows = 0;
        for (const KernelSubset& subset : subsets)
            rows = std::max(rows, (subset.*side).size());
        return rows;
    };
    CentredRows x(most(&KernelSubset::a), centre);
    CentredRows y(most(&KernelSubset::b), centre);
    std::vector<double> distances;
    for (const KernelSubset& subset : subsets) {
        const double done = static_cast<double>(distances.size()) / static_cast<double>(subsets.size());
        const JobContext quiet = job.part({}, done, done);
        x.begin(subset.a);
        y.begin(subset.b);
        parallelFor(x.panels() + y.panels(), threads, quiet, [&](std::size_t task, unsigned) {
            if (task < x.panels())
                x.fill(task, a);
            else
                y.fill(task - x.panels(), b);
        });
        distances.push_back(unbiasedDistance(x, y, threads, quiet));
    }
    const auto count = static_cast<double>(distances.size());
    const double mean = std::accumulate(distances.begin(), distances.end(), 0.0) / count;
    double squares = 0.0;
    for (const double distance : distances)
        squares += (distance - mean) * (distance - mean);
    return {mean, std::sqrt(squares / count)};
}

} // namespace assay
