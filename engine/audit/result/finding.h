#pragma once

#include "engine/audit/result/filter_rules.h"
#include "engine/data/units.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A kind of finding. findingKinds() lists all kinds; docs/verdicts.md shows the table.
struct FindingKind {
    enum Trait : unsigned {
        Number = 1,              ///< the value is a number of things, a ratio or an AUC, not a share
        Fact = 2,                ///< marks a model even if neighbouring real rows are alike
        Consequence = 4,         ///< follows from another scale or from a collapse, and is then left out of the summary
        OfCopies = 8,            ///< its samples copy real ones: examples are grouped by original, and they count twice
        Rejectable = 16,         ///< a person may want to reject its samples
        RejectableIfMarked = 32, ///< the same where it marks the model
        Note = 64                ///< never speaks against a model
    };

    std::string_view id;      ///< identifier in JSON
    std::string_view title;   ///< displayed name: "Copies"
    std::string_view measure; ///< description of the value
    /// When such a finding marks the model with "(!)": "from 5 % on"; empty: never.
    std::string_view marks{};
    unsigned traits = 0; ///< sum of Traits

    constexpr bool is(Trait trait) const noexcept { return (traits & trait) != 0; }
};

/// A sample that stands for a group of a finding's samples.
struct FindingExample {
    std::uint32_t row = 0;   ///< the group's sample nearest to the group's mean
    std::uint32_t count = 0; ///< number of samples in the group, this one included
    /// For a copy: the row of the real set that it copies.
    std::optional<std::uint32_t> original{};

    friend bool operator==(const FindingExample&, const FindingExample&) = default;
};

/// One problem of a model, or of the sets that it was audited with.
struct Finding {
    /// Entry of `exampleOf` for a sample that no example stands for.
    static constexpr std::uint8_t kNoExample = 255;

    const FindingKind* kind = nullptr;
    double value = 0.0;          ///< value in the meaning of FindingKind::measure
    std::optional<double> low{}; ///< 95 % interval of the value, if there is one
    std::optional<double> high{};
    std::string sentence{};  ///< the problem in one sentence, with its value
    std::string brief{};     ///< shorter, for a summary that begins with something else; empty: the sentence
    std::string advice{};    ///< what to do, or what it means; may be empty
    bool marksModel = false; ///< whether it marks the model with "(!)"
    /// Its place among the sentences of the summary, the smallest first: it speaks against the model. Empty: a note.
    std::optional<double> place{};
    Side side = Side::Synthetic; ///< set that `rows` belong to
    /// Samples to look at, ascending; empty if the finding is not about single samples.
    std::vector<std::uint32_t> rows{};
    FilterRules rules{};                ///< rules that remove the problem; empty for none
    std::vector<std::string> classes{}; ///< labels of the affected classes
    /// Samples that stand for `rows`, the largest group first; at most five (engine/audit/findings/findings.h).
    std::vector<FindingExample> examples{};
    /// Per entry of `rows` the index of its example, or kNoExample; empty without examples.
    std::vector<std::uint8_t> exampleOf{};

    /// The samples that an example stands for, ascending; itself among them.
    std::vector<std::uint32_t> rowsLike(std::size_t example) const {
        std::vector<std::uint32_t> like;
        for (std::size_t at = 0; at < exampleOf.size(); ++at)
            if (exampleOf[at] == example)
                like.push_back(rows[at]);
        return like;
    }
};

} // namespace assay
