#pragma once

#include "engine/data/sample_set.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>

namespace assay {

struct Finding;
struct ViewState;

/// Restricts the samples that views show. It applies to every view and changes no decision: scores, rules and exports
/// are of all samples. A plain value.
struct ViewFilter {
    /// The values of a per-sample column that are wanted, both ends included.
    struct Range {
        std::string column;
        double low = 0.0, high = 0.0;

        friend bool operator==(const Range&, const Range&) = default;
    };

    std::optional<std::string> className;   ///< samples of this class
    std::optional<std::string> groupName{}; ///< samples of this group
    QString text;                           ///< whose id, class or group contains this, in any case
    std::optional<Range> range;             ///< leaves the other side's samples as they are
    /// Among these; a set of which none is named stays as it is. Null: no matter which.
    std::shared_ptr<const SampleSet> among;

    /// Beside what else is wanted, only these samples.
    ViewFilter only(const SampleSet& samples) const;
    bool isOnly(const SampleSet& samples) const { return among && *among == samples; }
    /// Only these samples, or no matter which where it was only these.
    ViewFilter toggledOnly(const SampleSet& samples) const;
    /// Samples of this class, or of any where it was this one.
    ViewFilter toggledClass(const std::string& name) const;
    /// Likewise of a group.
    ViewFilter toggledGroup(const std::string& name) const;

    bool empty() const { return !className && !groupName && text.isEmpty() && !range && !among; }
    friend bool operator==(const ViewFilter& a, const ViewFilter& b);
};

/// The rows of the real and the current synthetic set that pass the state's filter; null if all do.
std::shared_ptr<const SampleSet> shownBy(const ViewState& state);

/// The finding of the current model whose samples, and nothing else, the filter asks for; null where there is none.
const Finding* filteredFinding(const ViewState& state);

/// "class 8, group patient12, \"77\", fidelity 0.2 to 0.4, 37 chosen samples"; empty for no filter.
QString filterText(const ViewFilter& filter);

} // namespace assay
