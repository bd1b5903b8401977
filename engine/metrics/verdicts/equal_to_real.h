#pragma once

#include "engine/metrics/verdicts/equal_rows.h"
#include "engine/metrics/verdicts/real_partition.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Synthetic samples that equal a real row, beside what is natural: real rows that equal another one, and held-out
/// samples that equal a real row.
struct EqualToReal {
    std::size_t samples = 0; ///< synthetic samples that equal a real row
    std::size_t real = 0;    ///< real rows, one of each unit, that equal another one
    std::size_t ofReal = 0;  ///< units of the real set
    std::size_t heldOut = 0; ///< held-out samples that equal a real row
    std::size_t ofHeldOut = 0;
    double expectedPairs = 0.0; ///< pairs of equal real rows to be expected (RealPartition)
    bool isUntold = false; ///< duplicates were removed from the real set, and there is no held-out set: it says nothing
    bool isAccused = false; ///< surely more than natural, by rows and by groups of equal rows
    bool isImpossible =
        false; ///< nothing equals by nature, not within the model either, and chance would give fewer than 0.01 pairs
    bool namesSingles = false; ///< whether each equal sample may be called a copy
};

/// Compares the shares of equal rows by Fisher's exact test at 0.001, by rows and by groups of equal rows.
/// @param isEqual per synthetic sample: whether it equals a real row
/// @param falseDiscoveryRate of samples that are called copies for it
EqualToReal testEqualToReal(std::span<const std::uint8_t> isEqual, const EqualRowCounts& equal,
                            const RealPartition& partition, double falseDiscoveryRate);

} // namespace assay
