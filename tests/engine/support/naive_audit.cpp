#include "tests/engine/support/naive_audit.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace assay::test {
namespace {

using Values = std::vector<double>;

double distanceBetween(MatrixView a, std::size_t rowA, MatrixView b, std::size_t rowB) {
    const float* x = a.rowData(rowA);
    const float* y = b.rowData(rowB);
    double sum = 0.0;
    for (std::size_t c = 0; c < a.dim; ++c) {
        const double difference = static_cast<double>(x[c]) - static_cast<double>(y[c]);
        sum += difference * difference;
    }
    return std::sqrt(sum);
}

/// The nearest (lower index on ties) and the k-th nearest of some distances; `self` is passed over.
struct Nearest {
    std::size_t index = 0;
    double first = 0.0;
    double kth = 0.0;
};

Nearest nearestOf(const Values& distances, std::size_t k, std::size_t self) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < distances.size(); ++i)
        if (i != self)
            order.emplace_back(distances[i], i);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end());
    return {order.front().second, order.front().first, order[k - 1].first};
}

constexpr std::size_t kNoSelf = static_cast<std::size_t>(-1);

std::vector<Nearest> ownNeighbors(MatrixView set, std::size_t k) {
    std::vector<Nearest> result;
    Values distances(set.rows);
    for (std::size_t i = 0; i < set.rows; ++i) {
        for (std::size_t j = 0; j < set.rows; ++j)
            distances[j] = distanceBetween(set, i, set, j);
        result.push_back(nearestOf(distances, k, i));
    }
    return result;
}

Values kthDistances(const std::vector<Nearest>& neighbors) {
    Values result;
    for (const Nearest& n : neighbors)
        result.push_back(n.kth);
    return result;
}

double median(Values values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

double mean(const Values& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

template <typename Predicate>
double share(const Values& values, Predicate holds) {
    return static_cast<double>(std::count_if(values.begin(), values.end(), holds)) / static_cast<double>(values.size());
}

Values cappedShares(const Values& counts, std::size_t k) {
    Values result;
    for (const double count : counts)
        result.push_back(std::min(count / static_cast<double>(k), 1.0));
    return result;
}

/// h(D, n) per k-th distance; a zero gives way to the smallest positive one of the same table.
Values entropyTerms(const Values& kth, std::size_t n, std::size_t dim, std::size_t k) {
    double smallest = 0.0;
    for (const double distance : kth)
        if (distance > 0.0 && (smallest == 0.0 || distance < smallest))
            smallest = distance;
    double digamma = -std::numbers::egamma;
    for (std::size_t i = 1; i < k; ++i)
        digamma += 1.0 / static_cast<double>(i);
    const double d = static_cast<double>(dim);
    const double logUnitBall = 0.5 * d * std::log(std::numbers::pi) - std::lgamma(0.5 * d + 1.0);
    Values result;
    for (const double distance : kth)
        result.push_back(std::log(static_cast<double>(n)) - digamma + logUnitBall +
                         d * std::log(distance > 0.0 ? distance : smallest));
    return result;
}

Values minus(Values values, double by) {
    for (double& value : values)
        value -= by;
    return values;
}

/// f(m) = E[min(C, k)] / k by summing over every C, its probabilities by their recurrence: O(M^2) in all and nothing
/// shared with the closed form in METRICS.
double calibratedCoverage(double coverage, std::size_t n, std::size_t m, std::size_t k) {
    const double alpha = static_cast<double>(k);
    const double beta = static_cast<double>(n - k);
    double none = 1.0; // P(C = 0) for the current number of draws
    std::size_t below = 0;
    for (std::size_t draws = 0; draws <= m; ++draws) {
        const double size = static_cast<double>(draws);
        double expected = 0.0;
        double probability = none;
        for (std::size_t c = 0; c <= draws; ++c) {
            const double count = static_cast<double>(c);
            expected += std::min(count / alpha, 1.0) * probability;
            probability *= (size - count) / (count + 1.0) * (count + alpha) / (size - count - 1.0 + beta);
        }
        below += (draws < k ? 0.0 : expected) < coverage ? 1 : 0;
        none *= (beta + size) / (alpha + beta + size);
    }
    return static_cast<double>(below) / static_cast<double>(m + 1);
}

/// Everything that looks at pairs of a real and a synthetic sample.
struct CrossCounts {
    Values ballsHolding, clippedBallsHolding; ///< per synthetic sample
    Values insideBall, syntheticBallsHolding; ///< per real sample
    std::vector<Nearest> syntheticToReal, realToSynthetic;
};

CrossCounts countCross(MatrixView real, MatrixView synthetic, std::size_t k, const Values& radius,
                       const Values& clipped, const Values& syntheticRadius) {
    CrossCounts counts;
    counts.insideBall.assign(real.rows, 0.0);
    counts.syntheticBallsHolding.assign(real.rows, 0.0);
    Values distances(real.rows);
    for (std::size_t j = 0; j < synthetic.rows; ++j) {
        double holding = 0.0;
        double clippedHolding = 0.0;
        for (std::size_t i = 0; i < real.rows; ++i) {
            const double distance = distanceBetween(synthetic, j, real, i);
            distances[i] = distance;
            holding += distance <= radius[i] ? 1.0 : 0.0;
            clippedHolding += distance <= clipped[i] ? 1.0 : 0.0;
            counts.insideBall[i] += distance <= radius[i] ? 1.0 : 0.0;
            counts.syntheticBallsHolding[i] += distance <= syntheticRadius[j] ? 1.0 : 0.0;
        }
        counts.ballsHolding.push_back(holding);
        counts.clippedBallsHolding.push_back(clippedHolding);
        counts.syntheticToReal.push_back(nearestOf(distances, k, kNoSelf));
    }
    Values back(synthetic.rows);
    for (std::size_t i = 0; i < real.rows; ++i) {
        for (std::size_t j = 0; j < synthetic.rows; ++j)
            back[j] = distanceBetween(real, i, synthetic, j);
        counts.realToSynthetic.push_back(nearestOf(back, k, kNoSelf));
    }
    return counts;
}

/// Per real sample: balls of the other real samples that hold it.
Values ballsOfOthers(MatrixView real, const Values& radius) {
    Values counts(real.rows, 0.0);
    for (std::size_t i = 0; i < real.rows; ++i)
        for (std::size_t j = 0; j < real.rows; ++j)
            if (i != j && distanceBetween(real, i, real, j) <= radius[j])
                counts[i] += 1.0;
    return counts;
}

void scoreFidelityAndCoverage(NaiveAudit& audit, const CrossCounts& counts, std::size_t n, std::size_t m,
                              std::size_t k) {
    const double size = static_cast<double>(k);
    auto& metrics = audit.metrics;
    auto& columns = audit.columns;
    columns["clipped_ball_count"] = counts.clippedBallsHolding;
    columns["ball_count"] = counts.ballsHolding;
    columns["fidelity"] = cappedShares(counts.clippedBallsHolding, k);
    columns["ball_synthetic_count"] = counts.insideBall;
    columns["coverage"] = cappedShares(counts.insideBall, k);
    columns["synthetic_ball_count"] = counts.syntheticBallsHolding;
    metrics["clipped_density_unnormalized"] = mean(columns["fidelity"]);
    metrics["clipped_density_real"] = mean(cappedShares(columns["real_clipped_ball_count"], k));
    metrics["clipped_density_unclipped"] = metrics["clipped_density_unnormalized"] / metrics["clipped_density_real"];
    metrics["clipped_density"] = std::min(metrics["clipped_density_unclipped"], 1.0);
    metrics["clipped_coverage_unnormalized"] = mean(columns["coverage"]);
    metrics["clipped_coverage"] = calibratedCoverage(metrics["clipped_coverage_unnormalized"], n, m, k);
    const auto over = [size](double count) { return count > size; };
    const auto some = [](double count) { return count > 0.0; };
    metrics["over_occurring_fraction"] = share(counts.ballsHolding, over);
    metrics["over_occurring_fraction_clipped_radii"] = share(counts.clippedBallsHolding, over);
    metrics["density"] = mean(counts.ballsHolding) / size;
    metrics["density_clipped_radii"] = mean(counts.clippedBallsHolding) / size;
    metrics["precision"] = share(counts.ballsHolding, some);
    metrics["recall"] = share(counts.syntheticBallsHolding, some);
    metrics["coverage"] = share(counts.insideBall, some);
}

void scoreInformation(NaiveAudit& audit, const Values& radius, const Values& syntheticRadius, const CrossCounts& counts,
                      std::size_t dim, std::size_t k) {
    const std::size_t n = radius.size();
    const std::size_t m = syntheticRadius.size();
    const double realEntropy = mean(entropyTerms(radius, n - 1, dim, k));
    audit.metrics["real_entropy"] = realEntropy;
    audit.columns["pce"] = minus(entropyTerms(kthDistances(counts.syntheticToReal), n, dim, k), realEntropy);
    audit.columns["rce"] = minus(entropyTerms(kthDistances(counts.realToSynthetic), m, dim, k), realEntropy);
    audit.columns["re"] = minus(entropyTerms(syntheticRadius, m - 1, dim, k), realEntropy);
    for (const char* id : {"pce", "rce", "re"})
        audit.metrics[id] = mean(audit.columns[id]);
}

void scoreAuthenticity(NaiveAudit& audit, const std::vector<Nearest>& realNeighbors, const CrossCounts& counts) {
    for (const Nearest& nearest : counts.syntheticToReal) {
        audit.columns["nearest_real"].push_back(static_cast<double>(nearest.index));
        audit.columns["nearest_real_distance"].push_back(nearest.first);
        audit.columns["authentic"].push_back(nearest.first > realNeighbors[nearest.index].first ? 1.0 : 0.0);
    }
    audit.metrics["authenticity"] = mean(audit.columns["authentic"]);
}

} // namespace

NaiveAudit naiveAudit(MatrixView real, MatrixView synthetic, std::size_t k) {
    const std::vector<Nearest> realNeighbors = ownNeighbors(real, k);
    const Values radius = kthDistances(realNeighbors);
    const Values syntheticRadius = kthDistances(ownNeighbors(synthetic, k));
    const double limit = median(radius);
    Values clipped;
    for (const double r : radius)
        clipped.push_back(std::min(r, limit));
    const CrossCounts counts = countCross(real, synthetic, k, radius, clipped, syntheticRadius);
    NaiveAudit audit;
    audit.columns["real_clipped_ball_count"] = ballsOfOthers(real, clipped);
    scoreFidelityAndCoverage(audit, counts, real.rows, synthetic.rows, k);
    scoreInformation(audit, radius, syntheticRadius, counts, real.dim, k);
    scoreAuthenticity(audit, realNeighbors, counts);
    return audit;
}

} // namespace assay::test
