#include "engine/gpu/search/device_accelerator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/device_checks.h"
#include "tests/cuda/support/prepared_row.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace assay::cuda::test {
namespace {

// Two tiles each way, neither filling the last one.
constexpr std::size_t kRows = 300;
constexpr std::size_t kColumns = 270;
constexpr std::size_t kDim = 37;

/// Limits that admit nothing, everything, and some of the pairs.
std::vector<PruningLimit> limitsOf(const ProductOperand& rows) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<PruningLimit> limits;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        const float some = 0.1F * static_cast<float>(row % 40);
        limits.push_back(PruningLimit::of(row % 11 == 0   ? -kInfinity
                                          : row % 13 == 0 ? kInfinity
                                                          : some,
                                          rows.bounds(row)));
    }
    return limits;
}

/// The pairs that limits admit, by rows and columns.
std::vector<PairHit> admitted(const ProductOperand& x, const ProductOperand& y,
                              const std::vector<PruningLimit>& limits) {
    const TileColumns rows = x.tileColumns(0, x.rows());
    const TileColumns columns = y.tileColumns(0, y.rows());
    std::vector<PairHit> hits;
    for (std::uint32_t i = 0; i < x.rows(); ++i)
        for (std::uint32_t j = 0; j < y.rows(); ++j) {
            const float product =
                operandProduct(reinterpret_cast<const std::byte*>(x.integerRow(i)),
                               reinterpret_cast<const std::byte*>(y.integerRow(j)), kDim, Precision::Integer);
            const float estimate =
                estimateOf(product, {rows.step[i], rows.term[i]}, {columns.step[j], columns.term[j]});
            if (limits[i].admits(estimate, y.bounds(j)))
                hits.push_back({i, j, estimate});
        }
    return hits;
}

} // namespace

void checkPairs(Device& device) {
    const Matrix a = scaled(gaussian(kRows, kDim, 8), 0.3F);
    const Matrix b = scaled(gaussian(kColumns, kDim, 9), 0.3F);
    const Frame frame = Frame::of(a.view(), {a.view(), b.view()}, 1, {});
    const ProductOperand x = ProductOperand::of(a.view(), frame, Precision::Integer, 1, {});
    const ProductOperand y = ProductOperand::of(b.view(), frame, Precision::Integer, 1, {});
    const std::vector<PruningLimit> limits = limitsOf(x);
    std::mutex inUse;
    const auto tiles = pairTilesOnDevice(device, inUse, {kRows, kColumns, kDim});
    CHECK(tiles != nullptr);
    if (!tiles)
        return;
    tiles->setRows(x);
    tiles->setColumns(y);
    std::vector<PairHit> found;
    tiles->select(limits, [&](std::span<const PairHit> hits) { found.insert(found.end(), hits.begin(), hits.end()); },
                  {});
    const auto key = [](const PairHit& hit) { return std::tuple(hit.row, hit.column, hit.estimate); };
    std::ranges::sort(found, {}, key);
    const std::vector<PairHit> expected = admitted(x, y, limits);
    CHECK(std::ranges::equal(found, expected, {}, key, key));
    CHECK_ABOUT(expected.size() > kRows * kColumns / 8 && expected.size() < kRows * kColumns * 7 / 8,
                std::to_string(expected.size()));
}

} // namespace assay::cuda::test
