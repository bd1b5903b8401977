#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A value of a pickle: a handle into its Pickle, copied freely.
struct PickleValue {
    enum class Kind : std::uint8_t {
        None,
        Bool,
        Integer,     ///< of 32 bits
        LongInteger, ///< of 64 bits
        Real,
        Text, ///< str and bytes alike
        Tuple,
        List,
        Dict,   ///< also an OrderedDict
        Name,   ///< of a class: "torch.FloatStorage"
        Call,   ///< what a known function or class would make of its arguments; never made
        Outside ///< something that is stored elsewhere (a persistent id)
    };
    Kind kind = Kind::None;
    std::uint32_t at = 0;
};

using PickleKind = PickleValue::Kind;

/// The data of a pickle, protocols 2 to 5: numbers, text, lists, dictionaries, and the few calls that PyTorch writes
/// for tensors and NumPy for arrays. Nothing is imported, called or built: a call is kept as its name and arguments.
/// Any other name, and any other opcode, is refused, so that a pickle that would do something when Python loads it does
/// nothing here.
/// Source: CPython's Lib/pickletools.py.
class Pickle {
public:
    /// @param bytes outlive this object; text is not copied
    /// @param where for messages
    /// @throws Error{BadInput} for anything that is not such a pickle, or that is too large: at most 2^21 values, 2^20
    ///         texts, 2^18 lists, dictionaries and calls, 1000 of them open at a time
    Pickle(std::span<const std::byte> bytes, const std::string& where);

    PickleValue root() const noexcept { return root_; }

    /// Nothing for other kinds; a truth value is 0 or 1.
    std::optional<std::int64_t> integer(PickleValue value) const noexcept;
    /// Nothing for other kinds. As long as the pickle's bytes.
    std::optional<std::string_view> text(PickleValue value) const noexcept;
    /// Of a tuple or list its elements, of a dictionary keys and values in turn; of all else none.
    std::span<const PickleValue> items(PickleValue value) const noexcept;
    /// The value of that key in a dictionary. Of several the last, as in Python.
    std::optional<PickleValue> find(PickleValue dictionary, std::string_view key) const noexcept;

    /// Of a name or a call: "torch._utils._rebuild_tensor_v2". Empty for all else.
    std::string_view name(PickleValue value) const noexcept;
    /// Of a call.
    std::span<const PickleValue> arguments(PickleValue call) const noexcept;
    /// What a call's object was to be filled with; None where nothing.
    PickleValue state(PickleValue call) const noexcept;
    /// What stands for something that is stored elsewhere.
    PickleValue outside(PickleValue value) const noexcept;

    /// For people: "a list of 3", "a call of 'numpy.dtype'".
    std::string describe(PickleValue value) const;

private:
    friend class PickleMachine;
    struct Call {
        std::uint32_t name = 0;
        PickleValue arguments;
        PickleValue state;
    };

    std::vector<std::int64_t> wide_; ///< integers beyond 32 bits
    std::vector<std::string_view> texts_;
    std::vector<std::vector<PickleValue>> containers_;
    std::vector<Call> calls_;
    std::vector<PickleValue> outside_;
    PickleValue root_;
};

} // namespace assay
