#include "engine/metrics/set_tests/row_order.h"

#include "engine/math/statistics/binomial.h"

#include <algorithm>

namespace assay {

double RowOrderTest::excess() const noexcept {
    return rows == 0 ? 0.0 : (static_cast<double>(beside) - static_cast<double>(apart)) / static_cast<double>(rows);
}

RowOrderTest testRowOrder(const NeighborTable& real) {
    constexpr std::size_t kBeside = 5;
    constexpr std::size_t kApart = 20; // as many rows beyond it
    constexpr double kSortedByClass = 0.65;
    RowOrderTest result{.rows = real.rows()};
    for (std::size_t row = 0; row < result.rows; ++row) {
        const std::size_t nearest = real.indexAt(row, 0);
        const std::size_t gap = std::max(row, nearest) - std::min(row, nearest);
        result.beside += gap <= kBeside ? 1 : 0;
        result.apart += gap > kApart && gap <= kApart + kBeside ? 1 : 0;
    }
    const std::size_t successes = result.beside / 2;
    const std::size_t trials = (result.beside + result.apart) / 2;
    result.pValue = atLeastSuccesses(static_cast<double>(successes), static_cast<double>(trials), kSortedByClass);
    return result;
}

} // namespace assay
