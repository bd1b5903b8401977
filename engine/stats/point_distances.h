#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Finds the points near a few others in some tens of dimensions. Squared distances are taken directly, in float32: too
/// few dimensions for a product to pay, and no cancellation.
class PointDistances {
public:
    static constexpr std::size_t kBlock = 256; ///< points looked at in one call
    static constexpr std::size_t kQueries = 4; ///< for how many points at once

    /// What was found near one point, ascending by row.
    struct Found {
        static constexpr std::size_t kRoom = kBlock + 16; ///< whole vectors are written
        std::size_t count = 0;
        std::array<std::uint32_t, kRoom> row;
        std::array<float, kRoom> squared;
    };

    /// @param points rows x dim, copied
    PointDistances(const std::vector<float>& points, std::size_t rows, std::size_t dim);

    std::size_t blocks() const noexcept { return (rows_ + kBlock - 1) / kBlock; }

    /// The points of a block at a squared distance of at most `limit`.
    /// @param queries kQueries pointers to dim values each
    void near(const float* const (&queries)[kQueries], std::size_t block, float limit,
              std::array<Found, kQueries>& found) const;

private:
    std::size_t rows_;
    std::size_t dim_;
    std::vector<float> values_; ///< per block: dim x kBlock; not a number behind the last point, which is near nothing
};

/// cos(pi/2 sqrt(squared[i] * scale)) for arguments of the root in [0, 1].
void cosineKernel(const float* squared, std::size_t count, double scale, double* values);

} // namespace assay
