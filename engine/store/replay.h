#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class RecordedValue { Metric, Interval, Column, Curve };

/// Why a value of a record may differ from the one that is computed today without making the record false: a later
/// version corrected or redefined it. Empty if there is no such reason.
/// @param id of the metric, column or curve
/// @param version of Assay that computed the record: "0.1.0"
std::string_view correctionOf(RecordedValue kind, std::string_view id, std::string_view version);

/// Whether two numbers are equal up to rounding: relative difference at most 1e-9 (absolute 1e-12 for numbers below
/// 0.001). Another machine may add in another order.
bool isEqualUpToRounding(double recorded, double found) noexcept;

/// One recorded value that differs from the recomputed one.
struct ReplayDifference {
    std::string what; ///< name of the value: "gan: clipped_density", "gan: fidelity of row 17"
    double recorded = 0.0;
    double found = 0.0;
};

/// Result of computing a recorded audit again.
struct ReplayResult {
    std::size_t compared = 0; ///< number of values: metrics, ends of intervals, scores of samples, points of curves
    std::size_t exact = 0;    ///< number of values that are equal to the last bit
    std::size_t differing = 0;
    std::vector<ReplayDifference> differences; ///< the first few differences
    std::string recordedBy;                    ///< version of Assay that computed the record
    /// Values that differ because a later version corrected or redefined them, by the reason (correctionOf()). They do
    /// not make the record false.
    std::map<std::string, std::size_t, std::less<>> corrected;
    std::size_t curvesLeftOut = 0; ///< curves over subsets, which are not recomputed

    bool holds() const noexcept { return differing == 0; }
};

/// Compares a recorded audit with the recomputed one, value by value. A score that the recomputed audit lacks counts as
/// a difference, unless a later version than the record's corrected it.
ReplayResult compareWithRecord(const AuditResult& record, const AuditResult& again);

/// Computes a recorded audit again from its inputs.
/// @param options backend, threads and memory; all other options come from the record
/// @throws as runAudit()
std::shared_ptr<const AuditResult> recompute(const AuditResult& record, const AuditOptions& options,
                                             const JobContext& job = {});

/// Judges a recorded audit again with this version's statistics: all scores are computed again from its inputs; curves
/// over subsets and scores of samples from elsewhere stay.
/// @param options as for recompute()
/// @throws as runAudit()
std::shared_ptr<const AuditResult> judgeAgain(const AuditResult& record, const AuditOptions& options,
                                              const JobContext& job = {});

/// Summary for the user: "231,004 values: the record holds, 230,998 are the same to the last bit", followed by one line
/// for each of the first differences.
std::string replayText(const ReplayResult& result);

} // namespace assay
