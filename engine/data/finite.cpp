#include "engine/data/finite.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <vector>

namespace assay {
namespace {

// 1 MiB: a slow disk delivers it within the 50 ms that a task may take.
constexpr std::size_t pieceValues = std::size_t{256} * 1024;

/// Largest magnitude of some values. Compares the bits without the sign as integers: finite values keep their order,
/// and infinity and NaN are larger than all of them.
float largestOf(std::span<const float> values) noexcept {
    constexpr std::int32_t kWithoutSign = 0x7FFFFFFF;
    std::array<std::int32_t, 32> most{}; // independent lanes, so that the compiler can vectorise
    const auto look = [&](std::size_t i, std::size_t lane) {
        most[lane] = std::max(most[lane], std::bit_cast<std::int32_t>(values[i]) & kWithoutSign);
    };
    std::size_t i = 0;
    for (; i + most.size() <= values.size(); i += most.size())
        for (std::size_t lane = 0; lane < most.size(); ++lane)
            look(i + lane, lane);
    for (std::size_t lane = 0; i + lane < values.size(); ++lane)
        look(i + lane, lane);
    return std::bit_cast<float>(*std::max_element(most.begin(), most.end()));
}

std::size_t findNotFinite(std::span<const float> values) noexcept {
    const auto bad = std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
    return static_cast<std::size_t>(bad - values.begin());
}

/// Several independent lanes, because each multiplication of one lane waits for the one before it.
std::uint64_t checksumOfPiece(std::span<const float> values) noexcept {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    std::array<std::uint64_t, 16> lanes{};
    const auto mix = [](std::uint64_t hash, float value) {
        hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * kOdd;
        return hash ^ (hash >> 32U);
    };
    std::size_t i = 0;
    for (; i + lanes.size() <= values.size(); i += lanes.size())
        for (std::size_t lane = 0; lane < lanes.size(); ++lane)
            lanes[lane] = mix(lanes[lane], values[i + lane]);
    for (std::size_t lane = 0; i + lane < values.size(); ++lane)
        lanes[lane] = mix(lanes[lane], values[i + lane]);
    std::uint64_t all = 0;
    for (const std::uint64_t lane : lanes)
        all = (all ^ lane) * kOdd;
    return all;
}

} // namespace

std::size_t firstNotFinite(std::span<const float> values) noexcept {
    return std::isfinite(largestOf(values)) ? values.size() : findNotFinite(values);
}

Inspected inspect(std::span<const float> values, unsigned threads, const JobContext& job) {
    std::atomic<std::size_t> first = values.size();
    std::vector<float> largest((values.size() + pieceValues - 1) / pieceValues);
    parallelRanges(values.size(), pieceValues, threads, job, [&](std::size_t begin, std::size_t end, unsigned) {
        if (begin > first) // pieces before the known one have all been started
            return;
        const auto part = values.subspan(begin, end - begin);
        float& most = largest[begin / pieceValues];
        most = largestOf(part);
        if (std::isfinite(most))
            return;
        const std::size_t found = begin + findNotFinite(part);
        for (std::size_t known = first; found < known && !first.compare_exchange_weak(known, found);) {
        }
    });
    return {first, largest.empty() ? 0.0F : *std::max_element(largest.begin(), largest.end())};
}

std::uint64_t checksumOf(std::span<const float> values, unsigned threads, const JobContext& job) {
    std::vector<std::uint64_t> pieces((values.size() + pieceValues - 1) / pieceValues);
    parallelRanges(values.size(), pieceValues, threads, job, [&](std::size_t begin, std::size_t end, unsigned) {
        pieces[begin / pieceValues] = checksumOfPiece(values.subspan(begin, end - begin));
    });
    std::uint64_t all = values.size();
    for (const std::uint64_t piece : pieces)
        all = std::rotl(all, 7) * 0xD6E8FEB86659FD93U ^ piece;
    return all;
}

} // namespace assay
