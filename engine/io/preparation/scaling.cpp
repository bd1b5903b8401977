#include "engine/io/preparation/scaling.h"

#include "engine/base/parallel.h"
#include "engine/io/files/refusal.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/prepare.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/column_moments.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kMostPcaColumns = 4096; // the eigendecomposition takes minutes
constexpr double kLeastVariance = 1e-6;       // variance of a component relative to the largest
// For the built-in embedding of pictures. On MNIST it keeps 193 of 768 components; clipped density and clipped coverage
// change by less than half their intervals (with 128 components, the density of a model that copies changes by 4
// intervals).
constexpr double kKeptVariance = 0.9999;
constexpr std::size_t kMostKept = 256;
constexpr std::size_t kNamedColumns = 10;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Number of 0-1 columns that come from text columns; they are the last columns.
std::size_t indicatorColumns(const ValuePreparation& fitted) {
    std::size_t count = 0;
    for (const CategoryColumn& column : fitted.categories)
        count += column.categories.size() + 1;
    return count;
}

void noteUnscaled(const std::vector<std::uint32_t>& constant, EmbeddingParts& real, const std::string& place) {
    if (constant.empty())
        return;
    std::string text = place + ": " + (constant.size() == 1 ? "column " : "columns ");
    for (std::size_t i = 0; i < std::min(kNamedColumns, constant.size()); ++i) {
        text += (i > 0 ? ", " : "") + std::to_string(constant[i]);
        if (constant[i] < real.source.columnNames.size())
            text += " ('" + printable(real.source.columnNames[constant[i]], 40) + "')";
    }
    if (constant.size() > kNamedColumns)
        text += " and " + std::to_string(constant.size() - kNamedColumns) + " more";
    real.source.notes.push_back(text + " (counted from 0) " + (constant.size() == 1 ? "is" : "are") +
                                " constant in the real set and left unscaled");
}

void fitScores(ValuePreparation& fitted, EmbeddingParts& real, const std::string& place, unsigned threads,
               const JobContext& job) {
    ColumnMoments moments = columnMoments({real.values.data(), real.rows, real.dim}, threads, job);
    const std::size_t numbers = real.dim - std::min(real.dim, indicatorColumns(fitted));
    std::vector<std::uint32_t> constant;
    for (std::size_t c = 0; c < real.dim; ++c) {
        if (c < numbers && moments.deviation[c] > 0.0)
            continue;
        if (c < numbers)
            constant.push_back(static_cast<std::uint32_t>(c));
        fitted.unscaled.push_back(static_cast<std::uint32_t>(c));
        moments.mean[c] = 0.0;
        moments.deviation[c] = 1.0;
    }
    noteUnscaled(constant, real, place);
    fitted.mean = std::move(moments.mean);
    fitted.spread = std::move(moments.deviation);
}

/// Standardises over all steps of all windows: treats the set as windows * steps rows of one value per feature.
void fitFeatures(ValuePreparation& fitted, EmbeddingParts& real, const std::string& place, unsigned threads,
                 const JobContext& job) {
    const auto [steps, features] = fitted.window;
    const ColumnMoments moments = columnMoments({real.values.data(), real.rows * steps, features}, threads, job);
    std::vector<std::uint32_t> constant;
    for (std::size_t c = 0; c < real.dim; ++c) {
        const std::size_t feature = c % features;
        const bool varies = moments.deviation[feature] > 0.0;
        fitted.mean.push_back(varies ? moments.mean[feature] : 0.0);
        fitted.spread.push_back(varies ? moments.deviation[feature] : 1.0);
        if (varies)
            continue;
        fitted.unscaled.push_back(static_cast<std::uint32_t>(c));
        if (c < features)
            constant.push_back(static_cast<std::uint32_t>(feature));
    }
    noteUnscaled(constant, real, place);
}

void fitComponents(ValuePreparation& fitted, const EmbeddingParts& real, const std::string& place, unsigned threads,
                   const JobContext& job) {
    const std::size_t dim = real.dim;
    if (dim > kMostPcaColumns)
        refuse(place, "at most " + std::to_string(kMostPcaColumns) + " columns for --scale pca-whiten",
               std::to_string(dim) + "; --scale zscore takes any number");
    const MatrixView set{real.values.data(), real.rows, dim};
    fitted.mean = columnMoments(set, threads, job.part({}, 0.0, 0.1)).mean;
    const DoubleMatrix gram = gramOf(columnsOf(set, fitted.mean), threads, job.part({}, 0.1, 0.6));
    const auto size = static_cast<Eigen::Index>(dim);
    const Eigen::Map<const RowMajor> covariance(gram.values.data(), size, size);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(
        covariance.triangularView<Eigen::Lower>().toDenseMatrix() / static_cast<double>(real.rows));
    const bool whitens = fitted.scaling == Scaling::PcaWhiten;
    const double largest = solved.eigenvalues()(size - 1);
    if (solved.info() != Eigen::Success || !(largest > 0.0)) {
        if (whitens)
            refuse(place, "rows that differ, for --scale pca-whiten", "rows that are all equal");
        fitted.scaling = Scaling::None; // a set of equal pictures is accepted
        fitted.mean.clear();
        return;
    }
    const std::size_t most = std::min(dim, real.rows - 1);
    const double enough = kKeptVariance * solved.eigenvalues().cwiseMax(0.0).sum();
    double kept = 0.0;
    for (std::size_t i = 0; i < most; ++i) {
        const Eigen::Index at = size - 1 - static_cast<Eigen::Index>(i);
        const double variance = solved.eigenvalues()(at);
        if (variance < kLeastVariance * largest || (!whitens && (kept >= enough || i == kMostKept)))
            break;
        kept += variance;
        const auto axis = solved.eigenvectors().col(at);
        Eigen::Index leading = 0;
        axis.cwiseAbs().maxCoeff(&leading);
        const double sign = axis(leading) < 0.0 ? -1.0 : 1.0;
        for (Eigen::Index c = 0; c < size; ++c)
            fitted.axes.push_back(sign * axis(c));
        fitted.spread.push_back(std::sqrt(variance));
    }
}

/// Calls `change(row, in, out)` for each held row and stores the output.
template <typename Change>
void changeRows(EmbeddingParts& parts, std::size_t dim, unsigned threads, const JobContext& job, Change change) {
    const std::size_t rows = parts.values.size() / parts.dim;
    std::vector<float> changed(rows * dim);
    const std::size_t pieceRows = std::max<std::size_t>(1, (std::size_t{1} << 18) / parts.dim);
    parallelFor((rows + pieceRows - 1) / pieceRows, threads, job, [&](std::size_t piece, unsigned) {
        for (std::size_t row = piece * pieceRows; row < std::min(rows, (piece + 1) * pieceRows); ++row)
            change(row, parts.values.span().subspan(row * parts.dim, parts.dim),
                   std::span(changed).subspan(row * dim, dim));
    });
    parts.values = FloatStorage(std::move(changed));
    parts.dim = dim;
}

void applyScores(EmbeddingParts& parts, const ValuePreparation& fitted, unsigned threads, const JobContext& job) {
    changeRows(parts, parts.dim, threads, job, [&](std::size_t, std::span<const float> in, std::span<float> out) {
        for (std::size_t c = 0; c < in.size(); ++c)
            out[c] = static_cast<float>((static_cast<double>(in[c]) - fitted.mean[c]) / fitted.spread[c]);
    });
}

void applyComponents(EmbeddingParts& parts, const ValuePreparation& fitted, unsigned threads, const JobContext& job) {
    const auto size = static_cast<Eigen::Index>(fitted.columns);
    const auto count = static_cast<Eigen::Index>(fitted.spread.size());
    const std::size_t rows = parts.values.size() / parts.dim;
    std::vector<float> changed(rows * fitted.spread.size());
    const Eigen::Map<const RowMajor> axes(fitted.axes.data(), count, size);
    const Eigen::Map<const Eigen::RowVectorXd> mean(fitted.mean.data(), size);
    const Eigen::Map<const Eigen::RowVectorXd> spread(fitted.spread.data(), count);
    constexpr std::size_t pieceRows = 64;
    using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    parallelFor((rows + pieceRows - 1) / pieceRows, threads, job, [&](std::size_t piece, unsigned) {
        const std::size_t first = piece * pieceRows;
        const auto some = static_cast<Eigen::Index>(std::min(pieceRows, rows - first));
        const Eigen::Map<const Floats> in(parts.values.data() + first * parts.dim, some, size);
        const RowMajor product = (in.cast<double>().rowwise() - mean) * axes.transpose();
        Eigen::Map<Floats>(changed.data() + first * fitted.spread.size(), some, count) =
            (product.array().rowwise() / spread.array()).cast<float>().matrix();
    });
    parts.values = FloatStorage(std::move(changed));
    parts.dim = fitted.spread.size();
    parts.source.columnNames.clear();
}

/// Unscaled components, followed by the length of the residual. Without the residual, a sample that differs from the
/// real set in a direction without real variance (such as coloured pictures compared with grey ones) would lie among
/// the real samples. Squared distances are unchanged when one of the two rows has no residual.
void applyPixelComponents(EmbeddingParts& parts, const ValuePreparation& fitted, unsigned threads,
                          const JobContext& job) {
    constexpr std::size_t pieceRows = 8192; // rows per product in double precision, about 16 MiB
    const std::size_t count = fitted.spread.size();
    const std::size_t rows = parts.values.size() / parts.dim;
    DoubleMatrix axes = DoubleMatrix::unset(count, fitted.columns);
    std::ranges::copy(fitted.axes, axes.values.begin());
    std::vector<float> changed(rows * (count + 1));
    for (std::size_t first = 0; first < rows; first += pieceRows) {
        const MatrixView some{parts.values.data() + first * parts.dim, std::min(pieceRows, rows - first), parts.dim};
        const DoubleMatrix product = productOf(rowsOf(some, fitted.mean), rowsOf(axes), threads, job);
        for (std::size_t r = 0; r < some.rows; ++r) {
            double left = 0.0;
            for (std::size_t c = 0; c < parts.dim; ++c) {
                const double centred = static_cast<double>(some.row(r)[c]) - fitted.mean[c];
                left += centred * centred;
            }
            float* out = changed.data() + (first + r) * (count + 1);
            for (std::size_t c = 0; c < count; ++c) {
                left -= product.at(r, c) * product.at(r, c);
                out[c] = static_cast<float>(product.at(r, c));
            }
            out[count] = static_cast<float>(std::sqrt(std::max(left, 0.0)));
        }
    }
    parts.values = FloatStorage(std::move(changed));
    parts.dim = count + 1;
    parts.source.columnNames.clear();
    parts.source.builtIn = kPixelComponents;
}

void applyLengths(EmbeddingParts& parts, const std::string& place, unsigned threads, const JobContext& job) {
    const std::size_t first = parts.held ? parts.held->first : 0;
    changeRows(parts, parts.dim, threads, job, [&](std::size_t row, std::span<const float> in, std::span<float> out) {
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

} // namespace

void fitScaling(ValuePreparation& fitted, EmbeddingParts& real, const std::string& place, unsigned threads,
                const JobContext& job) {
    if (fitted.scaling == Scaling::None && fitted.offset.empty() && !fitted.oneHot && fitted.window == WindowShape{})
        return;
    fitted.columns = real.dim;
    if (fitted.scaling == Scaling::ZScore)
        fitScores(fitted, real, place, threads, job);
    if (fitted.scaling == Scaling::Features)
        fitFeatures(fitted, real, place, threads, job);
    if (fitted.scaling == Scaling::PcaWhiten || fitted.scaling == Scaling::Pca)
        fitComponents(fitted, real, place, threads, job);
    if (fitted.scaling == Scaling::None && fitted.offset.empty() && !fitted.oneHot && fitted.window == WindowShape{})
        fitted.columns = 0; // nothing was fitted
}

void scale(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place, unsigned threads,
           const JobContext& job) {
    if (preparation.columns == 0 || parts.dim == 0 || parts.values.size() == 0)
        return;
    if (parts.dim != preparation.columns)
        refuse(place, std::to_string(preparation.columns) + " columns, as the real set has", std::to_string(parts.dim));
    if (preparation.scaling == Scaling::ZScore || preparation.scaling == Scaling::Features)
        applyScores(parts, preparation, threads, job);
    if (preparation.scaling == Scaling::PcaWhiten)
        applyComponents(parts, preparation, threads, job);
    if (preparation.scaling == Scaling::Pca)
        applyPixelComponents(parts, preparation, threads, job);
    if (preparation.scaling == Scaling::L2)
        applyLengths(parts, place, threads, job);
}

} // namespace assay
