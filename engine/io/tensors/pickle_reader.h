#pragma once

#include "engine/io/files/input_file.h"
#include "engine/io/numpy/npy_header.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A global name that a pickle may use. Names are only compared, never imported.
struct PickleName {
    enum class Use : std::uint8_t {
        Class,  ///< named as a class only
        Called, ///< called with arguments
        Filled  ///< called with arguments, then given a state
    };
    std::string_view name;
    Use use;
};

inline constexpr std::array kPickleNames{
    PickleName{"collections.OrderedDict", PickleName::Use::Filled},
    PickleName{"torch._utils._rebuild_tensor_v2", PickleName::Use::Called},
    PickleName{"torch._utils._rebuild_tensor_v3", PickleName::Use::Called},
    PickleName{"torch._utils._rebuild_parameter", PickleName::Use::Called},
    PickleName{"torch.Size", PickleName::Use::Called},
    PickleName{"torch.FloatStorage", PickleName::Use::Class},
    PickleName{"torch.DoubleStorage", PickleName::Use::Class},
    PickleName{"torch.HalfStorage", PickleName::Use::Class},
    PickleName{"torch.BFloat16Storage", PickleName::Use::Class},
    PickleName{"torch.LongStorage", PickleName::Use::Class},
    PickleName{"torch.IntStorage", PickleName::Use::Class},
    PickleName{"torch.ShortStorage", PickleName::Use::Class},
    PickleName{"torch.CharStorage", PickleName::Use::Class},
    PickleName{"torch.ByteStorage", PickleName::Use::Class},
    PickleName{"torch.BoolStorage", PickleName::Use::Class},
    PickleName{"torch.ComplexFloatStorage", PickleName::Use::Class},
    PickleName{"torch.ComplexDoubleStorage", PickleName::Use::Class},
    PickleName{"torch.storage.UntypedStorage", PickleName::Use::Class},
    PickleName{"torch.uint16", PickleName::Use::Class},
    PickleName{"torch.uint32", PickleName::Use::Class},
    PickleName{"torch.uint64", PickleName::Use::Class},
    PickleName{"numpy.core.multiarray._reconstruct", PickleName::Use::Filled},
    PickleName{"numpy._core.multiarray._reconstruct", PickleName::Use::Filled},
    PickleName{"numpy.core.numeric._frombuffer", PickleName::Use::Called},
    PickleName{"numpy._core.numeric._frombuffer", PickleName::Use::Called},
    PickleName{"numpy.ndarray", PickleName::Use::Class},
    PickleName{"numpy.dtype", PickleName::Use::Filled},
    PickleName{"_codecs.encode", PickleName::Use::Called},
};

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

/// A NumPy array inside a pickle.
struct PickledArray {
    NpyHeader header;                  ///< as in a .npy file of the array; headerBytes is 0
    std::span<const std::byte> bytes;  ///< the elements' bytes; their number was checked
    std::shared_ptr<const void> owned; ///< owner of the bytes, unless they lie in the pickle

    /// Opens the elements for reading.
    std::unique_ptr<ByteSource> open(const std::string& where) const {
        return InputFile::inMemory(where, bytes).open();
    }
};

/// Interprets a value as an array.
/// @return empty when the value is not an array
/// @throws Error{BadInput} for an array that is damaged or holds Python objects
std::optional<PickledArray> arrayOf(const Pickle& pickle, PickleValue value, const std::string& where);

/// Interprets a value as a tuple or list of non-negative integers, such as a shape.
/// @return empty when the value is something else, or has more than 64 elements
std::optional<std::vector<std::uint64_t>> sizesOf(const Pickle& pickle, PickleValue value);

} // namespace assay
