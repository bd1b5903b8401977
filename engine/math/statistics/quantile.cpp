#include "engine/math/statistics/quantile.h"

namespace assay {

double median(std::vector<double> values) {
    const std::size_t half = values.size() / 2;
    const double upper = orderStatistic(std::span(values), half);
    if (values.size() % 2 == 1)
        return upper;
    return (*std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half)) + upper) / 2.0;
}

} // namespace assay
