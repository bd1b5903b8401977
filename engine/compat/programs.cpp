#include "engine/compat/programs.h"

#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"

#include <array>

namespace assay {
namespace {

constexpr std::array kPrograms{
    CompatProgram{"salvy", "github.com/nicolassalvy/ClippedDensityCoverage", "9920dae", compat::salvy},
    CompatProgram{"prdc", "github.com/clovaai/generative-evaluation-prdc", "e320c1d", compat::prdc},
    CompatProgram{"fox", "github.com/NSSAC/PrecisionRecallMetric", "9e0ddb8", compat::fox},
    CompatProgram{"alaa", "github.com/vanderschaarlab/evaluating-generative-models", "093910e", compat::alaa},
    CompatProgram{"dgm-eval", "github.com/layer6ai-labs/dgm-eval", "74c79f7", compat::dgmEval},
    CompatProgram{"torch-fidelity",
                  "github.com/toshas/torch-fidelity; before 0.4.0 precision and recall were exchanged", "0.4.0",
                  compat::torchFidelity},
    CompatProgram{"fadtk", "github.com/microsoft/fadtk", "1.1.0", compat::fadtk},
    CompatProgram{"cmmd", "github.com/google-research/google-research, cmmd", "clip-mmd 0.0.2", compat::cmmd},
};

} // namespace

std::span<const CompatProgram> compatPrograms() {
    return kPrograms;
}

const CompatProgram* findCompatProgram(std::string_view id) {
    return findBy(kPrograms, &CompatProgram::id, id);
}

std::vector<CompatResult> computeCompat(const AuditResult& audit, const CompatProgram& program,
                                        const AuditOptions& options, const JobContext& job) {
    if (options.search)
        throw Error(ErrorKind::InvalidArgument, "--compat: expected one process, found that several share the work");
    std::vector<CompatResult> results;
    for (std::size_t m = 0; m < audit.models.size(); ++m) {
        const ModelAudit& model = *audit.models[m];
        const JobContext part = job.step(m, audit.models.size(), model.name);
        const auto search =
            makeLocalSearch(largerOf(*model.set, *audit.real->set).matrix(), options, part.part({}, 0.0, 0.02));
        results.push_back({&program, program.compute({*audit.real, model, *search, part.part({}, 0.02, 1.0)})});
    }
    return results;
}

} // namespace assay
