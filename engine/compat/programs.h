#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit_search.h"
#include "engine/base/job_context.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// One figure under the name that the published program gives it.
struct CompatValue {
    std::string name;
    std::vector<double> values; ///< one, or the points of a curve
    bool isCurve = false;
};

/// What a published program's figures are recomputed from: a finished audit, and a search for one more pass.
struct CompatInputs {
    const RealAnalysis& real;
    const ModelAudit& model;
    const AuditSearch& search;
    JobContext job = {};
};

/// A published program whose conventions are known here, given float32 rows as stored.
struct CompatProgram {
    std::string_view id;      ///< on the command line
    std::string_view source;  ///< where the program was published
    std::string_view version; ///< commit that was read and run beside this one
    std::vector<CompatValue> (*compute)(const CompatInputs&);
};

/// Every program of the list. What each does differently stands in docs/metrics.md.
std::span<const CompatProgram> compatPrograms();
/// The program of this id, or null.
const CompatProgram* findCompatProgram(std::string_view id);

/// The figures of one model as a program of the list has them.
struct CompatResult {
    const CompatProgram* program = nullptr;
    std::vector<CompatValue> metrics;
};

struct AuditOptions;

/// Every model of an audit in the conventions of a program.
/// @param options those of the audit
/// @throws Error{InvalidArgument} where several machines share the sets; Cancelled
std::vector<CompatResult> computeCompat(const AuditResult& audit, const CompatProgram& program,
                                        const AuditOptions& options, const JobContext& job = {});

namespace compat {
std::vector<CompatValue> salvy(const CompatInputs& in);
std::vector<CompatValue> prdc(const CompatInputs& in);
std::vector<CompatValue> fox(const CompatInputs& in);
std::vector<CompatValue> alaa(const CompatInputs& in);
std::vector<CompatValue> dgmEval(const CompatInputs& in);
} // namespace compat

} // namespace assay
