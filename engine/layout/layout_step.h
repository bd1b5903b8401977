#pragma once

#include "engine/base/host_device.h"
#include "engine/base/mixed_bits.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// Position of a row in the layout, x, y, z and 0: four values, so that one vector instruction loads them.
struct alignas(16) LayoutPosition {
    float at[4];

    friend bool operator==(const LayoutPosition&, const LayoutPosition&) = default;
};

/// One round of the layout. All rows move at once: each new position depends on the positions before the round alone.
/// The CPU and graphics cards compile the same source, and return the same bits.
struct LayoutRound {
    static constexpr std::uint32_t kRepelling = 5; ///< random repelling rows per attracting edge (negative samples)
    static constexpr float kLongestStep = 4.0F;    ///< a step is clipped to this along each axis, then times `rate`

    const std::uint64_t* begin = nullptr;    ///< rows + 1 offsets of the rows' edges
    const std::uint32_t* neighbor = nullptr; ///< of each edge
    const float* weight = nullptr;           ///< of each edge, in (0, 1]
    const LayoutPosition* from = nullptr;    ///< positions before the round
    std::uint32_t rows = 0;
    float number = 0.0F;    ///< of the round, counted from 0
    float rate = 1.0F;      ///< learning rate, falling from 1 to 0
    std::uint64_t seed = 0; ///< of the round

    /// Position of a row after the round.
    ASSAY_HOST_DEVICE_MEMBER LayoutPosition moved(std::uint32_t row) const {
        LayoutPosition x = from[row];
        std::uint64_t draws = mixedBits(seed ^ mixedBits(row));
        for (std::uint64_t e = begin[row]; e < begin[row + 1]; ++e) {
            if (!isDue(weight[e]))
                continue;
            attract(x, from[neighbor[e]]);
            for (std::uint32_t draw = 0; draw < kRepelling; ++draw) {
                draws += kSplitMixStep;
                // Even in 0 .. rows - 1.
                const auto other = static_cast<std::uint32_t>(((mixedBits(draws) >> 32) * rows) >> 32);
                if (other != row)
                    repel(x, from[other]);
            }
        }
        return x;
    }

private:
    /// Whether an edge of weight w attracts in this round: it does in a share w of the rounds, evenly spread.
    ASSAY_HOST_DEVICE_MEMBER bool isDue(float w) const {
        return static_cast<int>((number + 1.0F) * w) > static_cast<int>(number * w);
    }

    ASSAY_HOST_DEVICE_MEMBER static float squaredLength(const float (&d)[4]) {
        return (d[0] * d[0] + d[1] * d[1]) + (d[2] * d[2] + d[3] * d[3]);
    }

    ASSAY_HOST_DEVICE_MEMBER void move(LayoutPosition& x, const float (&d)[4], float factor) const {
        for (int c = 0; c < 4; ++c) {
            const float step = d[c] * factor;
            const float longest = step < -kLongestStep ? -kLongestStep : step;
            x.at[c] += rate * (longest > kLongestStep ? kLongestStep : longest);
        }
    }

    ASSAY_HOST_DEVICE_MEMBER void attract(LayoutPosition& x, const LayoutPosition& to) const {
        const float d[4] = {x.at[0] - to.at[0], x.at[1] - to.at[1], x.at[2] - to.at[2], x.at[3] - to.at[3]};
        move(x, d, -2.0F / (1.0F + squaredLength(d)));
    }

    ASSAY_HOST_DEVICE_MEMBER void repel(LayoutPosition& x, const LayoutPosition& other) const {
        constexpr float kSoft = 1e-3F; // bounds the force between rows at the same position
        const float d[4] = {x.at[0] - other.at[0], x.at[1] - other.at[1], x.at[2] - other.at[2], x.at[3] - other.at[3]};
        const float squared = squaredLength(d);
        move(x, d, 2.0F / ((kSoft + squared) * (1.0F + squared)));
    }
};

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
