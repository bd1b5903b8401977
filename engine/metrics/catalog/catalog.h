#pragma once

#include "engine/metrics/tables/metric.h"

#include <span>
#include <string_view>

namespace assay {

/// Every aggregate, per-sample column and curve. Tables, menus, rules, exports, command line and reports iterate these.
std::span<const Metric> metricCatalog();
std::span<const Column> columnCatalog();
std::span<const Curve> curveCatalog();

/// Whether everything is there that a number of this kind is computed from.
bool have(const MetricInputs& inputs, Needs needs);

/// The row with this id, or null.
const Metric* findMetric(std::string_view id);
const Column* findColumn(std::string_view id);
const Curve* findCurve(std::string_view id);

} // namespace assay
