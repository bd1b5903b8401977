#pragma once

#include "engine/neighbors/search/ball_counter.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <utility>

namespace assay {

/// What a pass over two sets found, from its parts.
/// @param ballsA around the rows of a @param ballsB around the rows of b
inline CrossResult resultOf(NeighborTable aToB, NeighborTable bToA, BallCounter ballsA, BallCounter ballsB) {
    return {.aToB = std::move(aToB),
            .bToA = std::move(bToA),
            .insideBallA = std::move(ballsA.inside),
            .insideInnerBallA = std::move(ballsA.insideInner),
            .ballsAHolding = std::move(ballsA.holding),
            .innerBallsAHolding = std::move(ballsA.innerHolding),
            .insideBallB = std::move(ballsB.inside),
            .ballsBHolding = std::move(ballsB.holding)};
}

} // namespace assay
