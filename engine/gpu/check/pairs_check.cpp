#include "engine/base/number_text.h"
#include "engine/gpu/check/check_set.h"
#include "engine/gpu/check/checks.h"
#include "engine/gpu/check/prepared_row.h"
#include "engine/gpu/search/device_accelerator.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace assay::cuda {
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

std::string textOf(const PairHit& hit) {
    return fmt::format("row {}, column {}, estimate {}", hit.row, hit.column,
                       numberText(static_cast<double>(hit.estimate)));
}

/// The pairs that limits admit, on the CPU, by rows and columns.
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

std::string pairsDifference(Device& device) {
    const CheckSet a = CheckSet::bellShaped(kRows, kDim, 8);
    const CheckSet b = CheckSet::bellShaped(kColumns, kDim, 9);
    const Frame frame = Frame::of(a.view(), {a.view(), b.view()}, 1, {});
    const ProductOperand x = ProductOperand::of(a.view(), frame, Precision::Integer, 1, {});
    const ProductOperand y = ProductOperand::of(b.view(), frame, Precision::Integer, 1, {});
    const std::vector<PruningLimit> limits = limitsOf(x);
    std::mutex inUse;
    const auto tiles = pairTilesOnDevice(device, inUse, {kRows, kColumns, kDim});
    if (!tiles)
        throw Error(ErrorKind::NotEnoughMemory, "too little memory is free for it");
    tiles->setRows(x);
    tiles->setColumns(y);
    std::vector<PairHit> found;
    tiles->select(limits, [&](std::span<const PairHit> hits) { found.insert(found.end(), hits.begin(), hits.end()); },
                  {});
    const auto key = [](const PairHit& hit) { return std::tuple(hit.row, hit.column, hit.estimate); };
    std::ranges::sort(found, {}, key);
    const std::vector<PairHit> expected = admitted(x, y, limits);
    const auto [e, f] = std::ranges::mismatch(expected, found, {}, key, key);
    if (e == expected.end() && f == found.end())
        return {};
    return "pairs within limits: expected " + (e == expected.end() ? "no more" : textOf(*e)) + ", found " +
           (f == found.end() ? "no more" : textOf(*f));
}

} // namespace assay::cuda
