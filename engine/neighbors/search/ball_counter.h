#pragma once

#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/pair_bounds.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Radii of closed balls around the rows of a set, in the stored unit.
struct BallRadii {
    std::span<const double> outer = {}; ///< one per row, negative where there is no ball; empty for no balls at all
    std::span<const double> inner = {}; ///< one per row, <= outer; or empty
};

/// Counts which points lie in which closed balls. Pairs whose bounds leave a doubt are measured.
/// Different threads may count at once as long as no two of them share a centre.
class BallCounter {
public:
    /// @param centres rows that the balls are around @param points of the same dimension; both outlive this
    BallCounter(MatrixView centres, MatrixView points, const BallRadii& radii);

    bool any() const noexcept { return !radii_.outer.empty(); }

    /// Radius of the outer ball; negative where there is none.
    double radius(std::size_t centre) const noexcept {
        return any() && radii_.outer[centre] >= 0.0 ? radii_.outer[centre] : -1.0;
    }

    /// Counts a pair by bounds on its squared distance in the stored unit.
    void count(std::size_t centre, std::size_t point, const PairBounds& bounds);
    /// Counts a pair by its measured distance.
    void count(std::size_t centre, std::size_t point, double distance);

    std::vector<std::uint32_t> inside;       ///< per centre: points in its ball
    std::vector<std::uint32_t> holding;      ///< per point: balls that hold it
    std::vector<std::uint32_t> insideInner;  ///< per centre: points in its inner ball
    std::vector<std::uint32_t> innerHolding; ///< per point: inner balls that hold it

private:
    template <typename Holds>
    void countIf(std::size_t centre, std::size_t point, const Holds& holds);

    MatrixView centres_;
    MatrixView points_;
    BallRadii radii_;
};

} // namespace assay
