#pragma once

#include "engine/base/available_memory.h"
#include "engine/io/numpy/npy_header.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay {

/// The value of an IEEE 754 half-precision number. The conversion is exact for every half, subnormals included; NaN
/// keeps its payload.
/// @param bits 1 sign bit, 5 exponent bits, 10 fraction bits
constexpr float halfToFloat(std::uint16_t bits) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
    const std::uint32_t fraction = bits & 0x3FFu;
    if (exponent == 0) {
        // Subnormal or zero: fraction * 2^-24, which a float holds exactly.
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
    }
    const std::uint32_t wide = exponent == 0x1F ? 0xFFu : exponent + (127 - 15);
    return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

/// float16, which C++20 lacks.
struct Half {
    std::uint16_t bits;
    explicit operator float() const noexcept { return halfToFloat(bits); }
    explicit operator double() const noexcept { return static_cast<double>(halfToFloat(bits)); }
};

/// bfloat16: the upper half of a float32.
struct BFloat16 {
    std::uint16_t bits;
    explicit operator float() const noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
    explicit operator double() const noexcept { return static_cast<double>(static_cast<float>(*this)); }
};

/// NumPy's bool: any nonzero byte is true.
struct Bool8 {
    std::uint8_t byte;
    template <typename Number>
    explicit operator Number() const noexcept {
        return static_cast<Number>(byte != 0 ? 1 : 0);
    }
};

/// Loads one element from bytes of any alignment and either byte order.
template <typename T>
T loadElement(const std::byte* from, NpyType::ByteOrder order) noexcept {
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    if (order == NpyType::ByteOrder::Swapped)
        std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

/// Calls `visit(std::type_identity<T>)` with the C++ type of the elements. @pre type.isNumeric()
template <typename Visit>
auto visitNumeric(const NpyType& type, Visit visit) {
    using enum NpyType::Kind;
    switch (type.kind) {
    case Float:
        if (type.itemBytes == 2)
            return visit(std::type_identity<Half>{});
        return type.itemBytes == 4 ? visit(std::type_identity<float>{}) : visit(std::type_identity<double>{});
    case BFloat:
        return visit(std::type_identity<BFloat16>{});
    case Unsigned:
        if (type.itemBytes == 1)
            return visit(std::type_identity<std::uint8_t>{});
        if (type.itemBytes == 2)
            return visit(std::type_identity<std::uint16_t>{});
        return type.itemBytes == 4 ? visit(std::type_identity<std::uint32_t>{})
                                   : visit(std::type_identity<std::uint64_t>{});
    case Integer:
        if (type.itemBytes == 1)
            return visit(std::type_identity<std::int8_t>{});
        if (type.itemBytes == 2)
            return visit(std::type_identity<std::int16_t>{});
        return type.itemBytes == 4 ? visit(std::type_identity<std::int32_t>{})
                                   : visit(std::type_identity<std::int64_t>{});
    default:
        return visit(std::type_identity<Bool8>{});
    }
}

/// Calls `visit(offset)` for every element of an array in C order.
/// @param strides of the storage, in elements, one per axis
template <typename Visit>
void forEachInOrder(std::span<const std::uint64_t> shape, std::span<const std::uint64_t> strides, const Visit& visit) {
    std::vector<std::uint64_t> index(shape.size());
    std::uint64_t offset = 0;
    for (auto left = std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies()); left > 0;
         --left) {
        visit(offset);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            offset += strides[axis];
            if (++index[axis] < shape[axis])
                break;
            offset -= strides[axis] * std::exchange(index[axis], 0);
        }
    }
}

} // namespace assay
