#pragma once

#include "widgets/link/view_state.h"
#include "widgets/tables/table_content.h"

/// The current model's diagnostics as tables, every cell with its definition as tooltip.
namespace assay {

/// From density to clipped density: a step a row; its value, the share of samples that weigh more than k balls in it,
/// and the most that one sample adds.
TableContent densitySteps(const ViewState& state);

/// How many real balls hold so many synthetic samples, with the radii as they are and clipped.
TableContent ballOccupancy(const ViewState& state);

/// The real samples whose balls hold most synthetic samples, fullest first: each with how many its ball holds, how many
/// when it is clipped, and its radius. Those that pass the filter.
enum FullBallColumn { BallSample, BallCount, BallClipped, BallRadius, BallRatio };
TableContent fullBalls(const ViewState& state);

} // namespace assay
