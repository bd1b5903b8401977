#include "engine/data/finite.h"

#include "engine/job/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace assay {
namespace {

// A megabyte: a slow disk delivers it within the 50 ms that a task may take.
constexpr std::size_t pieceValues = std::size_t{256} * 1024;

bool allFinite(std::span<const float> values) noexcept {
    // A sum of products with zero is zero exactly when no value is infinite or NaN; unlike a search it vectorises.
    std::array<float, 32> sums{};
    std::size_t i = 0;
    for (; i + sums.size() <= values.size(); i += sums.size())
        for (std::size_t lane = 0; lane < sums.size(); ++lane)
            sums[lane] += values[i + lane] * 0.0f;
    float sum = 0.0f;
    for (; i < values.size(); ++i)
        sum += values[i] * 0.0f;
    for (const float lane : sums)
        sum += lane;
    return sum == 0.0f;
}

} // namespace

std::size_t firstNotFinite(std::span<const float> values) noexcept {
    if (allFinite(values))
        return values.size();
    const auto bad = std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
    return static_cast<std::size_t>(bad - values.begin());
}

std::size_t firstNotFinite(std::span<const float> values, unsigned threads, const JobContext& job) {
    std::atomic<std::size_t> first = values.size();
    const std::size_t pieces = (values.size() + pieceValues - 1) / pieceValues;
    parallelFor(pieces, threads, job, [&](std::size_t piece, unsigned) {
        const std::size_t begin = piece * pieceValues;
        if (begin > first) // pieces before the one that was found have all been handed out
            return;
        const auto part = values.subspan(begin, std::min(pieceValues, values.size() - begin));
        const std::size_t found = firstNotFinite(part);
        if (found == part.size())
            return;
        for (std::size_t known = first; begin + found < known && !first.compare_exchange_weak(known, begin + found);) {
        }
    });
    return first;
}

} // namespace assay
