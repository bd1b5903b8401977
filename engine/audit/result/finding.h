#pragma once

#include "engine/audit/result/filter_rules.h"
#include "engine/data/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A kind of finding, with two thresholds: from the first on the finding is reported, from the second on it marks the
/// model with "(!)". findingKinds() lists all kinds; docs/verdicts.md shows the table.
struct FindingKind {
    std::string_view id;      ///< identifier in JSON
    std::string_view title;   ///< displayed name: "Copies"
    std::string_view measure; ///< description of the value
    double reportFrom;        ///< reporting threshold: the value is at least this
    /// Marking threshold: the interval's lower end, or the value without an interval, is at least this; infinite: never
    /// marks.
    double markFrom;
};

/// One problem of a model, or of the sets that it was audited with.
struct Finding {
    const FindingKind* kind = nullptr;
    double value = 0.0;          ///< value in the meaning of FindingKind::measure
    std::optional<double> low{}; ///< 95 % interval of the value, if there is one
    std::optional<double> high{};
    std::string sentence{};      ///< the problem in one sentence, with its value
    std::string advice{};        ///< what to do, or what it means; may be empty
    Side side = Side::Synthetic; ///< set that `rows` belong to
    /// Samples to look at, ascending; empty if the finding is not about single samples.
    std::vector<std::uint32_t> rows{};
    FilterRules rules{};                ///< rules that remove the problem; empty for none
    std::vector<std::string> classes{}; ///< labels of the affected classes

    /// Whether the finding marks the model.
    bool marks() const noexcept { return low.value_or(value) >= kind->markFrom; }
};

} // namespace assay
