#include "engine/io/tensors/pickle_reader.h"

#include "engine/io/files/refusal.h"
#include "engine/io/tensors/pickle_names.h"

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
        return "the text '" + printable(texts_[value.at], 40) + "'";
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

} // namespace assay
