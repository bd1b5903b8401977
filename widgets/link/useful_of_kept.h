#pragma once

#include "engine/subsets/what_if/useful_what_if.h"
#include "widgets/charts/interval_chart.h"
#include "widgets/link/view_state.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace assay {

/// Utility and membership of what a state keeps, beside as many samples at random.
struct UsefulOfKept {
    std::shared_ptr<const std::vector<bool>> kept; ///< what they are of
    std::optional<UsefulIfKept> scores;            ///< empty: the job was cancelled or failed
};

/// Those of what the state keeps; null while they are not known, or where nothing is rejected.
const UsefulOfKept* usefulOfKept(const ViewState& state);

/// Whether the state keeps some samples but not all, so that they can be compared with as many at random.
bool keepsSome(const ViewState& state);

/// A metric of the current model, and which of the kept samples' scores it is.
struct UsefulMetric {
    std::string_view id;
    std::optional<double> UsefulScores::*ofKept;
};

/// The metric of all samples of the current model with its interval, then that of the kept ones and of as many at
/// random where the state keeps some.
/// @param text writes the metric's values
std::vector<IntervalRow> usefulRows(const ViewState& state, const UsefulMetric& metric,
                                    const std::function<QString(double)>& text);

/// One row for a metric of the current model, with its interval where it has one.
IntervalRow metricRow(const ViewState& state, std::string_view id, const QString& name,
                      const std::function<QString(double)>& text);

} // namespace assay
