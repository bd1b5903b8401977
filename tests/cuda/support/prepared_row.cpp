#include "tests/cuda/support/prepared_row.h"

#include "engine/gpu/device/bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace assay::cuda::test {
namespace {

const std::int8_t* integersOf(const std::byte* operand) {
    return reinterpret_cast<const std::int8_t*>(operand);
}
const float* floatsOf(const std::byte* operand) {
    return reinterpret_cast<const float*>(operand);
}

/// A sum as a warp makes it: a lane takes every 32nd column, then pairs of lanes are added.
class WarpSum {
public:
    void add(std::size_t column, double value) { lanes_[column % kLanes] += value; }
    double total() {
        for (unsigned half = kLanes / 2; half > 0; half /= 2)
            for (unsigned lane = 0; lane < half; ++lane)
                lanes_[lane] += lanes_[lane + half];
        return lanes_[0];
    }

private:
    std::array<double, kLanes> lanes_{};
};

} // namespace

PreparedRow PreparedRow::of(std::span<const float> stored, const Frame& frame, Precision precision) {
    const auto valueOf = [&](std::size_t column) {
        return centred(stored[column], static_cast<double>(frame.scale), frame.centre[column]);
    };
    float largest = 0.0F;
    for (std::size_t c = 0; c < stored.size(); ++c)
        largest = std::max(largest, floatAtLeast(std::fabs(valueOf(c))));
    PreparedRow row;
    row.step = precision == Precision::Integer ? stepOf(largest) : 1.0F;
    row.operand.resize(paddedColumns(stored.size()) * valueBytes(precision));
    WarpSum represented;
    WarpSum residual;
    for (std::size_t c = 0; c < stored.size(); ++c) {
        const double value = valueOf(c);
        if (precision == Precision::Integer) {
            const std::int8_t kept = toInteger(value, row.step);
            std::memcpy(row.operand.data() + c, &kept, sizeof kept);
        } else {
            const auto kept = static_cast<float>(value);
            std::memcpy(row.operand.data() + c * sizeof kept, &kept, sizeof kept);
        }
        const double kept = row.at(c, precision);
        represented.add(c, kept * kept);
        residual.add(c, (value - kept) * (value - kept));
    }
    const double squared = represented.total();
    row.terms = rowTerms(squared, precision, paddedColumns(stored.size()));
    row.residual = residualOf(residual.total(), squared);
    return row;
}

double PreparedRow::at(std::size_t column, Precision precision) const {
    return precision == Precision::Integer
               ? static_cast<double>(integersOf(operand.data())[column]) * static_cast<double>(step)
               : static_cast<double>(floatsOf(operand.data())[column]);
}

float operandProduct(const std::byte* x, const std::byte* y, std::size_t columns, Precision precision) {
    if (precision == Precision::Integer) {
        std::int32_t sum = 0;
        for (std::size_t c = 0; c < columns; ++c)
            sum += std::int32_t{integersOf(x)[c]} * integersOf(y)[c];
        return static_cast<float>(sum);
    }
    float sum = 0.0F;
    for (std::size_t c = 0; c < columns; ++c)
        sum += floatsOf(x)[c] * floatsOf(y)[c];
    return sum;
}

} // namespace assay::cuda::test
