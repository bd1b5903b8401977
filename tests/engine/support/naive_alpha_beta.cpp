#include "tests/engine/support/naive_alpha_beta.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::test {
namespace {

constexpr std::size_t kSteps = 30;

double toPoint(MatrixView set, std::size_t row, const std::vector<double>& point) {
    double sum = 0.0;
    for (std::size_t c = 0; c < set.dim; ++c)
        sum += (static_cast<double>(set.rowData(row)[c]) - point[c]) *
               (static_cast<double>(set.rowData(row)[c]) - point[c]);
    return std::sqrt(sum);
}

double between(MatrixView a, std::size_t i, MatrixView b, std::size_t j) {
    return toPoint(a, i, {b.row(j).begin(), b.row(j).end()});
}

/// The quantile at step / (kSteps - 1).
double quantile(std::vector<double> values, std::size_t step) {
    std::sort(values.begin(), values.end());
    const std::size_t place = step * (values.size() - 1);
    const std::size_t whole = place / (kSteps - 1);
    const std::size_t rest = place % (kSteps - 1);
    if (rest == 0)
        return values[whole];
    const double share = static_cast<double>(rest) / static_cast<double>(kSteps - 1);
    return values[whole] + share * (values[whole + 1] - values[whole]); // exact between equal values
}

double smallestAlphaOf(const std::vector<double>& distances, double distance) {
    std::vector<double> sorted = distances;
    std::sort(sorted.begin(), sorted.end());
    if (distance > sorted.back())
        return sorted.back() > 0.0 ? distance / sorted.back() : std::numeric_limits<double>::infinity();
    if (distance <= sorted.front())
        return 0.0;
    for (std::size_t p = 1; p < sorted.size(); ++p)
        if (distance <= sorted[p])
            return (static_cast<double>(p - 1) + (distance - sorted[p - 1]) / (sorted[p] - sorted[p - 1])) /
                   static_cast<double>(sorted.size() - 1);
    return std::nan("");
}

double integral(const std::vector<double>& shares) {
    double sum = 0.0;
    for (std::size_t j = 0; j < kSteps; ++j)
        sum += std::abs(static_cast<double>(j) / (kSteps - 1) - shares[j]) / (kSteps - 1);
    return 1.0 - 2.0 * sum;
}

/// The row of `base` nearest to row i of `set`, `skip` left out.
std::size_t nearestOf(MatrixView set, std::size_t i, MatrixView base, std::size_t skip) {
    std::size_t nearest = base.rows;
    for (std::size_t j = 0; j < base.rows; ++j)
        if (j != skip && (nearest == base.rows || between(set, i, base, j) < between(set, i, base, nearest)))
            nearest = j;
    return nearest;
}

} // namespace

std::vector<double> naiveMean(MatrixView set) {
    std::vector<double> mean(set.dim, 0.0);
    for (std::size_t c = 0; c < set.dim; ++c) {
        for (std::size_t row = 0; row < set.rows; ++row)
            mean[c] += static_cast<double>(set.rowData(row)[c]);
        mean[c] /= static_cast<double>(set.rows);
    }
    return mean;
}

NaiveAlphaBeta naiveAlphaBeta(MatrixView real, MatrixView synthetic, const std::vector<double>& centre) {
    NaiveAlphaBeta found;
    for (std::size_t i = 0; i < real.rows; ++i)
        found.realCentreDistance.push_back(toPoint(real, i, centre));
    for (std::size_t j = 0; j < synthetic.rows; ++j) {
        found.centreDistance.push_back(toPoint(synthetic, j, centre));
        found.typicality.push_back(smallestAlphaOf(found.realCentreDistance, found.centreDistance.back()));
    }
    const std::vector<double> mean = naiveMean(synthetic);
    std::vector<double> nearestToMean;
    for (std::size_t i = 0; i < real.rows; ++i) {
        const std::size_t n = nearestOf(real, i, synthetic, synthetic.rows);
        const std::size_t other = nearestOf(real, i, real, i);
        nearestToMean.push_back(toPoint(synthetic, n, mean));
        found.betaCovered.push_back(between(real, i, synthetic, n) <= between(real, i, real, other) ? 1.0 : 0.0);
    }
    for (std::size_t step = 0; step < kSteps; ++step) {
        const double radius = quantile(found.realCentreDistance, step);
        double inside = 0.0;
        for (const double distance : found.centreDistance)
            inside += distance <= radius ? 1.0 : 0.0;
        found.alphaPrecision.push_back(inside / static_cast<double>(synthetic.rows));
        const double reach = quantile(nearestToMean, step);
        double covered = 0.0;
        for (std::size_t i = 0; i < real.rows; ++i)
            covered += nearestToMean[i] <= reach ? found.betaCovered[i] : 0.0;
        found.betaRecall.push_back(covered / static_cast<double>(real.rows));
    }
    found.integratedAlphaPrecision = integral(found.alphaPrecision);
    found.integratedBetaRecall = integral(found.betaRecall);
    return found;
}

} // namespace assay::test
