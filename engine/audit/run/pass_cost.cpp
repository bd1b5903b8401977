#include "engine/audit/run/pass_cost.h"

#include "engine/audit/findings/examples.h"
#include "engine/metrics/embedding/row_scores.h"
#include "engine/metrics/features/feature_differences.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

// Below about this many dimensions the trial of BackendChoice::Auto prefers the tree, and nanoflann's leaves out most
// rows.
constexpr std::size_t kFewDimensions = 10;

double searches(std::size_t queries, std::size_t base) {
    return static_cast<double>(queries) * std::log2(static_cast<double>(base) + 1.0);
}

} // namespace

PassCost::PassCost(BackendChoice choice, std::size_t dim)
    : dim_(static_cast<double>(dim)),
      byRows_(choice == BackendChoice::KdTree ||
              ((choice == BackendChoice::Auto || choice == BackendChoice::Nanoflann) && dim < kFewDimensions)) {}

double PassCost::within(std::size_t rows) const {
    // Each pair of one set is needed once only.
    return byRows_ ? searches(rows, rows) : static_cast<double>(rows) * static_cast<double>(rows) / 2.0;
}

double PassCost::between(std::size_t rowsA, std::size_t rowsB) const {
    // Counting the balls takes a tree another fifth of the time.
    return byRows_ ? 1.2 * (searches(rowsA, rowsB) + searches(rowsB, rowsA))
                   : static_cast<double>(rowsA) * static_cast<double>(rowsB);
}

/// Converts seconds of one core to the unit of the passes: the product and selection of one pair, or one level of a
/// tree.
double PassCost::seconds(double wanted) const {
    return wanted / (byRows_ ? 1e-7 + 2.5e-8 * dim_ : 1.1e-9 + 8.5e-12 * dim_);
}

double PassCost::rowScores(std::size_t rows) const {
    const auto count = static_cast<double>(rows);
    const double smaller = std::min(count, dim_);
    // Two Gram matrices and their eigenvalues; every pair of at most 10,000 rows in 32 dimensions.
    const double spectra = smaller > static_cast<double>(kMostEigenvalues)
                               ? 0.0
                               : 1.2e-11 * count * smaller * dim_ + 1e-10 * smaller * smaller * smaller;
    const double used = std::min(count, 1e4);
    return seconds(spectra + 5e-10 * used * used + 1e-9 * count * dim_);
}

double PassCost::reading(std::size_t rows) const {
    return seconds(2e-9 * static_cast<double>(rows) * dim_);
}

double PassCost::modes(std::size_t rows) const {
    // Each row is compared with about a thousand others.
    return seconds(static_cast<double>(std::min<std::size_t>(rows, 100'000)) * (1e-6 + 2e-9 * dim_));
}

double PassCost::examples(std::size_t realRows, std::size_t rows) const {
    // k-means on some samples of both sides, then every sample is read twice.
    const auto some = static_cast<double>(std::min(realRows, kExampleRows) + std::min(rows, kExampleRows));
    return seconds(some * (1e-6 + 4e-8 * dim_) + static_cast<double>(realRows + rows) * (1e-8 + 5e-9 * dim_));
}

CatalogCost PassCost::catalog(std::size_t realRows, std::size_t rows) const {
    const double larger = static_cast<double>(std::max(realRows, rows));
    const double smaller = static_cast<double>(std::min(realRows, rows));
    const double both = larger + smaller;
    const double subset = std::min(smaller, 1e3);
    const double subsets = std::clamp(larger / std::max(subset, 1.0), 1.0, 100.0);
    const double kernels = subsets * subset * subset * (2e-11 * dim_ + 2e-9);
    const double used = std::min(larger, 1e4);
    CatalogCost cost{};
    cost.verdicts = seconds(both * 1e-6) + 0.25 * within(std::min(realRows, rows));
    cost.likelihood = seconds(3.0 * std::min(larger, 1e4) * std::min(larger, 1e4) * (1e-9 + 1e-11 * dim_));
    cost.rowScores = rowScores(rows) + seconds(kernels + 8e-10 * used * used);
    const auto dim = static_cast<std::size_t>(dim_);
    const auto sorted = static_cast<double>(featureRows(realRows, dim) + featureRows(rows, dim));
    cost.features = seconds(sorted * dim_ * 2e-8 + both * dim_ * 2e-9);
    // How many pairs are in reach is not known before: next to none of independent coordinates; near a surface of 30 of
    // 1,024 dimensions so many that they take 1.0 (10,000 rows) to 1.5 (50,000) times as long as the pass.
    cost.nearPairs =
        byRows_ ? seconds(3e-6 * both) : seconds(larger * smaller * (6e-10 + 5e-12 * dim_) + 4e-9 * both * dim_);
    cost.curves = seconds(both * (3e-6 + 3e-9 * dim_));
    cost.intervals = seconds(both * 6e-6);
    return cost;
}

double PassCost::utility(double products) const {
    return seconds(1e-10 * products);
}

double PassCost::training(std::size_t rows) const {
    // 100 epochs forwards and back over the weights of 200 hidden units, twice, against the products of one pair or
    // one level of a tree.
    const double perRow = 100.0 * (400.0 * dim_ + 40000.0);
    return static_cast<double>(rows) * perRow * (byRows_ ? 1e-4 : 10.0 / dim_);
}

} // namespace assay
