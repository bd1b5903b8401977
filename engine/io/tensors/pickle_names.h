#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

} // namespace assay
