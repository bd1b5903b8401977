#pragma once

#include <cstddef>
#include <vector>

namespace assay {

/// Squared distances from a few points to many in some tens of dimensions, each taken directly in float32: too few
/// dimensions for a product to pay, and no cancellation. The same to the last bit on every processor.
class PointDistances {
public:
    static constexpr std::size_t kBlock = 256; ///< points whose distances come at once
    static constexpr std::size_t kQueries = 4; ///< to how many points at once

    /// @param points rows x dim, copied
    PointDistances(const std::vector<float>& points, std::size_t rows, std::size_t dim);

    std::size_t blocks() const noexcept { return (rows_ + kBlock - 1) / kBlock; }
    /// Points in a block: kBlock but for the last.
    std::size_t pointsIn(std::size_t block) const noexcept;

    /// @param queries kQueries pointers to dim values each
    /// @param squared room for kQueries x kBlock; what lies behind pointsIn(block) is meaningless
    void measure(const float* const (&queries)[kQueries], std::size_t block, float* squared) const;

private:
    std::size_t rows_;
    std::size_t dim_;
    std::vector<float> values_; ///< per block: dim x kBlock
};

} // namespace assay
