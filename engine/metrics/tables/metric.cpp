#include "engine/metrics/tables/metric.h"

#include "engine/base/number_text.h"

#include <limits>

namespace assay {

std::string valueText(const Column& column, double value) {
    if (column.unit != Unit::Word || !(value >= 0.0 && value < static_cast<double>(column.words.size())))
        return numberText(value);
    return std::string(column.words[static_cast<std::size_t>(value)]);
}

MetricRange rangeOf(const Metric& metric) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (metric.unit == Unit::Share)
        return {0.0, 1.0};
    return {metric.negative ? -kInfinity : 0.0, kInfinity};
}

} // namespace assay
