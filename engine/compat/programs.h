#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// One score under the published program's name for it.
struct CompatValue {
    std::string name;
    std::vector<double> values; ///< one value, or the y values of a curve
    bool isCurve = false;
};

/// Input for a published program's scores: a finished audit, and a search for one additional pass.
struct CompatInputs {
    const RealAnalysis& real;
    const ModelAudit& model;
    const NeighborSearch& search;
    JobContext job = {};
};

/// A published program whose conventions are implemented here, for float32 rows.
struct CompatProgram {
    std::string_view id;      ///< identifier on the command line
    std::string_view source;  ///< where the program was published
    std::string_view version; ///< commit or release that was read and run for comparison
    std::vector<CompatValue> (*compute)(const CompatInputs&);
};

/// All implemented programs. docs/metrics.md describes the differences of each.
std::span<const CompatProgram> compatPrograms();
/// The program of this id, or null.
const CompatProgram* findCompatProgram(std::string_view id);

/// Scores of one model in a program's conventions.
struct CompatResult {
    const CompatProgram* program = nullptr;
    std::vector<CompatValue> metrics;
};

struct AuditOptions;

/// Computes the scores of every model of an audit in a program's conventions.
/// @param options options of the audit
/// @return one result per model
/// @throws Error{InvalidArgument} if several processes share the sets; Cancelled
std::vector<CompatResult> computeCompat(const AuditResult& audit, const CompatProgram& program,
                                        const AuditOptions& options, const JobContext& job = {});

/// Scores of one model in the conventions of each program; compatPrograms() lists these functions.
namespace compat {
std::vector<CompatValue> salvy(const CompatInputs& in);
std::vector<CompatValue> prdc(const CompatInputs& in);
std::vector<CompatValue> fox(const CompatInputs& in);
std::vector<CompatValue> alaa(const CompatInputs& in);
std::vector<CompatValue> dgmEval(const CompatInputs& in);
std::vector<CompatValue> torchFidelity(const CompatInputs& in);
std::vector<CompatValue> fadtk(const CompatInputs& in);
std::vector<CompatValue> cmmd(const CompatInputs& in);
} // namespace compat

} // namespace assay
