#pragma once

#include "engine/audit/result/sample_scores.h"
#include "engine/base/job_context.h"
#include "engine/data/sample_set.h"
#include "engine/external/external_scores.h"
#include "engine/store/history.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/rules/tags.h"

#include <cstddef>
#include <optional>
#include <string>

namespace assay {

class Database;
struct AuditResult;

/// The user's decisions about an audit, as stored in its file. A value type.
struct Decisions {
    std::size_t model = 0; ///< index of the displayed model
    FilterRules rules;
    SampleSet rejectedByHand; ///< samples of any model rejected by hand; disjoint from `accepted` and `unsure`
    SampleSet accepted;       ///< samples kept regardless of the rules
    SampleSet unsure;         ///< samples marked as reviewed but undecided; the rules decide
    SampleTags tags;
    TagNames tagNames;
    SampleNotes notes;
    SampleSet selected;
    std::optional<SampleId> focus;
    std::string filter;             ///< filter text, in the window's own format; empty: no filter
    std::optional<SampleSet> among; ///< samples to which the filter was narrowed
    ExternalScores external{};      ///< figures of models from elsewhere
    SampleScores sampleScores{};    ///< figures of samples from elsewhere
    std::string window;             ///< layout of the window, in its own format; empty: default

    friend bool operator==(const Decisions&, const Decisions&) = default;
};

/// The part of the decisions that concerns the samples of one model. @param model index into AuditResult::models
SampleFilter filterOf(const Decisions& decisions, std::size_t model);

/// Replaces the decisions in an audit file, in one transaction: a crash leaves either the old or the new ones. Also
/// appends new entries of the history.
/// @throws Error{WriteFailed}; Error{BadInput} when the file is no longer an audit file
void writeDecisions(const std::string& file, const Decisions& decisions, const History& history = {});
/// Creates the table of decisions in a new audit file. The caller's transaction must be open.
/// @throws Error{WriteFailed}
void createDecisions(Database& database, const Decisions& decisions);

/// Reads the decisions from an audit file. Leaves out samples, models and columns that the audit does not have. When a
/// sample has several verdicts by hand, only the first of rejected, accepted and unsure counts.
/// @throws Error{BadInput}
Decisions readDecisions(const std::string& file, const AuditResult& audit, const JobContext& job = {});

} // namespace assay
