#pragma once

// Loops over one row that the compiler vectorises by itself, included by each variant of the kernels and compiled with
// its instruction set. Everything is `static`: no copy may be shared between variants. Keep standard library code out.

#include "engine/neighbors/products/tile_kernels.h"

namespace assay {

static inline void scaleRowLoop(const float* from, const float* centre, float scale, std::size_t dim, float* scaled) {
    for (std::size_t c = 0; c < dim; ++c)
        scaled[c] = from[c] * scale - centre[c];
}

static inline float largestMagnitudeLoop(const float* values, std::size_t count) {
    // Sixteen maxima, so that the order of comparisons leaves room for vectors.
    constexpr std::size_t kLanes = 16;
    float most[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::size_t l = 0; l < kLanes; ++l) {
            const float magnitude = __builtin_fabsf(values[i + l]);
            most[l] = magnitude > most[l] ? magnitude : most[l];
        }
    for (std::size_t l = 0; i + l < count; ++l) {
        const float magnitude = __builtin_fabsf(values[i + l]);
        most[l] = magnitude > most[l] ? magnitude : most[l];
    }
    float largest = 0.0F;
    for (const float lane : most)
        largest = lane > largest ? lane : largest;
    return largest;
}

static inline void findMostLoop(const float* reach, const float* level, std::size_t count, float residual, float offset,
                                float* most) {
    constexpr float kNothing = -__builtin_inff();
    // Twice what the kernels' own sum and this difference can be rounded by.
    constexpr float kRounding = 0x1p-22F;
    for (std::size_t i = 0; i < count; ++i) {
        const float root = reach[i] + residual;
        const float margin = kRounding * (__builtin_fabsf(level[i]) + __builtin_fabsf(offset));
        const float byLevel = level[i] > kNothing ? (level[i] - offset) + margin : kNothing;
        most[i] = root * root < byLevel ? root * root : byLevel;
    }
}

template <typename Product>
static inline void estimateLoop(const Product* product, const TileRow& row, const TileColumns& columns,
                                float* estimate) {
    for (std::size_t j = 0; j < columns.count; ++j)
        estimate[j] = static_cast<float>(product[j]) * (row.factor * columns.step[j]) + (row.term + columns.term[j]);
}

static inline std::size_t selectNearLoop(const std::int32_t* product, const TileRow& row, const TileColumns& columns,
                                         std::uint32_t* near) {
    std::size_t number = 0;
    for (std::size_t j = 0; j < columns.count; ++j) {
        const float estimate =
            static_cast<float>(product[j]) * (row.factor * columns.step[j]) + (row.term + columns.term[j]);
        const float most = row.most > columns.most[j] ? row.most : columns.most[j];
        near[number] = static_cast<std::uint32_t>(j);
        number += estimate <= most ? 1 : 0;
    }
    return number;
}

static inline void integerProductsLoop(const std::int8_t* x, const std::int8_t* base, const std::int32_t*,
                                       std::size_t dim, const std::uint32_t* columns, std::size_t count,
                                       std::int32_t* product) {
    for (std::size_t n = 0; n < count; ++n) {
        const std::int8_t* y = base + columns[n] * dim;
        std::int32_t sum = 0;
        for (std::size_t c = 0; c < dim; ++c)
            sum += x[c] * y[c];
        product[n] = sum;
    }
}

static inline std::size_t countAtMostLoop(const float* values, std::size_t count, float bound) {
    std::uint32_t below = 0;
    for (std::size_t i = 0; i < count; ++i)
        below += values[i] <= bound ? 1U : 0U;
    return below;
}

template <typename CountAtMost>
static inline float atLeastKthSmallestLoop(const float* values, std::size_t count, std::size_t k,
                                           CountAtMost countAtMost) {
    constexpr std::size_t kLanes = 16;
    constexpr int kHalvings = 16;
    float least[kLanes];
    float most[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l)
        least[l] = most[l] = values[0];
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::size_t l = 0; l < kLanes; ++l) {
            least[l] = values[i + l] < least[l] ? values[i + l] : least[l];
            most[l] = values[i + l] > most[l] ? values[i + l] : most[l];
        }
    for (; i < count; ++i) {
        least[0] = values[i] < least[0] ? values[i] : least[0];
        most[0] = values[i] > most[0] ? values[i] : most[0];
    }
    float below = least[0];
    float above = most[0]; // at least k values are at most this, always
    for (std::size_t l = 1; l < kLanes; ++l) {
        below = least[l] < below ? least[l] : below;
        above = most[l] > above ? most[l] : above;
    }
    for (int step = 0; step < kHalvings; ++step) {
        const float middle = below + (above - below) / 2.0F;
        const std::size_t found = countAtMost(values, count, middle);
        if (found < k) {
            below = middle;
            continue;
        }
        above = middle;
        if (found <= k + k / 16)
            break;
    }
    return above;
}

static inline std::size_t keepAtMostLoop(Candidate* list, std::size_t count, float bound) {
    std::size_t kept = 0;
    for (std::size_t c = 0; c < count; ++c) { // without branches: which ones stay cannot be predicted
        const Candidate candidate = list[c];
        list[kept] = candidate;
        kept += candidate.estimate <= bound ? 1 : 0;
    }
    return kept;
}

/// Lanes in which sums over a row are taken, in every instruction set alike.
constexpr std::size_t kRowLanes = 16;
/// Adding and taking away 1.5 * 2^23 rounds to the nearest integer, in every instruction set alike.
constexpr float kRounder = 12582912.0F;

/// Steps between the integers of a row.
struct QuantizingStep {
    float step, inverse;
};

static inline QuantizingStep quantizingStep(float largest) {
    constexpr float kLargestInteger = 127.0F;
    constexpr float kTooSmall = 1e-30F; // below it the inverse of the step is no longer safe
    if (largest < kTooSmall)
        return {0.0F, 0.0F};
    return {largest / kLargestInteger, kLargestInteger / largest};
}

static inline QuantizedRow addLanes(float step, const float* norm, const float* residual, const std::int32_t* squares,
                                    const std::int32_t* sums) {
    QuantizedRow row{step, 0.0F, 0.0F, 0, 0};
    for (std::size_t l = 0; l < kRowLanes; ++l) {
        row.squaredNorm += norm[l];
        row.squaredResidual += residual[l];
        row.squaredIntegers += squares[l];
        row.sum += sums[l];
    }
    return row;
}

static inline QuantizedRow quantizeRowLoop(const float* scaled, std::size_t dim, std::int8_t* integers) {
    const auto [step, inverse] = quantizingStep(largestMagnitudeLoop(scaled, dim));
    float norm[kRowLanes] = {};
    float residual[kRowLanes] = {};
    std::int32_t squares[kRowLanes] = {};
    std::int32_t sums[kRowLanes] = {};
    const auto round = [&, step = step, inverse = inverse](std::size_t c, std::size_t l) {
        const float value = scaled[c];
        const float integer = (value * inverse + kRounder) - kRounder;
        const float rest = value - integer * step;
        norm[l] += value * value;
        residual[l] += rest * rest;
        const auto whole = static_cast<std::int32_t>(integer);
        squares[l] += whole * whole;
        sums[l] += whole;
        integers[c] = static_cast<std::int8_t>(whole);
    };
    std::size_t i = 0;
    for (; i + kRowLanes <= dim; i += kRowLanes)
        for (std::size_t l = 0; l < kRowLanes; ++l)
            round(i + l, l);
    for (std::size_t l = 0; i + l < dim; ++l)
        round(i + l, l);
    return addLanes(step, norm, residual, squares, sums);
}

} // namespace assay
