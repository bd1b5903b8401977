#pragma once

#include "engine/neighbors/products/product_bounds.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Radii of closed balls around the queries of one side of a pass.
struct BallRadii {
    std::span<const double> outer = {}; ///< one per query; empty when this side has no balls
    std::span<const double> inner = {}; ///< one per query, <= outer; or empty
};

/// Counts which points lie in which closed balls. Pairs whose bounds leave a doubt are measured.
/// Different threads may decide at once as long as no two of them share a centre.
class BallCounter {
public:
    /// @param side its queries are the centres, its base the points
    BallCounter(const SearchSide& side, const BallRadii& radii);

    bool any() const noexcept { return !limit_.empty(); }

    /// A pair whose scaled squared distance is above this cannot be inside. Minus infinity when this side has no balls.
    float limit(std::size_t centre) const noexcept { return limit_.empty() ? -kInfinity : limit_[centre]; }

    /// Decides one pair by the product's estimate of its scaled squared distance.
    void visit(std::size_t centre, std::size_t point, float estimate);

    /// Decides one pair by its measured distance.
    void decide(std::size_t centre, std::size_t point, double distance);

    std::vector<std::uint32_t> inside;       ///< per centre: points in its ball
    std::vector<std::uint32_t> holding;      ///< per point: balls that hold it
    std::vector<std::uint32_t> insideInner;  ///< per centre: points in its inner ball
    std::vector<std::uint32_t> innerHolding; ///< per point: inner balls that hold it

private:
    template <typename Holds>
    void count(std::size_t centre, std::size_t point, const Holds& holds);

    static constexpr float kInfinity = __builtin_inff();

    SearchSide side_;
    BallRadii radii_;
    std::vector<float> limit_;
};

} // namespace assay
