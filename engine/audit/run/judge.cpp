#include "engine/audit/run/judge.h"

#include "engine/audit/result/audit_result.h"
#include "engine/metrics/verdicts/real_splits.h"

#include <utility>

namespace assay {

VerdictScores judgeSyntheticSamples(const MetricInputs& in, const EmbeddingSet& model, const ModelAudit* heldOut,
                                    const AuditOptions& options, const AuditSearch& search) {
    const std::size_t realRows = in.real.set->rows();
    if (heldOut == nullptr)
        return judgeSynthetic(in, nullptr, options.falseDiscoveryRate);
    const NeighborTable toSynthetic =
        search.cross({model, *heldOut->set, 0, densityNeighbors(realRows, model.rows()), {}, {}, {}}, in.job).bToA;
    const HeldOutDistances calibration{heldOut->tables->syntheticToReal, toSynthetic};
    return judgeSynthetic(in, &calibration, options.falseDiscoveryRate);
}

CoverageVerdicts judgeRealSamples(const MetricInputs& in, const EmbeddingSet& model, const AuditOptions& options,
                                  const AuditSearch& search) {
    const RowSearch rows(search, in.real.set->matrix(), options, in.job.part({}, 0.0, 0.0));
    return judgeReal(in,
                     splitCoverageRatios(in.real, model.rows(), in.k, *rows, {options.seed, options.threads, in.job}),
                     options.falseDiscoveryRate);
}

std::vector<ColumnValues> goodColumns(CalibrationScores good) {
    return {{"p_unrealistic", std::move(good.pUnrealistic)},
            {"p_over_represented", std::move(good.pOverRepresented)},
            {"p_copy", std::move(good.pCopy)},
            {"p_any", std::move(good.pAny)},
            {"log_density_ratio", std::move(good.logDensityRatio)},
            {"copy_ratio", std::move(good.copyRatio)}};
}

} // namespace assay
