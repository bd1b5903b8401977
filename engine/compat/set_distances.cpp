// Programs that compare whole sets: torch-fidelity, fadtk and the published code of CMMD.
#include "engine/compat/published_distances.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/embedding/kernel_distance.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace assay::compat {
namespace {

/// Adds a score of the audit under another name, if the audit has it.
void addScore(std::vector<CompatValue>& values, const CompatInputs& in, std::string_view name, std::string_view id) {
    if (in.model.hasMetric(id))
        values.push_back({std::string(name), {in.model.metric(id)}});
}

} // namespace

/// Its defaults: balls of the third neighbour, whatever the audit's k. Kernel distances come from other subsets of
/// 1,000 rows than its own. Before 0.4.0 it gave precision as recall and the other way round.
std::vector<CompatValue> torchFidelity(const CompatInputs& in) {
    constexpr std::size_t kNeighbors = 3;
    std::vector<CompatValue> values;
    addScore(values, in, "frechet_inception_distance", "frechet_distance");
    addScore(values, in, "kernel_inception_distance_mean", "kernel_distance");
    addScore(values, in, "kernel_inception_distance_std", "kernel_distance_std");
    addScore(values, in, "kernel_inception_distance_mean (rbf)", "kernel_distance_rbf");
    const NeighborTable& own = in.model.tables->syntheticToSynthetic;
    if (in.real.neighbors.k < kNeighbors || own.k < kNeighbors)
        return values;
    const PassResult counted =
        countBalls(in, in.real.neighbors.distancesAt(kNeighbors), {}, own.distancesAt(kNeighbors));
    const double precision = shareHeld(counted.b.holding);
    const double recall = shareHeld(counted.a.holding);
    values.push_back({"precision", {precision}});
    values.push_back({"recall", {recall}});
    values.push_back({"f_score", {2.0 * precision * recall / std::max(1e-5, precision + recall)}});
    return values;
}

/// fad_inf is from subsets without replacement. The program draws 25 with replacement, which leads to fad again.
std::vector<CompatValue> fadtk(const CompatInputs& in) {
    std::vector<CompatValue> values;
    addScore(values, in, "fad", "frechet_distance");
    addScore(values, in, "fad_inf", "frechet_infinity");
    addScore(values, in, "fad_inf_r2", "frechet_infinity_r2");
    return values;
}

/// Of rows as they are: its reader of pictures gives them unit length, its distance does not.
std::vector<CompatValue> cmmd(const CompatInputs& in) {
    if (!in.real.set->isWhole() || !in.model.set->isWhole())
        return {};
    return {{"cmmd",
             {1000.0 * biasedKernelDistance(in.real.set->matrix(), in.model.set->matrix(), PairKernel::gaussian(10.0),
                                            0, in.job)}}};
}

} // namespace assay::compat
