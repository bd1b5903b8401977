#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct ModelAudit;

/// Which side of a bound a sample must be on to be kept.
enum class Bound { AtLeast, AtMost };

/// One rule: a synthetic sample is kept when its value in `column` is on the right side of `value`, the bound included.
/// A plain value; rules are combined by "and".
struct FilterRule {
    std::string column; ///< id of a synthetic-side column in the catalogue
    Bound bound = Bound::AtLeast;
    double value = 0.0;

    friend bool operator==(const FilterRule&, const FilterRule&) = default;
};

/// Whether a value is on the side to keep. Not-a-number is on neither.
inline bool satisfies(double value, const FilterRule& rule) {
    return rule.bound == Bound::AtLeast ? value >= rule.value : value <= rule.value;
}

using FilterRules = std::vector<FilterRule>;

/// What decides which of one model's synthetic samples are kept: rules, and what a person rejected by hand. Looks at
/// plain values that outlive it.
struct SampleFilter {
    std::span<const FilterRule> rules{};
    std::span<const std::uint32_t> byHand{}; ///< rows of the model's set, ascending

    bool rejectsByHand(std::size_t row) const;
};

/// What a filter makes of one model's synthetic samples.
struct FilterOutcome {
    std::vector<bool> kept; ///< one per synthetic row
    std::size_t keptCount = 0;
    std::size_t rejectedCount = 0;
};

/// Makes sure that rules can be applied to a model. @throws as applyRules
void requireRules(const ModelAudit& model, std::span<const FilterRule> rules);

/// Applies all rules and what was rejected by hand.
/// @throws Error{InvalidArgument} for a column that is unknown or not on the synthetic side, and for a row that is not
/// there
FilterOutcome applyRules(const ModelAudit& model, const SampleFilter& filter);

/// Why a sample is rejected, for people and for the exported list: "fidelity 0.2 < 0.5; not authentic; rejected by
/// hand". Empty when it is kept.
std::string rejectionReason(const ModelAudit& model, const SampleFilter& filter, std::size_t row);

/// Rules as JSON text: [{"column":"fidelity","bound":"at_least","value":0.5}], and back.
/// @throws Error{BadInput} naming the entry that is wrong
std::string rulesToJson(std::span<const FilterRule> rules);
FilterRules rulesFromJson(const std::string& json);

} // namespace assay
