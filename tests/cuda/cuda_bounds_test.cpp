// The bounds that decide what is measured: never violated, whatever the values, and whatever a product may lose.
#include "engine/gpu/device/bounds.h"
#include "engine/math/products/kernels.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/prepared_row.h"
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
            v = (static_cast<float>(random() % 127) + 0.5F) / 127.0F;
            break; // half way between two integers
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
        const Frame frame{centre, static_cast<float>(scale)};
        const Precision precision = random() % 2 == 0 ? Precision::Integer : Precision::Single;
        const PreparedRow x = PreparedRow::of(a, frame, precision);
        const PreparedRow y = PreparedRow::of(b, frame, precision);
        long double exact = 0.0L;
        long double product = 0.0L; // in steps
        long double normX = 0.0L;
        long double normY = 0.0L;
        for (std::size_t c = 0; c < dim; ++c) {
            const long double difference = static_cast<long double>(a[c]) - static_cast<long double>(b[c]);
            exact += difference * difference;
            // Of integers: exact, as their quotient by a step is.
            const auto px = x.step > 0.0F ? static_cast<long double>(x.at(c, precision)) / x.step : 0.0L;
            const auto py = y.step > 0.0F ? static_cast<long double>(y.at(c, precision)) / y.step : 0.0L;
            product += px * py;
            normX += px * px;
            normY += py * py;
        }
        const long double distance = std::sqrt(exact) * static_cast<long double>(scale);
        const double share = estimateError(precision, paddedColumns(dim)) - estimateError(Precision::Integer, dim);
        const long double allowed = static_cast<long double>(share) * std::sqrt(normX * normY);
        const double measured = std::sqrt(kernels().squaredDistance(a.data(), b.data(), dim));
        for (const long double error : {-1.0L, -0.5L, 0.0L, 0.5L, 1.0L}) {
            const auto p = static_cast<float>(product + error * allowed * 0.999L);
            const float estimate = estimateOf(p, {x.step, x.terms.term}, {y.step, y.terms.term});
            const float reach = reachOf(estimate, x.terms.slack, y.terms.slack, x.residual, y.residual);
            const std::string about = "seed " + std::to_string(kSeed) + ", round " + std::to_string(round);
            CHECK_ABOUT(static_cast<long double>(reach) >= distance, about);
            CHECK_ABOUT(mayBeWithin(estimate, reachOfDistance(measured, scale), x.residual, y.residual), about);
            CHECK_ABOUT(mayBeWithin(estimate, reach, x.residual, y.residual), about);
            // A ball of just less than the distance is not sure of this pair.
            CHECK_ABOUT(!(reach <= sureReach(measured * (1.0 - 1e-12), scale)) || measured == 0.0, about);
        }
    }
}

/// Sums of floats in the orders that libraries use: one after the other, in lanes, in parts.
void coversSumsInEveryOrder() {
    std::mt19937 random(kSeed);
    std::normal_distribution<float> normal;
    for (int round = 0; round < 400; ++round) {
        const std::size_t columns = 32 * (1 + random() % 40);
        std::vector<float> x(columns);
        std::vector<float> y(columns);
        double exact = 0.0;
        double normX = 0.0;
        double normY = 0.0;
        for (std::size_t c = 0; c < columns; ++c) {
            // Of one sign, where rounding may always go the same way, or mixed; many magnitudes.
            x[c] = normal(random);
            y[c] = std::ldexp(normal(random), round % 3 == 0 ? static_cast<int>(random() % 24) - 24 : 0);
            if (round % 2 == 0) {
                x[c] = std::fabs(x[c]);
                y[c] = std::fabs(y[c]);
            }
            exact += static_cast<double>(x[c]) * static_cast<double>(y[c]);
            normX += static_cast<double>(x[c]) * static_cast<double>(x[c]);
            normY += static_cast<double>(y[c]) * static_cast<double>(y[c]);
        }
        const double share = estimateError(Precision::Single, columns) - estimateError(Precision::Integer, columns);
        for (const std::size_t lanes : {1, 8, 32}) {
            std::vector<float> sums(lanes);
            for (std::size_t c = 0; c < columns; ++c)
                sums[c % lanes] =
                    round % 5 == 0 ? std::fma(x[c], y[c], sums[c % lanes]) : sums[c % lanes] + x[c] * y[c];
            float sum = 0.0F;
            for (const float lane : sums)
                sum += lane;
            CHECK_ABOUT(std::fabs(static_cast<double>(sum) - exact) <= share * std::sqrt(normX * normY),
                        std::to_string(lanes) + " lanes, round " + std::to_string(round));
        }
    }
}

void roundsToIntegers() {
    std::mt19937 random(kSeed);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    for (int round = 0; round < 100000; ++round) {
        const auto largest =
            static_cast<float>(std::ldexp(std::fabs(any(random)), static_cast<int>(random() % 90) - 89));
        const float step = stepOf(largest);
        if (step == 0.0F)
            continue;
        for (const double value : {static_cast<double>(largest), -static_cast<double>(largest),
                                   static_cast<double>(largest) * any(random)}) {
            const std::int8_t kept = toInteger(value, step);
            CHECK(kept >= -127); // -128 would not have a negative
            CHECK(std::fabs(static_cast<double>(kept) * static_cast<double>(step) - value) <=
                  0.5000001 * static_cast<double>(step));
        }
    }
    CHECK(stepOf(0.0F) == 0.0F && toInteger(0.0, 0.0F) == 0);
    CHECK(stepOf(0x1p-101F) == 0.0F && toInteger(0x1p-101, 0.0F) == 0);
    CHECK(toInteger(static_cast<double>(0x1p-100F), stepOf(0x1p-100F)) >= 126);
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

/// The sum of one lane of a warp: over the coordinates lane, lane + 32, ...
double laneSum(const float* x, const float* y, std::size_t dim, unsigned lane) {
    double sum = 0.0;
    for (std::size_t c = lane; c < dim; c += kLanes)
        sum = withSquare(sum, x[c], y[c]);
    return sum;
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
    run("the allowed error covers sums in every order", coversSumsInEveryOrder);
    run("rounds to integers", roundsToIntegers);
    run("rounds up and down", roundsUpAndDown);
    run("measures as the CPU does, to the last bit", measuresAsTheCpuDoes);
    run("wants nothing without a reach", wantsNothingWithoutReach);
    return verdict();
}
