#pragma once

#include "engine/layout/layout_step.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// Schedule of a layout: the number of rounds and the parameters of each.
struct LayoutPlan {
    std::size_t rounds = 0;
    std::uint64_t seed = 0;

    /// Parameters of one round; the caller adds the graph and the positions.
    /// @param number of the round, below `rounds`
    LayoutRound round(std::size_t number, std::size_t rows) const {
        LayoutRound round;
        round.rows = static_cast<std::uint32_t>(rows);
        round.number = static_cast<float>(number);
        round.rate = 1.0F - static_cast<float>(number) / static_cast<float>(rounds);
        round.seed = seed + number * 0xD1B54A32D192ED03ULL; // an odd number: no two rounds alike
        return round;
    }
};

} // namespace assay
