#pragma once

#include "engine/report/scores/explain.h"
#include "widgets/grid/sample_grid.h"

#include <memory>
#include <vector>

namespace assay {

struct BarFeatures;

/// Most neighbours of one set that are shown.
constexpr std::size_t kMaxNeighbors = 12;

/// Whose ball a relation is about: that of the neighbour, which may hold the inspected sample, or that of the inspected
/// sample, which may hold the neighbour.
enum class Ball { Neighbors, Inspected };

/// Neighbours of the inspected sample as cells of a grid: picture or bars of features, the distance, and a sign with
/// words for inside or outside the ball.
/// @param bars features by which rows without pictures are drawn; null: none
std::vector<GridCell> neighborCells(const ViewState& state, const std::vector<NeighborRelation>& neighbors,
                                    const std::shared_ptr<const BarFeatures>& bars, Ball ball);

/// Look of their grid: as many as a line holds, but at least five. Arrow keys do not choose: that would inspect another
/// sample, which has other neighbours.
/// @param flat bars, which need less height than pictures
GridLook neighborLook(bool flat);

} // namespace assay
