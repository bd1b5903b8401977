#pragma once

#include "engine/audit/result/filter_rules.h"
#include "engine/data/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A kind of finding: from which value on it is reported, and from which on it marks the model with "(!)". The table of
/// all kinds is findingKinds(); docs/verdicts.md shows it.
struct FindingKind {
    std::string_view id;      ///< in JSON
    std::string_view title;   ///< for people: "Copies"
    std::string_view measure; ///< what the value is, in words
    double told;              ///< at least this
    double marked; ///< the low end of the interval (the value where there is none) at least this; infinite: never
};

/// Something that is wrong with a model, or with the sets it was audited with.
struct Finding {
    const FindingKind* kind = nullptr;
    double value = 0.0;          ///< what the kind measures
    std::optional<double> low{}; ///< 95 % interval, where there is one
    std::optional<double> high{};
    std::string sentence;               ///< what is wrong, with its number
    std::string advice;                 ///< what to do about it, or what it means; may be empty
    Side side = Side::Synthetic;        ///< whose samples `rows` are
    std::vector<std::uint32_t> rows{};  ///< to look at, ascending; empty where no single sample is meant
    FilterRules rules{};                ///< that would mend it; empty for none
    std::vector<std::string> classes{}; ///< that it is about

    /// Whether it marks the model.
    bool marks() const noexcept { return low.value_or(value) >= kind->marked; }
};

} // namespace assay
