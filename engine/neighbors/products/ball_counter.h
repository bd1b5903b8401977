#pragma once

#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/product_bounds.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// The sets and bounds that ball memberships of one pass are decided from: balls around the rows of `centres`.
struct BallSide {
    MatrixView centres; ///< stored rows
    MatrixView points;  ///< stored rows
    const ProductOperand* centreOperand;
    const ProductOperand* pointOperand;
    double scale = 1.0;
    std::span<const double> radius;      ///< one per centre; empty when this side has no balls
    std::span<const double> innerRadius; ///< one per centre, <= radius; or empty
};

/// Counts which points lie in which closed balls. Pairs whose bounds leave a doubt are measured.
/// Different threads may decide at once as long as no two of them share a centre.
class BallCounter {
public:
    explicit BallCounter(const BallSide& side);

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

    BallSide side_;
    std::vector<float> limit_;
};

} // namespace assay
