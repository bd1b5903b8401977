#include "engine/math/statistics/bootstrap.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/products/panels.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr std::size_t kResamplesPerTask = 2 * kTileRows;
constexpr std::size_t kRowsPerBlock = 1024; // between two looks at the stop token

/// Draws `rows` times with replacement from `rows` rows; counts[row] is the number of draws of each.
void draw(std::uint16_t* counts, std::size_t rows, std::uint64_t seed) {
    Random random(seed);
    const auto take = [&](std::uint64_t half) { ++counts[(half * rows) >> 32]; };
    for (std::size_t drawn = 0; drawn + 1 < rows; drawn += 2) {
        const std::uint64_t both = random.next();
        take(both >> 32);
        take(both & 0xFFFFFFFF);
    }
    if (rows % 2 == 1)
        take(random.next() >> 32);
}

/// Columns of equal length in panels, each behind the other: element `row` of column c of panel p is
/// at(p, row * kPanelWidth<double> + c).
DoubleMatrix packed(std::span<const std::vector<double>> columns) {
    constexpr std::size_t kWidth = kPanelWidth<double>;
    DoubleMatrix panels((columns.size() + kWidth - 1) / kWidth, columns.front().size() * kWidth);
    for (std::size_t c = 0; c < columns.size(); ++c)
        for (std::size_t row = 0; row < columns[c].size(); ++row)
            panels.at(c / kWidth, row * kWidth + c % kWidth) = columns[c][row];
    return panels;
}

/// Adds to the sums of some resamples what they draw from some rows.
/// @param weights draws of each row in kTileRows resamples: a panel
/// @param sums kTileRows rows of a matrix, a column for each of the panels' columns
void addDrawn(const std::vector<double>& weights, const DoubleMatrix& panels, std::size_t firstRow, std::size_t rows,
              std::span<double* const> sums) {
    alignas(64) double tile[kTileRows * kTileColumns<double>];
    for (std::size_t p = 0; p < panels.rows; p += kPanelsAtOnce) {
        const std::size_t wanted = std::min(kPanelsAtOnce, panels.rows - p);
        const auto panel = [&](std::size_t at) {
            return panels.row(p + std::min(at, wanted - 1)) + firstRow * kPanelWidth<double>;
        };
        multiplyPanels(Panels<double>{.depth = rows,
                                      .chunk = rows,
                                      .a = weights.data(),
                                      .b = {panel(0), panel(1), panel(2)},
                                      .wanted = wanted},
                       tile);
        for (std::size_t b = 0; b < sums.size(); ++b)
            for (std::size_t c = 0; c < wanted * kPanelWidth<double>; ++c)
                sums[b][p * kPanelWidth<double> + c] += tile[b * kTileColumns<double> + c];
    }
}

/// Sums of the columns in each resample of one task.
/// @param counts draws per row in the task's resamples, kResamplesPerTask x rows
/// @return kResamplesPerTask x the panels' columns
DoubleMatrix resampledSums(const std::vector<std::uint16_t>& counts, const DoubleMatrix& panels,
                           const JobContext& job) {
    static_assert(kPanelWidth<double> == kTileRows, "a panel of weights holds the resamples of one tile");
    const std::size_t rows = panels.columns / kPanelWidth<double>;
    DoubleMatrix sums(kResamplesPerTask, panels.rows * kPanelWidth<double>);
    std::vector<double> weights(kRowsPerBlock * kTileRows);
    for (std::size_t row = 0; row < rows; row += kRowsPerBlock) {
        job.throwIfStopped();
        const std::size_t block = std::min(kRowsPerBlock, rows - row);
        for (std::size_t first = 0; first < kResamplesPerTask; first += kTileRows) {
            std::array<double*, kTileRows> to{};
            for (std::size_t b = 0; b < kTileRows; ++b) {
                to[b] = sums.row(first + b);
                for (std::size_t i = 0; i < block; ++i)
                    weights[i * kTileRows + b] = counts[(first + b) * rows + row + i];
            }
            addDrawn(weights, panels, row, block, to);
        }
    }
    return sums;
}

} // namespace

namespace {

/// Ratios of the resampled sums of the units to the resampled numbers of rows.
std::vector<double> meansOfUnits(std::span<const std::vector<double>> columns, const Resampling& how,
                                 const JobContext& job) {
    const std::size_t width = columns.size();
    const std::size_t units = *std::ranges::max_element(how.unit) + std::size_t{1};
    std::vector<std::vector<double>> sums(width + 1, std::vector<double>(units, 0.0));
    for (std::size_t row = 0; row < how.unit.size(); ++row) {
        for (std::size_t c = 0; c < width; ++c)
            sums[c][how.unit[row]] += columns[c][row];
        ++sums[width][how.unit[row]];
    }
    const std::vector<double> drawn = resampledMeans(sums, {how.count, how.seed, how.threads}, job);
    std::vector<double> means(how.count * width);
    for (std::size_t b = 0; b < how.count; ++b)
        for (std::size_t c = 0; c < width; ++c)
            means[b * width + c] = drawn[b * (width + 1) + c] / drawn[b * (width + 1) + width];
    return means;
}

} // namespace

std::vector<double> resampledMeans(std::span<const std::vector<double>> columns, const Resampling& how,
                                   const JobContext& job) {
    if (!how.unit.empty())
        return meansOfUnits(columns, how, job);
    const std::size_t width = columns.size();
    const std::size_t rows = width == 0 ? 0 : columns.front().size();
    std::vector<double> means(how.count * width, kNaN);
    if (rows == 0)
        return means;
    const DoubleMatrix panels = packed(columns);
    const std::size_t tasks = (how.count + kResamplesPerTask - 1) / kResamplesPerTask;
    parallelFor(tasks, how.threads, job, [&](std::size_t task, unsigned) {
        const std::size_t first = task * kResamplesPerTask;
        const std::size_t last = std::min(how.count, first + kResamplesPerTask);
        std::vector<std::uint16_t> counts(kResamplesPerTask * rows, 0);
        for (std::size_t b = first; b < last; ++b) {
            job.throwIfStopped();
            draw(counts.data() + (b - first) * rows, rows, Random::forItem(how.seed, b).next());
        }
        const DoubleMatrix sums = resampledSums(counts, panels, job);
        for (std::size_t b = first; b < last; ++b)
            for (std::size_t c = 0; c < width; ++c)
                means[b * width + c] = sums.at(b - first, c) / static_cast<double>(rows);
    });
    return means;
}

Bounds percentileBounds(std::vector<double> values, double level) {
    if (values.empty() || std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
        return {kNaN, kNaN};
    return {quantile(std::span(values), (1.0 - level) / 2.0), quantile(std::span(values), (1.0 + level) / 2.0)};
}

std::uint64_t streamSeed(std::uint64_t seed, std::string_view stream) {
    std::uint64_t hash = 0xCBF29CE484222325ULL; // FNV-1a: the same on every machine, unlike std::hash
    for (const char c : stream)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return Random::forItem(seed, hash).next();
}

} // namespace assay
