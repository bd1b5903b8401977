#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A value of a pickle: a small handle that refers to its Pickle object.
struct PickleValue {
    enum class Kind : std::uint8_t {
        None,
        Bool,
        Integer,     ///< fits 32 bits
        LongInteger, ///< fits 64 bits
        Real,
        Text, ///< str or bytes
        Tuple,
        List,
        Dict,   ///< dict or OrderedDict
        Name,   ///< name of a class: "torch.FloatStorage"
        Call,   ///< call of a known function or class with its arguments; never executed
        Outside ///< reference to data stored outside the pickle (a persistent id)
    };
    Kind kind = Kind::None;
    std::uint32_t at = 0;
};

using PickleKind = PickleValue::Kind;

/// Parses the data of a pickle, protocols 2 to 5: numbers, text, lists, dictionaries, and the few calls that PyTorch
/// writes for tensors and NumPy for arrays. Nothing is imported, called or constructed: a call is stored as its name
/// and arguments. All other names and opcodes are refused, so that a malicious pickle has no effect.
/// Source: CPython's Lib/pickletools.py.
class Pickle {
public:
    /// @param bytes must outlive this object; text is not copied
    /// @param where for messages
    /// @throws Error{BadInput} for any other content, and above the limits: 2^21 values, 2^20 texts, 2^18 lists,
    ///         dictionaries and calls, 1000 of them open at a time
    Pickle(std::span<const std::byte> bytes, const std::string& where);

    PickleValue root() const noexcept { return root_; }

    /// The integer, or 0 or 1 for a bool; empty for other kinds.
    std::optional<std::int64_t> integer(PickleValue value) const noexcept;
    /// The text, valid as long as the pickle's bytes; empty for other kinds.
    std::optional<std::string_view> text(PickleValue value) const noexcept;
    /// Elements of a tuple or list; keys and values of a dictionary, alternating; empty for other kinds.
    std::span<const PickleValue> items(PickleValue value) const noexcept;
    /// The value of a key in a dictionary; the last one when the key occurs several times, as in Python.
    std::optional<PickleValue> find(PickleValue dictionary, std::string_view key) const noexcept;

    /// Name of a Name or Call value: "torch._utils._rebuild_tensor_v2". Empty for other kinds.
    std::string_view name(PickleValue value) const noexcept;
    /// Arguments of a call.
    std::span<const PickleValue> arguments(PickleValue call) const noexcept;
    /// State that the called object receives afterwards; None when there is none.
    PickleValue state(PickleValue call) const noexcept;
    /// The persistent id of an Outside value.
    PickleValue outside(PickleValue value) const noexcept;

    /// Text for the user: "a list of 3", "a call of 'numpy.dtype'".
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
