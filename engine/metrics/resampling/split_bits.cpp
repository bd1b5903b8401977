#include "engine/metrics/resampling/split_bits.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"

#include <numeric>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kSplitsPerTask = 8; ///< number of bits of a byte

/// A few splits: one byte per row, in which each bit is the half in one split, and per split the row that is in neither
/// half.
struct SomeSplits {
    std::vector<std::uint8_t> second;
    std::array<std::size_t, kSplitsPerTask> neither{};
};

SomeSplits drawSplits(std::size_t rows, std::uint64_t seed, std::size_t first) {
    SomeSplits some{std::vector<std::uint8_t>(rows, 0)};
    std::vector<std::uint32_t> order(rows);
    for (std::size_t s = 0; s < kSplitsPerTask; ++s) {
        demo::Random random = demo::Random::forItem(seed, first + s);
        std::iota(order.begin(), order.end(), 0U);
        // The rest of a shuffle would only move rows within the first half.
        for (std::size_t left = rows; left > rows / 2; --left)
            std::swap(order[left - 1], order[random.below(left)]);
        const auto bit = static_cast<std::uint8_t>(1U << s);
        for (std::size_t i = rows / 2; i < rows / 2 * 2; ++i)
            some.second[order[i]] |= bit;
        some.neither[s] = order.back();
    }
    return some;
}

} // namespace

std::vector<RowHalves> randomHalves(std::size_t rows, std::uint64_t seed, unsigned threads, const JobContext& job) {
    std::array<SomeSplits, kSplits / kSplitsPerTask> parts;
    parallelFor(parts.size(), threads, job,
                [&](std::size_t task, unsigned) { parts[task] = drawSplits(rows, seed, task * kSplitsPerTask); });
    std::vector<RowHalves> halves(rows);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const std::size_t first = part * kSplitsPerTask;
        for (std::size_t row = 0; row < rows; ++row)
            halves[row].second |= Splits{parts[part].second[row]} << first;
        for (std::size_t s = 0; rows % 2 == 1 && s < kSplitsPerTask; ++s)
            halves[parts[part].neither[s]].either &= ~(Splits{1} << (first + s));
    }
    return halves;
}

} // namespace assay
