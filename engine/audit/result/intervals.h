#pragma once

#include "engine/metrics/resampling/jackknife.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

struct MetricInputs;
struct ModelAudit;

/// 95 % interval of one aggregate. `id` is a metric's id in the catalogue.
struct MetricInterval {
    std::string_view id;
    double low = 0.0;
    double high = 0.0;
};

/// Values behind the interval of one aggregate: either resampled or jackknifed ones.
struct MetricResamples {
    std::string_view id;
    std::vector<double> values; ///< bootstrap: one value per resample, kResamples in total; else empty
    Replicates replicates{};    ///< jackknife: one value per group of rows; else empty
};

/// The intervals, and the values behind them for comparisons of models. Both in catalogue order.
struct Uncertainty {
    std::vector<MetricInterval> intervals;
    std::vector<MetricResamples> resamples; ///< without the metrics whose bounds are exact (Average::exact)
};

/// Number of bootstrap resamples of a metric.
constexpr std::size_t kResamples = 1000;

/// Adds an interval that a metric's own computation gives, at its place in catalogue order.
void insertInterval(std::vector<MetricInterval>& intervals, const MetricInterval& added);

/// Computes the interval of every metric of the model whose catalogue row has an Average. Metrics of the neighbour
/// tables depend on both sets and are jackknifed: the figure +- kJackknifeDeviations standard deviations, within the
/// metric's range. The others are bootstrapped. Where jackknifeServes() is false all are. Draws and groups are seeded
/// and, on the real side, equal for every model of an audit.
/// @param model with metrics and columns computed
/// @param realUnits per real row: number of its unit, whose rows stay together; empty: each row alone
/// @throws Cancelled
Uncertainty resampleMetrics(const MetricInputs& inputs, const ModelAudit& model,
                            std::span<const std::uint32_t> realUnits = {});

} // namespace assay
