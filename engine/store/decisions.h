#pragma once

#include "engine/audit/result/sample_scores.h"
#include "engine/base/job_context.h"
#include "engine/data/sample_set.h"
#include "engine/external/external_scores.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/rules/tags.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

class Database;
struct AuditResult;

/// One action on an audit, and its time.
struct HistoryEntry {
    std::int64_t number = 0; ///< ascending, starts at 1
    std::string at;          ///< UTC: "2026-03-01T12:00:00Z"
    std::string what;        ///< text for the user

    friend bool operator==(const HistoryEntry&, const HistoryEntry&) = default;
};

/// Entries from the oldest to the newest.
using History = std::vector<HistoryEntry>;

/// Number of entries that an audit file keeps; older ones are removed.
constexpr std::size_t kMaxHistory = 10'000;

/// A time in the format of audit files: UTC, with seconds.
std::string utcText(std::chrono::system_clock::time_point moment);

/// Appends an entry with the next number. Removes the oldest entry when there are more than kMaxHistory.
void append(History& history, std::string at, std::string what);

/// Writes the entries with numbers above those in the file, so writing the same history again has no effect. The
/// caller's transaction must be open.
/// @throws Error{WriteFailed}
void writeHistory(Database& database, const History& history);

/// Writes the entries with numbers above those in the file, in a transaction of its own.
/// @throws Error{WriteFailed}; Error{BadInput} when the file is no longer an audit file
void writeHistory(const std::string& file, const History& history);

/// The history in an audit file; empty when it has none.
/// @throws Error{BadInput}
History readHistory(const std::string& file, const JobContext& job = {});

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
