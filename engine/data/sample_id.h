#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace assay {

/// Identifies the real set or the synthetic set of one model.
enum class SetId : std::uint32_t { Real = 0 };

/// The synthetic set of the model at `index` in AuditResult::models.
constexpr SetId syntheticSet(std::size_t index) {
    return static_cast<SetId>(index + 1);
}
constexpr bool isReal(SetId set) {
    return set == SetId::Real;
}
/// Index into AuditResult::models. @pre `set` is a synthetic set
constexpr std::size_t modelIndex(SetId set) {
    return static_cast<std::size_t>(set) - 1;
}

/// Identifies a sample throughout the program: its set and its row in that set's file. Sorting and filtering do not
/// change it.
struct SampleId {
    SetId set = SetId::Real;
    std::uint32_t row = 0;

    friend constexpr auto operator<=>(const SampleId&, const SampleId&) = default;
};

} // namespace assay

template <>
struct std::hash<assay::SampleId> {
    std::size_t operator()(const assay::SampleId& id) const noexcept {
        return std::hash<std::uint64_t>{}((static_cast<std::uint64_t>(id.set) << 32) | id.row);
    }
};
