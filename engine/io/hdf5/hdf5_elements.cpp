#include "engine/io/hdf5/hdf5_elements.h"

#define H5_USE_110_API
#include <hdf5.h>

#include <array>
#include <bit>
#include <type_traits>

namespace assay {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t>);

using Kind = NpyType::Kind;

NpyType::ByteOrder orderOf(H5T_order_t order) {
    return order == H5T_ORDER_BE ? NpyType::kBigEndian : NpyType::kLittleEndian;
}

NpyType integerOf(hid_t type) {
    const std::size_t bytes = H5Tget_size(type);
    const H5T_order_t order = H5Tget_order(type);
    if (!std::has_single_bit(bytes) || bytes > 8 || H5Tget_precision(type) != 8 * bytes || H5Tget_offset(type) != 0 ||
        (order != H5T_ORDER_LE && order != H5T_ORDER_BE))
        return otherHdf5Type("integers of an unusual size");
    return {H5Tget_sign(type) == H5T_SGN_NONE ? Kind::Unsigned : Kind::Integer, bytes, orderOf(order), {}};
}

NpyType floatOf(hid_t type) {
    struct Layout {
        std::size_t sign, exponentAt, exponentBits, mantissaAt, mantissaBits, bias;
        bool operator==(const Layout&) const = default;
    };
    struct Known {
        std::size_t bytes;
        Kind kind;
        Layout layout;
    };
    constexpr std::array known{
        Known{2, Kind::Float, {15, 10, 5, 0, 10, 15}}, Known{2, Kind::BFloat, {15, 7, 8, 0, 7, 127}},
        Known{4, Kind::Float, {31, 23, 8, 0, 23, 127}}, Known{8, Kind::Float, {63, 52, 11, 0, 52, 1023}}};
    Layout layout{};
    const std::size_t bytes = H5Tget_size(type);
    const H5T_order_t order = H5Tget_order(type);
    if (H5Tget_fields(type, &layout.sign, &layout.exponentAt, &layout.exponentBits, &layout.mantissaAt,
                      &layout.mantissaBits) >= 0) {
        layout.bias = H5Tget_ebias(type);
        for (const Known& one : known)
            if (one.bytes == bytes && one.layout == layout && H5Tget_norm(type) == H5T_NORM_IMPLIED &&
                H5Tget_offset(type) == 0 && (order == H5T_ORDER_LE || order == H5T_ORDER_BE))
                return {one.kind, bytes, orderOf(order), {}};
    }
    return otherHdf5Type("floats of an unusual size");
}

/// h5py stores bool as an enumeration of FALSE and TRUE.
NpyType enumerationOf(hid_t type) {
    const auto valueOf = [&](const char* name) {
        signed char value = -1;
        return H5Tget_size(type) == 1 && H5Tenum_valueof(type, name, &value) >= 0 ? value : -1;
    };
    if (H5Tget_nmembers(type) == 2 && valueOf("FALSE") == 0 && valueOf("TRUE") == 1)
        return {Kind::Bool, 1, NpyType::ByteOrder::Native, {}};
    return otherHdf5Type("enumeration");
}

Hdf5Element::Padding paddingOf(hid_t type) {
    const H5T_str_t padding = H5Tget_strpad(type);
    return padding == H5T_STR_NULLTERM   ? Hdf5Element::Padding::ZeroAtEnd
           : padding == H5T_STR_SPACEPAD ? Hdf5Element::Padding::Spaces
                                         : Hdf5Element::Padding::Zeros;
}

} // namespace

NpyType otherHdf5Type(const std::string& name) {
    NpyType type;
    type.descr = name;
    return type;
}

Hdf5Element hdf5ElementOf(std::int64_t type, const HeapLayout& heap) {
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        return {integerOf(type)};
    case H5T_FLOAT:
        return {floatOf(type)};
    case H5T_ENUM:
        return {enumerationOf(type)};
    case H5T_STRING:
        if (H5Tis_variable_str(type) > 0)
            return {{Kind::Bytes, heap.referenceBytes(), NpyType::ByteOrder::Native, "of any length"}, true};
        return {{Kind::Bytes, H5Tget_size(type), NpyType::ByteOrder::Native, std::to_string(H5Tget_size(type))},
                false,
                paddingOf(type)};
    case H5T_COMPOUND:
        return {otherHdf5Type("compound")};
    case H5T_REFERENCE:
        return {otherHdf5Type("references")};
    case H5T_VLEN:
        return {otherHdf5Type("lists of any length")};
    case H5T_ARRAY:
        return {otherHdf5Type("arrays")};
    default:
        return {otherHdf5Type("that is not read")};
    }
}

} // namespace assay
