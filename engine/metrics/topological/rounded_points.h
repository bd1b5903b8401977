#pragma once

#include "engine/base/job_context.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

/// Points rounded to a byte per coordinate, which tell quickly which of them cannot be near another one.
///
/// Points are moved into a box around most of them, which brings no two farther apart, and then to whole steps from its
/// middle. x and y within r of each other are therefore within r + e(x) + e(y) as rounded, for the errors e of rounding
/// alone. Between whole numbers squared distances are exact.
class RoundedPoints {
public:
    static constexpr std::size_t kBlock = 256; ///< points looked at in one call
    static constexpr std::size_t kQueries = 4; ///< for how many points at once
    static constexpr std::size_t kMostDims = 64;

    /// A point whose neighbours are looked for, and within which distance.
    struct Query {
        std::array<std::int8_t, kMostDims> steps;
        std::int32_t least; ///< of the numbers compared, for a point that may be near
    };

    /// One bit per point of a block.
    using Mask = std::array<std::uint64_t, kBlock / 64>;

    /// @param points rows x dim @param threads 0 for every core
    /// @throws Cancelled
    RoundedPoints(const std::vector<float>& points, std::size_t rows, std::size_t dim, unsigned threads = 1,
                  const JobContext& job = {});

    /// @param limit on squared distances taken in single precision, one coordinate's after the other's
    /// @return nothing where every point would pass, or where rounding tells nothing: on other processors, in more
    /// dimensions, for what is not finite
    std::optional<Query> query(const float* point, float limit) const;

    /// Memory that it takes.
    static std::size_t bytesPerRow(std::size_t dim) noexcept;

    /// Whether any query will have a result.
    bool tell() const noexcept { return step_ > 0.0; }

    /// Marks the points of a block that may be near each query: all that are, and some more.
    /// @return how many marks
    std::size_t mark(const std::array<Query, kQueries>& queries, std::size_t block,
                     std::array<Mask, kQueries>& passed) const;

private:
    double round(const float* point, std::array<std::int8_t, kMostDims>& steps) const;
    void chooseBox(const std::vector<float>& points, std::size_t rows);
    double fillBlock(const std::vector<float>& points, std::size_t rows, std::size_t block);

    std::size_t dim_;
    std::size_t groups_;              ///< of four coordinates
    std::vector<double> middle_;      ///< of the box
    double step_ = 0.0;               ///< 0 without a box
    double error_ = 0.0;              ///< of rounding any of the points, in steps
    std::vector<std::uint8_t> bytes_; ///< per block, group, point: four coordinates plus 128
    std::vector<std::int32_t> start_; ///< per point: less half its square
};

} // namespace assay
