#include "engine/demo/pixel_embedding.h"

#include <cmath>
#include <cstdint>

namespace assay::demo {
namespace {

constexpr std::size_t kCell = kPictureSide / kCellsAcross;
constexpr std::size_t kRowBytes = kPictureSide * 3;

/// Brightness of the pixel whose red value is at `offset`: integer in 0 .. 2550 (Rec. 601 weights, in tenths).
std::int64_t brightness(const Picture& picture, std::size_t offset) {
    return 3 * picture[offset] + 6 * picture[offset + 1] + picture[offset + 2];
}

} // namespace

std::array<float, kEmbeddingDim> embedPicture(const Picture& picture) {
    std::array<std::int64_t, kEmbeddingDim> sum{};
    for (std::size_t y = 0; y < kPictureSide; ++y)
        for (std::size_t x = 0; x < kPictureSide; ++x) {
            const std::size_t offset = y * kRowBytes + x * 3;
            const std::size_t cell = 4 * ((y / kCell) * kCellsAcross + x / kCell);
            for (std::size_t c = 0; c < 3; ++c)
                sum[cell + c] += picture[offset + c];
            const std::int64_t here = brightness(picture, offset);
            const std::int64_t right = x + 1 < kPictureSide ? brightness(picture, offset + 3) - here : 0;
            const std::int64_t down = y + 1 < kPictureSide ? brightness(picture, offset + kRowBytes) - here : 0;
            sum[cell + 3] += right * right + down * down;
        }
    constexpr double kPixels = static_cast<double>(kCell * kCell);
    std::array<float, kEmbeddingDim> embedding{};
    for (std::size_t i = 0; i < kEmbeddingDim; ++i) {
        const double mean = static_cast<double>(sum[i]) / kPixels;
        embedding[i] = static_cast<float>(i % 4 == 3 ? kEdgeWeight * (std::sqrt(mean) / 2550.0) : mean / 255.0);
    }
    return embedding;
}

} // namespace assay::demo
