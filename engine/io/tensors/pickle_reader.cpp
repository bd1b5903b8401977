#include "engine/io/tensors/pickle_reader.h"

#include "engine/io/files/refusal.h"

namespace assay {

std::optional<std::int64_t> Pickle::integer(PickleValue value) const noexcept {
    if (value.kind == PickleKind::Integer)
        return static_cast<std::int32_t>(value.at);
    if (value.kind == PickleKind::Bool)
        return value.at;
    return value.kind == PickleKind::LongInteger ? std::optional(wide_[value.at]) : std::nullopt;
}

std::optional<std::string_view> Pickle::text(PickleValue value) const noexcept {
    return value.kind == PickleKind::Text ? std::optional(texts_[value.at]) : std::nullopt;
}

std::span<const PickleValue> Pickle::items(PickleValue value) const noexcept {
    const bool holds =
        value.kind == PickleKind::Tuple || value.kind == PickleKind::List || value.kind == PickleKind::Dict;
    return holds ? std::span<const PickleValue>(containers_[value.at]) : std::span<const PickleValue>();
}

std::optional<PickleValue> Pickle::find(PickleValue dictionary, std::string_view key) const noexcept {
    std::optional<PickleValue> found;
    if (dictionary.kind != PickleKind::Dict)
        return found;
    // Python 3 writes bytes in protocol 2 as a call: _codecs.encode('data', 'latin1').
    const auto textOf = [this](PickleValue value) {
        const auto encoded = arguments(value);
        return name(value) == "_codecs.encode" && !encoded.empty() ? text(encoded.front()) : text(value);
    };
    const auto pairs = items(dictionary);
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
        if (textOf(pairs[i]) == key)
            found = pairs[i + 1];
    return found;
}

std::string_view Pickle::name(PickleValue value) const noexcept {
    if (value.kind == PickleKind::Name)
        return kPickleNames[value.at].name;
    return value.kind == PickleKind::Call ? kPickleNames[calls_[value.at].name].name : std::string_view();
}

std::span<const PickleValue> Pickle::arguments(PickleValue call) const noexcept {
    return call.kind == PickleKind::Call ? items(calls_[call.at].arguments) : std::span<const PickleValue>();
}

PickleValue Pickle::state(PickleValue call) const noexcept {
    return call.kind == PickleKind::Call ? calls_[call.at].state : PickleValue();
}

PickleValue Pickle::outside(PickleValue value) const noexcept {
    return value.kind == PickleKind::Outside ? outside_[value.at] : PickleValue();
}

std::string Pickle::describe(PickleValue value) const {
    const auto counted = [&](const char* what, std::size_t count) { return what + std::to_string(count); };
    switch (value.kind) {
    case PickleKind::None:
        return "None";
    case PickleKind::Bool:
        return value.at != 0 ? "True" : "False";
    case PickleKind::Integer:
    case PickleKind::LongInteger:
        return "the number " + std::to_string(integer(value).value_or(0));
    case PickleKind::Real:
        return "a number that is not whole";
    case PickleKind::Text:
        return "the text " + inQuotes(texts_[value.at], 40);
    case PickleKind::Tuple:
        return counted("a tuple of ", items(value).size());
    case PickleKind::List:
        return counted("a list of ", items(value).size());
    case PickleKind::Dict:
        return counted("a dictionary of ", items(value).size() / 2);
    case PickleKind::Name:
        return "the name '" + std::string(name(value)) + "'";
    case PickleKind::Call:
        return "a call of '" + std::string(name(value)) + "'";
    case PickleKind::Outside:
        break;
    }
    return "something stored elsewhere";
}

namespace {

[[noreturn]] void damagedArray(const std::string& where, const std::string& expected) {
    refuse(where, expected, "a damaged array");
}

/// The type from the call numpy.dtype('f4', False, True) and its state (3, '<', ...).
NpyType typeOfCall(const Pickle& pickle, PickleValue dtype, const std::string& where) {
    const auto arguments = pickle.arguments(dtype);
    const auto state = pickle.items(pickle.state(dtype));
    if (pickle.name(dtype) != "numpy.dtype" || arguments.empty() || !pickle.text(arguments[0]))
        damagedArray(where, "an array with a 'numpy.dtype'");
    const auto order = state.size() > 1 ? pickle.text(state[1]) : std::optional<std::string_view>("|");
    if (!order)
        damagedArray(where, "a byte order as text");
    return npyTypeOf(std::string(*order).append(*pickle.text(arguments[0])), where);
}

/// Bytes from what Python 3 writes for them in protocol 2: text of code points below 256, to be encoded as Latin-1.
std::string latin1(std::string_view utf8, const std::string& where) {
    std::string bytes;
    bytes.reserve(utf8.size());
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const auto lead = static_cast<unsigned char>(utf8[i]);
        if (lead < 0x80) {
            bytes += utf8[i];
            continue;
        }
        if ((lead != 0xC2 && lead != 0xC3) || i + 1 == utf8.size() || (utf8[i + 1] & 0xC0) != 0x80)
            damagedArray(where, "elements in Latin-1");
        ++i;
        bytes += static_cast<char>((lead & 3U) << 6 | (static_cast<unsigned char>(utf8[i]) & 0x3FU));
    }
    return bytes;
}

void takeElements(PickledArray& array, const Pickle& pickle, PickleValue data, const std::string& where) {
    auto elements = pickle.text(data);
    if (pickle.name(data) == "_codecs.encode") {
        const auto arguments = pickle.arguments(data);
        if (arguments.size() != 2 || !pickle.text(arguments[0]) || pickle.text(arguments[1]) != "latin1")
            damagedArray(where, "elements in Latin-1");
        const auto owned = std::make_shared<const std::string>(latin1(*pickle.text(arguments[0]), where));
        elements = *owned;
        array.owned = owned;
    }
    if (!elements)
        damagedArray(where, "elements as bytes");
    array.bytes = std::as_bytes(std::span(*elements));
}

} // namespace

std::optional<std::vector<std::uint64_t>> sizesOf(const Pickle& pickle, PickleValue value) {
    constexpr std::size_t most = 64;
    const auto items = pickle.items(value);
    if ((value.kind != PickleKind::Tuple && value.kind != PickleKind::List) || items.size() > most)
        return std::nullopt;
    std::vector<std::uint64_t> sizes;
    for (const PickleValue item : items) {
        const auto size = pickle.integer(item);
        if (!size || *size < 0)
            return std::nullopt;
        sizes.push_back(static_cast<std::uint64_t>(*size));
    }
    return sizes;
}

std::optional<PickledArray> arrayOf(const Pickle& pickle, PickleValue value, const std::string& where) {
    if (value.kind != PickleKind::Call)
        return std::nullopt;
    struct Parts {
        PickleValue shape, type, data;
        bool fortran;
    };
    std::optional<Parts> parts;
    if (pickle.name(value).ends_with(".multiarray._reconstruct")) {
        // (version, shape, type, whether in Fortran order, elements)
        const auto state = pickle.items(pickle.state(value));
        if (state.size() == 5 && state[3].kind == PickleKind::Bool)
            parts = Parts{state[1], state[2], state[4], pickle.integer(state[3]) != 0};
    } else if (pickle.name(value).ends_with(".numeric._frombuffer")) { // protocol 5
        // elements, type, shape, order
        const auto given = pickle.arguments(value);
        if (given.size() == 4 && (pickle.text(given[3]) == "C" || pickle.text(given[3]) == "F"))
            parts = Parts{given[2], given[1], given[0], pickle.text(given[3]) == "F"};
    } else {
        return std::nullopt;
    }
    const auto shape = parts ? sizesOf(pickle, parts->shape) : std::nullopt;
    if (!shape)
        damagedArray(where, "an array's shape and order");
    PickledArray array;
    array.header.type = typeOfCall(pickle, parts->type, where);
    array.header.shape = *shape;
    array.header.order = parts->fortran ? NpyHeader::Order::Fortran : NpyHeader::Order::C;
    if (!array.header.type.isNumeric())
        refuse(where, "an array of numbers", array.header.text());
    takeElements(array, pickle, parts->data, where);
    requirePayload(array.header, *array.open(where), where);
    return array;
}

} // namespace assay
