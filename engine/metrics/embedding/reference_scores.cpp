#include "engine/metrics/embedding/reference_scores.h"

#include "engine/base/error.h"
#include "engine/metrics/embedding/frechet_influence.h"
#include "engine/metrics/embedding/row_scores.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {

ReferenceScores scoreAgainst(const GaussianFit& reference, const std::string& referenceName, MatrixView set,
                             const std::string& name, const ComputeContext& context) {
    if (set.dim != reference.mean.size())
        throw Error(ErrorKind::BadInput, fmt::format("{}: expected {} columns as in {}, found {}", name,
                                                     reference.mean.size(), referenceName, set.dim));
    if (set.rows < 2)
        throw Error(ErrorKind::BadInput, name + ": expected at least 2 samples for a Frechet distance, found 1");
    if (std::min(set.rows, set.dim) > kMaxEigenvalues)
        throw Error(ErrorKind::BadInput,
                    fmt::format("{}: expected at most {} rows or columns for a Frechet distance, found {} x {}", name,
                                kMaxEigenvalues, set.rows, set.dim));
    const unsigned threads = context.threads;
    const JobContext& job = context.job;
    ReferenceScores scores;
    const GaussianFit fit = fitGaussian(set, threads, job.part({}, 0.0, 0.2));
    scores.distance = frechetDistance(reference, fit, threads, job.part({}, 0.2, 0.3));
    const FrechetSpectrum spectrum = frechetSpectrum(reference, fit, threads, job.part({}, 0.3, 0.5));
    const std::vector<float> projected = alongDirections(spectrum, set, fit.mean, threads, job.part({}, 0.5, 0.6));
    if (set.rows > 2)
        scores.influence =
            frechetInfluence(spectrum, set, fit.mean, projected, set.rows, threads, job.part({}, 0.6, 0.7));
    scores.infinity =
        frechetInfinity(reference, spectrum, set, fit.mean, projected, scores.distance, context.part(0.7, 1.0));
    return scores;
}

} // namespace assay
