#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// Whether two numbers are the same but for rounding: another machine adds in another order.
bool isSameButForRounding(double recorded, double found) noexcept;

/// One value of a record that did not come out again.
struct ReplayDifference {
    std::string what; ///< "gan: clipped_density", "gan: fidelity of row 17"
    double recorded = 0.0;
    double found = 0.0;
};

/// What came of computing a recorded audit again.
struct ReplayResult {
    std::size_t compared = 0; ///< values: aggregates, ends of intervals, scores of samples, points of curves
    std::size_t exact = 0;    ///< of them the same to the last bit
    std::size_t differing = 0;
    std::vector<ReplayDifference> differences; ///< the first few of them
    std::size_t curvesLeftOut = 0;             ///< curves over subsets, which are not computed again

    bool holds() const noexcept { return differing == 0; }
};

/// Compares a record with what was computed again, value by value. A score that one of them does not have differs.
ReplayResult compareWithRecord(const AuditResult& record, const AuditResult& again);

/// Computes a recorded audit again from its inputs.
/// @param options backend, threads and memory; all else is the record's @throws as runAudit
std::shared_ptr<const AuditResult> computeAgain(const AuditResult& record, const AuditOptions& options,
                                                const JobContext& job = {});

/// "231,004 values: all hold, 230,998 of them to the last bit" and, where they do not, one line for each of the first
/// differences.
std::string replayText(const ReplayResult& result);

} // namespace assay
