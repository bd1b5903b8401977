#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

struct AuditResult;

} // namespace assay

namespace assay::report {

/// Rows of one set that a page holds.
struct PageRows {
    static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;
    static constexpr std::uint64_t kSeed = 1; ///< of what is drawn at random

    std::vector<std::uint32_t> rows;     ///< ascending
    std::vector<std::uint32_t> position; ///< per row of the set: its index in `rows`, or kAbsent
    std::size_t random = 0;              ///< number of rows that are neither examples nor flagged, but drawn

    /// Positions of the rows that the page holds.
    std::vector<std::uint32_t> positionsOf(const std::vector<std::uint32_t>& wanted) const;
};

/// Chooses the samples of a page: the real set's first, then each model's. Sets share the limit evenly; what a small
/// set leaves goes to larger ones. Within a set: examples, then flagged samples up to three quarters of its share, then
/// random ones.
std::vector<PageRows> choosePageSamples(const AuditResult& audit, std::size_t limit);

} // namespace assay::report
