#pragma once

#include "engine/data/sample_set.h"
#include "engine/store/history.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/rules/tags.h"

#include <cstddef>
#include <optional>
#include <string>

namespace assay {

class Database;
struct AuditResult;

/// What a person has decided about an audit, as its file keeps it. A plain value.
struct Decisions {
    std::size_t model = 0; ///< the one that was shown
    FilterRules rules;
    SampleSet byHand;   ///< rejected, of any model; in none of the next two
    SampleSet accepted; ///< kept whatever the rules say
    SampleSet unsure;   ///< looked at, and left to the rules
    SampleTags tags;
    TagNames tagNames;
    SampleNotes notes;
    SampleSet selected;
    std::optional<SampleId> focus;
    std::string filter;             ///< in the window's own words; empty for none
    std::optional<SampleSet> among; ///< what the filter was narrowed down to
    std::string window;             ///< how the window is arranged, in its own words; empty for nothing

    friend bool operator==(const Decisions&, const Decisions&) = default;
};

/// What of them is about one model's samples. @param model index into the audit's models
SampleFilter filterOf(const Decisions& decisions, std::size_t model);

/// Writes the decisions into an audit file, in place of those that it holds: all of them or none, whenever the program
/// is ended; and with them what the history has beyond that of the file.
/// @throws Error{WriteFailed}, Error{BadInput} where the file is no audit file any more
void writeDecisions(const std::string& file, const Decisions& decisions, const History& history = {});
/// The same for a file that is being made, whose transaction it is part of.
void createDecisions(Database& database, const Decisions& decisions);

/// What an audit file holds of decisions. Samples, models and columns that the audit does not have are left out, and of
/// several verdicts by hand on one sample all but the first of rejected, accepted and unsure.
/// @throws Error{BadInput}
Decisions readDecisions(const std::string& file, const AuditResult& audit);

} // namespace assay
