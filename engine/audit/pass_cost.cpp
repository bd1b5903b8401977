#include "engine/audit/pass_cost.h"

#include <cmath>

namespace assay {
namespace {

// Below about this many dimensions the trial of BackendChoice::Auto prefers the tree.
constexpr std::size_t kFewDimensions = 10;

double searches(std::size_t queries, std::size_t base) {
    return static_cast<double>(queries) * std::log2(static_cast<double>(base) + 1.0);
}

} // namespace

PassCost::PassCost(BackendChoice choice, std::size_t dim)
    : dim_(static_cast<double>(dim)),
      byRows_(choice == BackendChoice::KdTree || (choice == BackendChoice::Auto && dim < kFewDimensions)) {}

double PassCost::within(std::size_t rows) const {
    // Each pair of one set is needed once only.
    return byRows_ ? searches(rows, rows) : static_cast<double>(rows) * static_cast<double>(rows) / 2.0;
}

double PassCost::between(std::size_t rowsA, std::size_t rowsB) const {
    // Counting the balls takes a tree another fifth of the time.
    return byRows_ ? 1.2 * (searches(rowsA, rowsB) + searches(rowsB, rowsA))
                   : static_cast<double>(rowsA) * static_cast<double>(rowsB);
}

double PassCost::training(std::size_t rows) const {
    // 100 epochs forwards and back over the weights of 200 hidden units, twice, against the products of one pair or
    // one level of a tree.
    const double perRow = 100.0 * (400.0 * dim_ + 40000.0);
    return static_cast<double>(rows) * perRow * (byRows_ ? 1e-4 : 10.0 / dim_);
}

} // namespace assay
