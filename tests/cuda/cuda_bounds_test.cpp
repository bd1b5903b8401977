// The bounds that decide what is measured: never violated, whatever the values, and whatever a tensor core may lose.
#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/measure.h"
#include "engine/math/products/kernels.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/lane_sum.h"
#include "tests/support/plain_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;

namespace {

constexpr unsigned kSeed = 20261120;

struct Row {
    std::vector<float> stored;
    std::vector<std::uint16_t> rounded;
    RowTerms terms{};
};

Row prepared(std::vector<float> stored, double scale, const std::vector<float>& centre) {
    Row row;
    row.rounded.assign(paddedColumns(stored.size()), 0);
    double norm = 0.0;
    double residual = 0.0;
    for (std::size_t c = 0; c < stored.size(); ++c) {
        const double value = centred(stored[c], scale, centre[c]);
        row.rounded[c] = toBfloat16(static_cast<float>(value));
        const auto kept = static_cast<double>(fromBfloat16(row.rounded[c]));
        norm += kept * kept;
        residual += (value - kept) * (value - kept);
    }
    row.terms = rowTerms(norm, residual, row.rounded.size());
    row.stored = std::move(stored);
    return row;
}

/// Values of one of several kinds, hard on the bounds in different ways.
std::vector<float> values(std::mt19937& random, std::size_t dim, unsigned kind) {
    std::normal_distribution<float> normal;
    std::vector<float> row(dim);
    for (float& v : row) {
        const float z = normal(random);
        switch (kind) {
        case 0:
            v = z;
            break;
        case 1:
            v = z * 1e30F;
            break;
        case 2:
            v = z * 1e-30F;
            break;
        case 3:
            v = z * 1e-42F;
            break; // below the normal range
        case 4:
            v = 1e4F + z;
            break;
        case 5:
            v = z * std::pow(10.0F, static_cast<float>(random() % 60) - 30.0F);
            break;
        case 6:
            v = 1.0F + 0x1p-8F;
            break; // half way between two bfloat16
        case 7:
            v = random() % 2 == 0 ? 0.0F : z;
            break;
        default:
            v = 3e38F * (random() % 2 == 0 ? 1.0F : -1.0F);
            break;
        }
    }
    return row;
}

void boundsHold() {
    std::mt19937 random(kSeed);
    for (int round = 0; round < 3000; ++round) {
        const std::size_t dim = 1 + random() % (round % 10 == 0 ? 1100 : 70);
        const auto kind = static_cast<unsigned>(random() % 9);
        std::vector<float> a = values(random, dim, kind);
        std::vector<float> b =
            random() % 4 == 0 ? values(random, dim, static_cast<unsigned>(random() % 9)) : values(random, dim, kind);
        if (random() % 4 == 0) { // all but a duplicate
            b = a;
            b[random() % dim] *= 1.0F + 0x1p-20F;
        }
        float largest = 0.0F;
        for (std::size_t c = 0; c < dim; ++c)
            largest = std::max({largest, std::fabs(a[c]), std::fabs(b[c])});
        int exponent = 0;
        std::frexp(2.0 * static_cast<double>(largest), &exponent);
        const double scale = largest > 0.0F ? std::ldexp(1.0, std::clamp(-exponent, -140, 126)) : 1.0;
        std::vector<float> centre(dim);
        for (std::size_t c = 0; c < dim; ++c)
            centre[c] = random() % 2 == 0
                            ? 0.0F
                            : static_cast<float>((static_cast<double>(a[c]) + static_cast<double>(b[c])) / 2.0 * scale);
        const Row x = prepared(a, scale, centre);
        const Row y = prepared(b, scale, centre);
        long double exact = 0.0L;
        long double product = 0.0L;
        long double normX = 0.0L;
        long double normY = 0.0L;
        for (std::size_t c = 0; c < dim; ++c) {
            const long double difference = static_cast<long double>(a[c]) - static_cast<long double>(b[c]);
            exact += difference * difference;
            const auto px = static_cast<long double>(fromBfloat16(x.rounded[c]));
            const auto py = static_cast<long double>(fromBfloat16(y.rounded[c]));
            product += px * py;
            normX += px * px;
            normY += py * py;
        }
        const long double distance = std::sqrt(exact) * static_cast<long double>(scale);
        const long double allowed =
            static_cast<long double>(accumulationShare(x.rounded.size())) * std::sqrt(normX * normY);
        const double measured = std::sqrt(kernels().squaredDistance(a.data(), b.data(), dim));
        for (const long double error : {-1.0L, -0.5L, 0.0L, 0.5L, 1.0L}) {
            const auto p = static_cast<float>(product + error * allowed * 0.999L);
            const float estimate = estimateOf(p, x.terms.term, y.terms.term);
            const float reach = reachOf(estimate, x.terms.slack, y.terms.slack, x.terms.residual, y.terms.residual);
            const std::string about = "seed " + std::to_string(kSeed) + ", round " + std::to_string(round);
            CHECK_ABOUT(static_cast<long double>(reach) >= distance, about);
            CHECK_ABOUT(mayBeWithin(estimate, reachOfDistance(measured, scale), x.terms.residual, y.terms.residual),
                        about);
            CHECK_ABOUT(mayBeWithin(estimate, reach, x.terms.residual, y.terms.residual), about);
            // What a ball of just less than the distance is sure of cannot be this pair.
            CHECK_ABOUT(!(reach <= sureReach(measured * (1.0 - 1e-12), scale)) || measured == 0.0, about);
        }
    }
}

/// The sum of a group of products and the accumulator as tensor cores make it: aligned to the largest, cut to 24 bits,
/// added, cut to a float.
float groupSum(float accumulator, const float* x, const float* y, std::size_t count) {
    std::vector<double> terms{static_cast<double>(accumulator)};
    for (std::size_t i = 0; i < count; ++i)
        terms.push_back(static_cast<double>(x[i]) * static_cast<double>(y[i])); // exact: 8 by 8 bits
    double largest = 0.0;
    for (const double term : terms)
        largest = std::max(largest, std::fabs(term));
    if (largest == 0.0)
        return 0.0F;
    const double unit = std::ldexp(1.0, std::ilogb(largest) - 23);
    double sum = 0.0;
    for (const double term : terms)
        sum += std::trunc(term / unit) * unit;
    const auto nearest = static_cast<float>(sum);
    return std::fabs(static_cast<double>(nearest)) > std::fabs(sum) ? std::nextafterf(nearest, 0.0F) : nearest;
}

void coversTensorCores() {
    std::mt19937 random(kSeed);
    std::normal_distribution<float> normal;
    for (int round = 0; round < 400; ++round) {
        const std::size_t columns = 32 * (1 + random() % 40);
        std::vector<float> x(columns);
        std::vector<float> y(columns);
        for (std::size_t c = 0; c < columns; ++c) {
            // Of one sign, where cutting off always loses in the same direction, or mixed; just below powers of two.
            const bool positive = round % 2 == 0;
            const float a = round % 3 == 0 ? 1.9921875F : normal(random);
            const float b =
                round % 3 == 0 ? 1.9921875F * std::ldexp(1.0F, static_cast<int>(random() % 24) - 24) : normal(random);
            x[c] = fromBfloat16(toBfloat16(positive ? std::fabs(a) : a));
            y[c] = fromBfloat16(toBfloat16(positive ? std::fabs(b) : b));
        }
        double exact = 0.0;
        double normX = 0.0;
        double normY = 0.0;
        for (std::size_t c = 0; c < columns; ++c) {
            exact += static_cast<double>(x[c]) * static_cast<double>(y[c]);
            normX += static_cast<double>(x[c]) * static_cast<double>(x[c]);
            normY += static_cast<double>(y[c]) * static_cast<double>(y[c]);
        }
        for (const std::size_t group : {4, 8, 16}) {
            float sum = 0.0F;
            for (std::size_t c = 0; c < columns; c += group)
                sum = groupSum(sum, x.data() + c, y.data() + c, group);
            const double error = std::fabs(static_cast<double>(sum) - exact);
            CHECK_ABOUT(error <= accumulationShare(columns) * std::sqrt(normX * normY),
                        "groups of " + std::to_string(group) + ", round " + std::to_string(round));
        }
    }
}

void roundsToBfloat16() {
    for (std::uint32_t bits = 0; bits < 0x7F000000U; bits += 12347) {
        const float value = floatOf(bits);
        const float rounded = fromBfloat16(toBfloat16(value));
        if (value < std::numeric_limits<float>::min()) {
            CHECK(rounded == 0.0F || rounded == std::numeric_limits<float>::min());
            continue;
        }
        CHECK_ABOUT(std::fabs(rounded - value) <= value * 0x1p-8F, std::to_string(bits));
        CHECK(fromBfloat16(toBfloat16(-value)) == -rounded);
        CHECK(toBfloat16(rounded) == toBfloat16(value));
    }
    CHECK(fromBfloat16(toBfloat16(1.0F + 0x1p-8F)) == 1.0F); // ties go to even
    CHECK(fromBfloat16(toBfloat16(1.0F + 3.0F * 0x1p-8F)) == 1.0F + 0x1p-6F);
}

void roundsUpAndDown() {
    std::mt19937_64 random(kSeed);
    for (int round = 0; round < 100000; ++round) {
        const auto bits = random();
        double value = 0.0;
        std::memcpy(&value, &bits, sizeof value);
        if (std::isnan(value))
            continue;
        const float up = floatAtLeast(value);
        const float down = floatAtMost(value);
        CHECK(static_cast<double>(up) >= value && static_cast<double>(down) <= value);
        CHECK(up == down || std::nextafterf(down, up) == up || (down == 0.0F && up > 0.0F) || up == 0.0F);
    }
    CHECK(floatAtLeast(1e-300) > 0.0F && floatAtMost(-1e-300) < 0.0F);
    CHECK(floatAtLeast(-1e-300) == 0.0F && floatAtMost(1e300) == std::numeric_limits<float>::max());
    CHECK(floatAtLeast(1e300) == infinity());
}

void measuresAsTheCpuDoes() {
    std::mt19937 random(kSeed);
    std::normal_distribution<float> normal(3.0F, 100.0F);
    for (std::size_t dim = 1; dim <= 2100; dim += dim < 200 ? 1 : 97) {
        std::vector<float> x(dim);
        std::vector<float> y(dim);
        std::generate(x.begin(), x.end(), [&] { return normal(random); });
        std::generate(y.begin(), y.end(), [&] { return normal(random); });
        // A warp: lanes fold by taking from the lane `half` further on.
        std::array<double, kLanes> lane{};
        for (unsigned l = 0; l < kLanes; ++l)
            lane[l] = laneSum(x.data(), y.data(), dim, l);
        for (unsigned half = kLanes / 2; half > 0; half /= 2) {
            const std::array<double, kLanes> before = lane;
            for (unsigned l = 0; l + half < kLanes; ++l)
                lane[l] = plus(before[l], before[l + half]);
        }
        CHECK_ABOUT(lane[0] == kernels().squaredDistance(x.data(), y.data(), dim), std::to_string(dim));
        CHECK(lane[0] == assay::test::plainSquaredDistance(x.data(), y.data(), dim));
    }
}

void wantsNothingWithoutReach() {
    CHECK(!mayBeWithin(-1.0F, -infinity(), 0.5F, 0.5F));
    CHECK(!mayBeWithin(0.0F, -infinity(), 0.0F, 0.0F));
    CHECK(mayBeWithin(1e30F, infinity(), 0.0F, 0.0F));
    CHECK(reachOfDistance(-1.0, 1.0) == -infinity());
    CHECK(reachOfDistance(std::numeric_limits<double>::quiet_NaN(), 1.0) == -infinity());
    CHECK(sureReach(std::numeric_limits<double>::infinity(), 0.5) == infinity());
    // Only a ball that holds everything is sure of a pair as far as it reaches.
    CHECK(sureReach(1.0, 1.0) < 1.0F && reachOfDistance(1.0, 1.0) > 1.0F);
}

} // namespace

int main() {
    run("bounds hold for every kind of values", boundsHold);
    run("the allowed error covers tensor cores of every grouping", coversTensorCores);
    run("rounds to bfloat16", roundsToBfloat16);
    run("rounds up and down", roundsUpAndDown);
    run("measures as the CPU does, to the last bit", measuresAsTheCpuDoes);
    run("wants nothing without a reach", wantsNothingWithoutReach);
    return verdict();
}
