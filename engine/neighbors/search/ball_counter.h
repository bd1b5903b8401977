#pragma once

#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/bounds.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Counts which points lie in which closed balls. Pairs whose bounds leave a doubt are measured.
/// Different threads may count at once as long as no two of them share a centre.
class BallCounter {
public:
    /// @param centres the rows that the balls are around, with their radii @param points of the same dimension. Both
    ///                outlive this
    BallCounter(const SideQuery& centres, MatrixView points);

    bool any() const noexcept { return !centres_.radius.empty(); }

    /// Radius of the outer ball; negative where there is none.
    double radius(std::size_t centre) const noexcept {
        return any() && centres_.radius[centre] >= 0.0 ? centres_.radius[centre] : -1.0;
    }

    /// Counts a pair by bounds on its squared distance in the stored unit.
    void count(std::size_t centre, std::size_t point, const PairBounds& bounds);
    /// Counts a pair by its measured distance.
    void count(std::size_t centre, std::size_t point, double distance);

    /// Adds what was counted to what is known of both sets' rows.
    void addTo(SideResult& centres, SideResult& points) const;

private:
    template <typename Holds>
    void countIf(std::size_t centre, std::size_t point, const Holds& holds);

    std::vector<std::uint32_t> inside_;       ///< per centre: points in its ball
    std::vector<std::uint32_t> holding_;      ///< per point: balls that hold it
    std::vector<std::uint32_t> insideInner_;  ///< per centre: points in its inner ball
    std::vector<std::uint32_t> innerHolding_; ///< per point: inner balls that hold it
    SideQuery centres_;
    MatrixView points_;
};

} // namespace assay
