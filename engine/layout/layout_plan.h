#pragma once

#include "engine/layout/layout_step.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// Number of rounds of a layout, and the parameters of each.
struct LayoutPlan {
    std::size_t rounds = 0;
    std::uint64_t seed = 0;

    /// A round that only lacks the graph and the positions.
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
