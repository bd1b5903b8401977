#pragma once

#include "engine/audit/result/model_runs.h"
#include "engine/metrics/tables/metric.h"
#include "widgets/charts/plot_series.h"
#include "widgets/link/view_state.h"

#include <vector>

namespace assay {

/// A run as people read it: its models' names with "…" in place of what varies.
QString runTitle(const ModelRun& run);

/// One score over the number in the names of runs' models: a line through points with 95 % intervals. Runs after the
/// first are dashed lines through squares, without intervals, which would hide each other. Ids are models.
/// @param runs of the state's audit, at least one
PlotContent runsContent(const ViewState& state, const std::vector<ModelRun>& runs, const Metric& metric,
                        const QPalette& palette);
/// Line and mark of a run: its place among those that are drawn.
PlotSeries runStyle(std::size_t run, const QPalette& palette);

} // namespace assay
