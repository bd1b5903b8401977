
#include "engine/base/available_memory.h"
#include "engine/base/parallel.h"
#include "engine/io/files/refusal.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/preparation_steps.h"
#include "engine/io/preparation/prepare.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/column_moments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Element `at` of the vector with `halfPeriods` half periods, of unit length.
double cosine(std::size_t halfPeriods, std::size_t at, std::size_t side) {
    const auto n = static_cast<double>(side);
    const double angle = std::numbers::pi * (static_cast<double>(at) + 0.5) * static_cast<double>(halfPeriods) / n;
    return std::sqrt((halfPeriods == 0 ? 1.0 : 2.0) / n) * std::cos(angle);
}

} // namespace

DoubleMatrix lowFrequencies(std::size_t side, std::size_t channels, std::size_t frequencies) {
    DoubleMatrix rows(frequencies * (frequencies + 1) / 2 * channels, side * side * channels);
    std::size_t row = 0;
    for (std::size_t sum = 0; sum < frequencies; ++sum)
        for (std::size_t down = 0; down <= sum; ++down)
            for (std::size_t channel = 0; channel < channels; ++channel, ++row)
                for (std::size_t y = 0; y < side; ++y)
                    for (std::size_t x = 0; x < side; ++x)
                        rows.at(row, (y * side + x) * channels + channel) =
                            cosine(down, y, side) * cosine(sum - down, x, side);
    return rows;
}

namespace {

constexpr std::size_t kMaxPcaColumns = 4096; // the eigendecomposition takes 400 MB and half a minute
constexpr double kMinVariance = 1e-6;        // variance of a component relative to the largest
constexpr std::size_t kFrequencies = 12;     // of pictures: 78 coefficients for each of three channels
// With fewer, the standard deviations of the last components are far too small, and samples of the same law that are
// not in the real set seem to lie outside it.
constexpr std::size_t kMinRowsPerComponent = 10;
constexpr std::size_t kNamedColumns = 10;

void noteUnscaled(const std::vector<std::uint32_t>& constant, EmbeddingParts& real, const std::string& place) {
    if (constant.empty())
        return;
    const bool one = constant.size() == 1;
    const auto nameOf = [&](std::uint32_t column) {
        const std::vector<std::string>& names = real.source.columnNames;
        return std::to_string(column) + (column < names.size() ? " (" + inQuotes(names[column], 40) + ")" : "");
    };
    real.source.notes.push_back(fmt::format("{}: {} {} (counted from 0) {} constant in the real set and left unscaled",
                                            place, one ? "column" : "columns",
                                            joined(constant, ", ", nameOf, kNamedColumns), one ? "is" : "are"));
}

/// One mean and one spread per column; for Scaling::Features per feature, over all steps of all windows: the set is
/// then windows * steps rows of one value per feature.
void fitScores(ValuePreparation& fitted, EmbeddingParts& real, const std::string& place,
               const ComputeContext& context) {
    const std::size_t steps = fitted.scaling == Scaling::Features ? fitted.window.steps : 1;
    const std::size_t features = real.dim / steps;
    const ColumnMoments moments =
        columnMoments({real.values.data(), real.rows * steps, features}, context.threads, context.job);
    const std::size_t indicators = fitted.filled.size() + indicatorsOf(fitted.categories); // the last columns
    const std::size_t numbers = real.dim - std::min(real.dim, indicators);
    std::vector<std::uint32_t> constant;
    for (std::size_t c = 0; c < real.dim; ++c) {
        const std::size_t feature = c % features;
        const bool scaled = c < numbers && moments.deviation[feature] > 0.0;
        fitted.mean.push_back(scaled ? moments.mean[feature] : 0.0);
        fitted.spread.push_back(scaled ? moments.deviation[feature] : 1.0);
        if (scaled)
            continue;
        fitted.unscaled.push_back(static_cast<std::uint32_t>(c));
        if (c < std::min(numbers, features))
            constant.push_back(static_cast<std::uint32_t>(c));
    }
    noteUnscaled(constant, real, place);
}

void fitComponents(ValuePreparation& fitted, const EmbeddingParts& real, const std::string& place,
                   const ComputeContext& context) {
    const unsigned threads = context.threads;
    const JobContext& job = context.job;
    const std::size_t dim = real.dim;
    if (dim > kMaxPcaColumns)
        refuse(place, "at most " + std::to_string(kMaxPcaColumns) + " columns for --scale pca-whiten",
               std::to_string(dim) + "; --scale zscore takes any number");
    const MatrixView set{real.values.data(), real.rows, dim};
    fitted.mean = columnMoments(set, threads, job.part({}, 0.0, 0.1)).mean;
    Eigendecomposition found =
        symmetricEigendecomposition(gramOf(columnsOf(set, fitted.mean), threads, job.part({}, 0.1, 0.6)), job.silent());
    for (double& variance : found.values)
        variance /= static_cast<double>(real.rows);
    const double largest = found.values.back();
    if (!(largest > 0.0))
        refuse(place, "rows that differ, for --scale pca-whiten", "rows that are all equal");
    const std::size_t most = std::min(dim, real.rows - 1);
    for (std::size_t i = 0; i < most; ++i) {
        const double variance = found.values[dim - 1 - i];
        if (variance < kMinVariance * largest)
            break;
        const std::span<const double> axis(found.vectors.row(dim - 1 - i), dim);
        const double leading = *std::ranges::max_element(axis, {}, [](double element) { return std::abs(element); });
        for (const double element : axis)
            fitted.axes.push_back(leading < 0.0 ? -element : element);
        fitted.spread.push_back(std::sqrt(variance));
    }
    const std::size_t components = fitted.spread.size();
    if (real.rows < kMinRowsPerComponent * components)
        refuse(place,
               fmt::format("at least {} rows per principal component for --scale pca-whiten", kMinRowsPerComponent),
               fmt::format("{} rows for {} components; use --scale zscore", real.rows, components));
}

/// Calls `change(row, in, out)` for each held row and stores the output.
template <typename Change>
void changeRows(EmbeddingParts& parts, const ComputeContext& context, Change change) {
    const std::size_t dim = parts.dim;
    const std::size_t rows = parts.values.size() / dim;
    std::vector<float> changed(rows * dim);
    const std::size_t pieceRows = std::max<std::size_t>(1, (std::size_t{1} << 18) / dim);
    parallelRanges(rows, pieceRows, context.threads, context.job, [&](std::size_t row, std::size_t last, unsigned) {
        for (; row < last; ++row)
            change(row, parts.values.span().subspan(row * dim, dim), std::span(changed).subspan(row * dim, dim));
    });
    parts.values = FloatStorage(std::move(changed));
}

void applyScores(EmbeddingParts& parts, const ValuePreparation& fitted, const ComputeContext& context) {
    changeRows(parts, context, [&](std::size_t, std::span<const float> in, std::span<float> out) {
        for (std::size_t c = 0; c < in.size(); ++c)
            out[c] = static_cast<float>((static_cast<double>(in[c]) - fitted.mean[c]) / fitted.spread[c]);
    });
}

struct Axes {
    std::vector<double> origin; ///< subtracted from every row
    DoubleMatrix rows;          ///< axes x columns
};

Axes fittedAxes(const ValuePreparation& fitted) {
    Axes axes{fitted.mean, DoubleMatrix::unset(fitted.spread.size(), fitted.columns)};
    std::ranges::copy(fitted.axes, axes.rows.values.begin());
    return axes;
}

/// Replaces each held row by `dim` values that write(row, components, out) computes from it and its coordinates along
/// the axes.
template <typename Write>
void projectRows(EmbeddingParts& parts, const Axes& axes, std::size_t dim, const ComputeContext& context, Write write) {
    constexpr std::size_t pieceRows = 2048; // product in double precision, at most 64 MiB
    const std::size_t rows = parts.values.size() / parts.dim;
    std::vector<float> changed(rows * dim);
    for (std::size_t first = 0; first < rows; first += pieceRows) {
        const double done = static_cast<double>(first) / static_cast<double>(rows);
        const std::size_t count = std::min(pieceRows, rows - first);
        const MatrixView some{parts.values.data() + first * parts.dim, count, parts.dim};
        const DoubleMatrix product =
            productOf(rowsOf(some, axes.origin), rowsOf(axes.rows), context.threads, context.job.part({}, done, done));
        for (std::size_t r = 0; r < count; ++r)
            write(some.row(r), std::span(product.row(r), product.columns),
                  std::span(changed).subspan((first + r) * dim, dim));
    }
    parts.values = FloatStorage(std::move(changed));
    parts.dim = dim;
    parts.source.columnNames.clear();
}

void applyComponents(EmbeddingParts& parts, const ValuePreparation& fitted, const ComputeContext& context) {
    projectRows(parts, fittedAxes(fitted), fitted.spread.size(), context,
                [&](std::span<const float>, std::span<const double> components, std::span<float> out) {
                    for (std::size_t c = 0; c < out.size(); ++c)
                        out[c] = static_cast<float>(components[c] / fitted.spread[c]);
                });
}

/// Unscaled components, followed by the length of the residual. Without the residual, a sample that differs from the
/// real set in a direction without real variance (such as coloured pictures compared with grey ones) would lie among
/// the real samples. Squared distances are unchanged when one of the two rows has no residual.
void applyPixelComponents(EmbeddingParts& parts, const ValuePreparation& fitted, const ComputeContext& context) {
    projectRows(parts, fittedAxes(fitted), fitted.spread.size() + 1, context,
                [&](std::span<const float> row, std::span<const double> components, std::span<float> out) {
                    double left = 0.0;
                    for (std::size_t c = 0; c < row.size(); ++c) {
                        const double centred = static_cast<double>(row[c]) - fitted.mean[c];
                        left += centred * centred;
                    }
                    for (std::size_t c = 0; c < components.size(); ++c) {
                        left -= components[c] * components[c];
                        out[c] = static_cast<float>(components[c]);
                    }
                    out.back() = static_cast<float>(std::sqrt(std::max(left, 0.0)));
                });
    parts.source.builtIn = kPixelComponents;
}

void applyLowFrequencies(EmbeddingParts& parts, const ComputeContext& context) {
    const Axes axes{std::vector<double>(parts.dim, 0.0), lowFrequencies(kPixelFieldsAcross, 3, kFrequencies)};
    projectRows(parts, axes, axes.rows.rows, context,
                [](std::span<const float>, std::span<const double> coefficients, std::span<float> out) {
                    std::ranges::transform(coefficients, out.begin(),
                                           [](double coefficient) { return static_cast<float>(coefficient); });
                });
    parts.source.builtIn = kPixelFrequencies;
}

void applyLengths(EmbeddingParts& parts, const std::string& place, const ComputeContext& context) {
    const std::size_t first = parts.held ? parts.held->first : 0;
    changeRows(parts, context, [&](std::size_t row, std::span<const float> in, std::span<float> out) {
        double square = 0.0;
        for (const float value : in)
            square += static_cast<double>(value) * static_cast<double>(value);
        if (!(square > 0.0))
            refuse(place, "rows other than 0 for --scale l2",
                   "only zeros in row " + std::to_string(first + row) +
                       " (counted from 0); leave it out, or choose another scaling");
        const double length = std::sqrt(square);
        for (std::size_t c = 0; c < in.size(); ++c)
            out[c] = static_cast<float>(static_cast<double>(in[c]) / length);
    });
}

/// Whether nothing is fitted on the real set.
bool isEmpty(const ValuePreparation& fitted) {
    return fitted.scaling == Scaling::None && fitted.offset.empty() && !fitted.oneHot && fitted.filled.empty() &&
           fitted.window == WindowShape{};
}

} // namespace

void fitScaling(ValuePreparation& fitted, EmbeddingParts& real, const std::string& place,
                const ComputeContext& context) {
    if (isEmpty(fitted))
        return;
    fitted.columns = real.dim;
    if (fitted.scaling == Scaling::ZScore || fitted.scaling == Scaling::Features)
        fitScores(fitted, real, place, context);
    if (fitted.scaling == Scaling::PcaWhiten)
        fitComponents(fitted, real, place, context);
}

void scale(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place,
           const ComputeContext& context) {
    if (preparation.columns == 0 || parts.dim == 0 || parts.values.size() == 0)
        return;
    if (parts.dim != preparation.columns)
        refuse(place, std::to_string(preparation.columns) + " columns, as the real set has",
               std::to_string(parts.dim) +
                   (parts.source.builtIn.empty() ? "" : " of the built-in " + parts.source.builtIn));
    if (preparation.scaling != Scaling::None) // changed in a copy
        requireMemory(parts.values.size() * sizeof(float), place);
    if (preparation.scaling == Scaling::ZScore || preparation.scaling == Scaling::Features)
        applyScores(parts, preparation, context);
    if (preparation.scaling == Scaling::PcaWhiten)
        applyComponents(parts, preparation, context);
    if (preparation.scaling == Scaling::Pca)
        applyPixelComponents(parts, preparation, context);
    if (preparation.scaling == Scaling::DctLow)
        applyLowFrequencies(parts, context);
    if (preparation.scaling == Scaling::L2)
        applyLengths(parts, place, context);
}

} // namespace assay
