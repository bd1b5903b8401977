#include "engine/neighbors/products/product_bounds.h"

#include "engine/base/parallel.h"
#include "engine/neighbors/search/bounds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace assay {
namespace {

constexpr std::size_t kValuesPerTask = std::size_t{1} << 20;

float largestMagnitude(std::span<const float> values) {
    // Sixteen maxima, so that the order of comparisons leaves room for vectors.
    constexpr std::size_t kLanes = 16;
    float most[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= values.size(); i += kLanes)
        for (std::size_t l = 0; l < kLanes; ++l)
            most[l] = std::max(most[l], std::abs(values[i + l]));
    for (; i < values.size(); ++i)
        most[0] = std::max(most[0], std::abs(values[i]));
    return *std::max_element(most, most + kLanes);
}

/// Mean of up to 512 evenly spaced rows.
std::vector<double> roughMean(MatrixView set) {
    constexpr std::size_t kRows = 512;
    const std::size_t used = std::min(kRows, set.rows);
    std::vector<double> mean(set.dim, 0.0);
    for (std::size_t r = 0; r < used; ++r) {
        const float* row = set.rowData(r * set.rows / used);
        for (std::size_t c = 0; c < set.dim; ++c)
            mean[c] += static_cast<double>(row[c]);
    }
    for (double& m : mean)
        m /= static_cast<double>(std::max<std::size_t>(used, 1));
    return mean;
}

} // namespace

float largestMagnitude(MatrixView set, unsigned threads, const JobContext& job) {
    if (set.largest >= 0.0F)
        return set.largest;
    const std::size_t values = set.rows * set.dim;
    std::vector<float> largest((values + kValuesPerTask - 1) / kValuesPerTask, 0.0F);
    parallelFor(largest.size(), threads, job, [&](std::size_t t, unsigned) {
        const std::size_t first = t * kValuesPerTask;
        largest[t] = largestMagnitude({set.data + first, std::min(kValuesPerTask, values - first)});
    });
    return largest.empty() ? 0.0F : *std::max_element(largest.begin(), largest.end());
}

Frame Frame::of(MatrixView base, std::initializer_list<MatrixView> sets, unsigned threads, const JobContext& job) {
    Frame frame;
    double largest = 0.0;
    double done = 0.0;
    const double step = 1.0 / static_cast<double>(sets.size());
    for (const MatrixView& set : sets) {
        job.checkpoint(done);
        largest =
            std::max(largest, static_cast<double>(largestMagnitude(set, threads, job.part({}, done, done + step))));
        done += step;
    }
    if (largest > 0.0) {
        int exponent = 0;
        std::frexp(2.0 * largest, &exponent); // a coordinate minus a mean of coordinates is at most twice the largest
        frame.scale = static_cast<float>(std::ldexp(1.0, std::clamp(-exponent, -140, 126)));
    }
    for (const double mean : roughMean(base))
        frame.centre.push_back(static_cast<float>(mean * static_cast<double>(frame.scale)));
    return frame;
}

namespace {

constexpr std::size_t kRowsPerTask = 256;
// Any positive number is right; this is what rows with evenly spread coordinates have as residual / norm.
constexpr double kRho = 1.0 / 128.0;

std::size_t tasksFor(std::size_t rows) {
    return (rows + kRowsPerTask - 1) / kRowsPerTask;
}

/// Float of at least a non-negative value, with room for two more roundings in the kernels.
float generously(double value) {
    return roundUp(value * (1.0 + 8.0 * kFloatUnit));
}

} // namespace

double squaredLength(const float* values, std::size_t count) {
    double lanes[8] = {}; // each waits for its last addition
    std::size_t c = 0;
    for (; c + 8 <= count; c += 8)
        for (std::size_t l = 0; l < 8; ++l)
            lanes[l] += static_cast<double>(values[c + l]) * static_cast<double>(values[c + l]);
    for (; c < count; ++c)
        lanes[0] += static_cast<double>(values[c]) * static_cast<double>(values[c]);
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

float roundUp(double value) {
    return nextUp(floatAtLeast(value));
}

float roundDown(double value) {
    return -roundUp(-value);
}

/// Numbers that a row's bounds are set from: norms of the scaled row x and of its representation x'.
struct ProductOperand::Norms {
    double step;            ///< factor of the integers, 1 for single precision
    double represented;     ///< |x'|^2
    double scaled = 0.0;    ///< |x|^2, used for integers only
    double residual = 0.0;  ///< |x - x'|, at most; 0 where kappa covers it
    double uncertain = 0.0; ///< error of `scaled`, as a share
};

void ProductOperand::setBounds(std::size_t row, const Norms& norms) {
    const RowTerms terms = rowTerms(norms.represented, precision_, dim_);
    step_[row] = static_cast<float>(norms.step);
    term_[row] = terms.term;
    RowBounds& bounds = bounds_[row];
    bounds.slack = terms.slack;
    bounds.residual = 0.0F;
    bounds.offset = 0.0F;
    bounds.above = bounds.slack;
    if (precision_ == Precision::Integer) {
        const double larger = std::max(norms.scaled, norms.represented) * (1.0 + norms.uncertain);
        // The last term covers rounding of the comparisons in double precision.
        const double error = kRho * larger + norms.residual * norms.residual / kRho + norms.uncertain * norms.scaled +
                             0x1p-40 * larger + flushedToZero(dim_);
        bounds.residual = generously(norms.residual);
        bounds.offset = roundDown(norms.scaled - norms.represented - error);
        bounds.above = roundUp(norms.scaled - norms.represented + error + static_cast<double>(terms.slack));
    }
    residual_[row] = bounds.residual;
    offset_[row] = bounds.offset;
}

ProductOperand::ProductOperand(std::size_t rows, std::size_t dim, Precision precision)
    : rows_(rows), dim_(dim), precision_(precision), step_(rows), term_(rows), residual_(rows), offset_(rows),
      bounds_(rows) {
    if (precision == Precision::Integer) {
        integers_ = makeLargeArray<std::int8_t>(rows * dim);
        integerSum_.resize(rows);
    } else
        single_ = makeLargeArray<float>(rows * dim);
}

void ProductOperand::findExtremes() {
    if (rows_ == 0)
        return;
    const RowExtremes all = extremes(0, rows_);
    largestResidual_ = all.residual;
    smallestOffset_ = all.offset;
}

RowExtremes ProductOperand::extremes(std::size_t first, std::size_t count) const noexcept {
    RowExtremes found{residual_[first], offset_[first]};
    for (std::size_t row = first; row < first + count; ++row) {
        found.residual = std::max(found.residual, residual_[row]);
        found.offset = std::min(found.offset, offset_[row]);
    }
    return found;
}

ProductOperand ProductOperand::sampled(std::size_t rows) const {
    ProductOperand sample(rows, dim_, precision_);
    for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t from = r * rows_ / rows;
        if (precision_ == Precision::Integer) {
            std::copy_n(integerRow(from), dim_, sample.integers_.get() + r * dim_);
            sample.integerSum_[r] = integerSum_[from];
        } else
            std::copy_n(singleRow(from), dim_, sample.single_.get() + r * dim_);
        sample.step_[r] = step_[from];
        sample.term_[r] = term_[from];
        sample.residual_[r] = residual_[from];
        sample.offset_[r] = offset_[from];
        sample.bounds_[r] = bounds_[from];
    }
    sample.findExtremes();
    return sample;
}

void ProductOperand::quantize(std::size_t row, const float* scaled) {
    // The kernels sum in 16 lanes of floats.
    const double uncertain = (static_cast<double>(dim_) / 16.0 + 20.0) * kFloatUnit;
    const QuantizedRow found = tileKernels().quantizeRow(scaled, dim_, integers_.get() + row * dim_);
    const auto step = static_cast<double>(found.step);
    const auto squaredNorm = static_cast<double>(found.squaredNorm);
    Norms norms{step, step * step * static_cast<double>(found.squaredIntegers), squaredNorm, 0.0, uncertain};
    // Scaling, and forming the rest of each coordinate, round once or twice themselves.
    norms.residual = std::sqrt(static_cast<double>(found.squaredResidual) * (1.0 + uncertain)) +
                     4.0 * kFloatUnit * std::sqrt(squaredNorm * (1.0 + uncertain)) +
                     static_cast<double>(dim_) * 0x1p-74; // squares that underflow
    integerSum_[row] = found.sum;
    setBounds(row, norms);
}

void ProductOperand::keep(std::size_t row, const float* scaled) {
    setBounds(row, {1.0, squaredLength(scaled, dim_)});
}

/// @param rowAt first element of row r
template <typename RowAt>
void ProductOperand::fill(RowAt rowAt, const Frame& frame, unsigned threads, const JobContext& job) {
    const bool integer = precision_ == Precision::Integer;
    parallelFor(tasksFor(rows_), threads, job, [&](std::size_t t, unsigned) {
        std::vector<float> scratch(integer ? dim_ : 0);
        const std::size_t last = std::min(rows_, (t + 1) * kRowsPerTask);
        for (std::size_t r = t * kRowsPerTask; r < last; ++r) {
            float* scaled = integer ? scratch.data() : single_.get() + r * dim_;
            tileKernels().scaleRow(rowAt(r), frame.centre.data(), frame.scale, dim_, scaled);
            if (integer)
                quantize(r, scaled);
            else
                keep(r, scaled);
        }
    });
    findExtremes();
}

ProductOperand ProductOperand::of(MatrixView set, const Frame& frame, Precision precision, unsigned threads,
                                  const JobContext& job) {
    ProductOperand operand(set.rows, set.dim, precision);
    operand.fill([&](std::size_t r) { return set.rowData(r); }, frame, threads, job);
    return operand;
}

ProductOperand ProductOperand::of(const SomeRows& rows, const Frame& frame, Precision precision, unsigned threads,
                                  const JobContext& job) {
    ProductOperand operand(rows.numbers.size(), rows.set.dim, precision);
    operand.fill([&](std::size_t r) { return rows.set.rowData(rows.numbers[r]); }, frame, threads, job);
    return operand;
}

ProductOperand ProductOperand::of(std::size_t rows, std::size_t dim, const RowSource& source, unsigned threads,
                                  const JobContext& job) {
    ProductOperand operand(rows, dim, Precision::Integer);
    parallelFor(tasksFor(rows), threads, job, [&](std::size_t t, unsigned worker) {
        const std::size_t first = t * kRowsPerTask;
        const std::size_t count = std::min(rows - first, kRowsPerTask);
        std::vector<float> scaled(count * dim);
        source(first, count, worker, scaled.data());
        for (std::size_t r = 0; r < count; ++r)
            operand.quantize(first + r, scaled.data() + r * dim);
    });
    operand.findExtremes();
    return operand;
}

PairBounds boundsOf(const RowBounds& x, const RowBounds& y, float estimate) {
    constexpr double kRounding = 1e-12; // of the few operations here, many times over
    const auto between = static_cast<double>(estimate);
    const double residual = static_cast<double>(x.residual) + static_cast<double>(y.residual);
    const double nearest = std::max(0.0, std::sqrt(std::max(0.0, between)) - residual);
    const double furthest =
        std::sqrt(std::max(0.0, between + static_cast<double>(x.slack) + static_cast<double>(y.slack))) + residual;
    return {std::max(nearest * nearest * (1.0 - kRounding),
                     between + static_cast<double>(x.offset) + static_cast<double>(y.offset)),
            std::min(furthest * furthest * (1.0 + kRounding),
                     between + static_cast<double>(x.above) + static_cast<double>(y.above))};
}

float PruningLimit::most(const ProductOperand& others) const {
    const double root = static_cast<double>(reach) + static_cast<double>(others.largestResidual());
    return roundUp(std::min(root * root, static_cast<double>(level) - static_cast<double>(others.smallestOffset())));
}

PruningLimit PruningLimit::of(float limit, const RowBounds& row) {
    const auto bound = static_cast<double>(limit);
    return {generously(std::sqrt(std::max(0.0, bound)) + static_cast<double>(row.residual)),
            roundUp(bound - static_cast<double>(row.offset))};
}

} // namespace assay
