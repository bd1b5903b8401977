#include "engine/metrics/held_out/feature_likelihood.h"

#include "engine/base/compute_context.h"
#include "engine/base/random.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/held_out/gaussian_mixture.h"
#include "engine/metrics/tables/compared_rows.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

StandardizedRows standardized(const LikelihoodBasis& basis, MatrixView set, const ComputeContext& context) {
    // Columns that are not used do not change the order, either. Equal rows stand together in it, so that it is
    // shuffled.
    const std::vector<std::uint32_t> order = contentOrderBy(set, basis.features, context.seed, context.threads);
    std::vector<std::uint32_t> rows = drawNumbers(LikelihoodBasis::kMaxRows, set.rows, context.seed);
    std::ranges::transform(rows, rows.begin(), [&](std::uint32_t place) { return order[place]; });
    StandardizedRows result{{}, rows.size(), basis.features.size()};
    result.values.reserve(result.rows * result.dim);
    for (const std::uint32_t row : rows) {
        context.job.throwIfStopped();
        for (std::size_t f = 0; f < result.dim; ++f) {
            const auto value = static_cast<double>(set.rowData(row)[basis.features[f]]);
            result.values.push_back(static_cast<float>((value - basis.mean[f]) / basis.deviation[f]));
        }
    }
    return result;
}

void findFeatures(LikelihoodBasis& basis, MatrixView heldOut, const ComputeContext& context) {
    const JobContext& job = context.job;
    // Sums in an order of their own, so that their last digits do not depend on the file's.
    const std::vector<std::uint32_t> order = contentOrder(heldOut, {}, context.seed, context.threads);
    const auto rows = static_cast<double>(heldOut.rows);
    std::vector<double> mean(heldOut.dim, 0.0);
    std::vector<double> squares(heldOut.dim, 0.0);
    for (const std::uint32_t row : order) {
        job.throwIfStopped();
        for (std::size_t c = 0; c < heldOut.dim; ++c)
            mean[c] += static_cast<double>(heldOut.rowData(row)[c]) / rows;
    }
    for (const std::uint32_t row : order) {
        job.throwIfStopped();
        for (std::size_t c = 0; c < heldOut.dim; ++c) {
            const double from = static_cast<double>(heldOut.rowData(row)[c]) - mean[c];
            squares[c] += from * from;
        }
    }
    for (std::size_t c = 0; c < heldOut.dim; ++c) {
        const double deviation = std::sqrt(squares[c] / (rows - 1.0));
        // Of a constant feature only the rounding of its mean is left.
        if (!(deviation > 1e-12 * std::abs(mean[c])))
            continue;
        basis.features.push_back(static_cast<std::uint32_t>(c));
        basis.mean.push_back(mean[c]);
        basis.deviation.push_back(deviation);
    }
}

MatrixView part(const StandardizedRows& rows, std::size_t first, std::size_t count) {
    return {rows.values.data() + first * rows.dim, count, rows.dim};
}

/// Mean negative log-likelihood of the held-out set for Gaussians around the first `centres` training rows, fitted to
/// the remaining training rows. In nats per feature.
double baselineOf(const LikelihoodBasis& basis, std::size_t centres, unsigned threads, const JobContext& job) {
    GaussianMixture mixture(part(basis.training, 0, centres), threads);
    mixture.fit(part(basis.training, centres, basis.training.rows - centres), job.part({}, 0.0, 0.8));
    return mixture.meanNll(basis.heldOut.view(), job.part({}, 0.8, 1.0));
}

} // namespace

LikelihoodBasis likelihoodBasis(MatrixView training, MatrixView heldOut, std::uint64_t seed, unsigned threads,
                                const JobContext& job) {
    LikelihoodBasis basis;
    findFeatures(basis, heldOut, {seed, threads, job});
    basis.training = standardized(basis, training, {seed, threads, job});
    basis.heldOut = standardized(basis, heldOut, {seed + 1, threads, job});
    basis.baselineCentres = basis.training.rows / 2;
    if (!basis.features.empty())
        basis.baseline = baselineOf(basis, basis.baselineCentres, threads, job);
    return basis;
}

FeatureLikelihood featureLikelihood(const LikelihoodBasis& basis, MatrixView synthetic, std::uint64_t seed,
                                    unsigned threads, const JobContext& job) {
    if (basis.features.empty())
        return {kNaN, kNaN};
    const StandardizedRows rows = standardized(basis, synthetic, {seed + 2, threads, job});
    GaussianMixture mixture(rows.view(), threads);
    const double training = mixture.fit(basis.training.view(), job.part({}, 0.0, 0.6));
    const double heldOut = mixture.meanNll(basis.heldOut.view(), job.part({}, 0.6, 0.8));
    // A small synthetic set is compared with as few training samples.
    const double baseline = rows.rows >= basis.baselineCentres
                                ? basis.baseline
                                : baselineOf(basis, rows.rows, threads, job.part({}, 0.8, 1.0));
    return {100.0 * (heldOut - baseline), 100.0 * (training - heldOut)};
}

std::size_t featureLikelihoodBytes(std::size_t training, std::size_t heldOut, std::size_t synthetic, std::size_t dim) {
    const auto used = [](std::size_t rows) { return std::min(rows, LikelihoodBasis::kMaxRows); };
    const std::size_t copies = 2 * (used(training) + used(heldOut) + used(synthetic)) * dim;
    return (used(training) * used(synthetic) + copies) * sizeof(float);
}

} // namespace assay
