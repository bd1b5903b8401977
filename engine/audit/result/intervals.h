#pragma once

#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace assay {

struct ModelAudit;

/// 95 % interval of one aggregate. `id` is a metric's id in the catalogue.
struct MetricInterval {
    std::string_view id;
    double low = 0.0;
    double high = 0.0;
};

/// Resampled values of one aggregate: one value per resample, kResamples in total.
struct MetricResamples {
    std::string_view id;
    std::vector<double> values;
};

/// Result of resampling: the intervals, and the resampled values for comparisons of models. Both in catalogue order.
struct Uncertainty {
    std::vector<MetricInterval> intervals;
    std::vector<MetricResamples> resamples;
};

/// Number of resamples of every metric.
constexpr std::size_t kResamples = 1000;

/// Resamples every metric of the model whose catalogue row has an Average. Draws are seeded. The draws of the real side
/// are equal for every model of an audit, so that models can be compared resample by resample.
/// @param model with metrics and columns computed
/// @throws Cancelled
Uncertainty resampleMetrics(const MetricInputs& inputs, const ModelAudit& model);

} // namespace assay
