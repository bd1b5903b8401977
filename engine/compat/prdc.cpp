#include "engine/compat/published_distances.h"
#include "engine/metrics/entropy/entropy.h"

#include <limits>

namespace assay::compat {

/// Naeem et al. 2020: compute_prdc. Balls are open, distances and radii are float32.
std::vector<CompatValue> prdc(const CompatInputs& in) {
    const std::vector<double> real = strictPairwiseBalls(in.real.radius);
    const std::vector<double> synthetic = strictPairwiseBalls(in.model.tables->syntheticRadius);
    const PassResult counted = countBalls(in, real, {}, synthetic);
    const double mean = total(counted.b.holding) / static_cast<double>(counted.b.holding.size());
    return {{"precision", {shareHeld(counted.b.holding)}},
            {"recall", {shareHeld(counted.a.holding)}},
            {"density", {1.0 / static_cast<double>(in.real.k) * mean}},
            {"coverage", {shareHeld(counted.a.inside)}}};
}

/// Stein et al. 2023: prdc as published by Naeem et al., and AuthPct in percent.
std::vector<CompatValue> dgmEval(const CompatInputs& in) {
    std::vector<CompatValue> values = prdc(in);
    float authentic = 0.0F;
    const std::vector<double>& flags = in.model.column("authentic");
    for (const double flag : flags)
        authentic += static_cast<float>(flag);
    values.push_back({"authpct", {static_cast<double>(100.0F * authentic / static_cast<float>(flags.size()))}});
    return values;
}

// Fox et al. 2025: compute_metrics. Distances of pairs are float32, radii are not always. The real set's entropy is not
// subtracted from the entropies; recall_entropy is the entropy of the real set itself.
namespace {

/// Mean of log n - psi(k) + log c_d + d log D, in nats. Zero distances are not replaced.
double entropyOf(const CompatInputs& in, const std::vector<double>& distances, FitMethod method, std::size_t n) {
    std::vector<double> terms =
        metrics::entropyTerms(neighborDistances(distances, method), n, in.real.k, in.real.set->dim());
    for (std::size_t i = 0; i < terms.size(); ++i)
        if (distances[i] == 0.0)
            terms[i] = -std::numeric_limits<double>::infinity();
    return 1.0 / static_cast<double>(terms.size()) * pairwiseSum(terms);
}

} // namespace

std::vector<CompatValue> fox(const CompatInputs& in) {
    const std::size_t k = in.real.k;
    const PairTables& tables = *in.model.tables;
    // Each set is fitted once, for all its searches.
    const FitMethod inReal = fitMethod(k + 1, *in.real.set);
    const FitMethod inSynthetic = fitMethod(k + 1, *in.model.set);
    const std::vector<double> real = closedPairwiseBalls(in.real.radius, inReal);
    const std::vector<double> synthetic = closedPairwiseBalls(tables.syntheticRadius, inSynthetic);
    const PassResult counted = countBalls(in, real, {}, synthetic);
    const auto rows = static_cast<double>(counted.b.holding.size());
    std::vector<CompatValue> values{
        {"precision", {shareHeld(counted.b.holding)}},
        {"recall", {shareHeld(counted.a.holding)}},
        {"density", {total(counted.b.holding) / (static_cast<double>(k) * rows)}},
        {"coverage", {shareHeld(counted.a.inside)}},
        {"precision_cross_entropy",
         {entropyOf(in, tables.synthetic.nearest.distancesAt(k), inReal, in.real.radius.size())}},
        {"recall_cross_entropy",
         {entropyOf(in, tables.real.nearest.distancesAt(k), inSynthetic, tables.syntheticRadius.size())}},
        {"recall_entropy", {entropyOf(in, in.real.radius, inReal, in.real.radius.size() - 1)}}};
    if (in.model.hasMetric("frechet_distance"))
        values.push_back({"frechet_distance", {in.model.metric("frechet_distance")}});
    return values;
}

} // namespace assay::compat
