#include "engine/audit/run/further_passes.h"

#include "engine/data/matrix_view.h"
#include "engine/math/linear/centre.h"
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Applies phi to a set. The result is a set, so that the neighbour searches accept it.
EmbeddingSet embedded(const EmbeddingSet& set, const OneClassNetwork& network, unsigned threads,
                      const JobContext& job) {
    std::vector<float> images = network.embed(set.matrix(), threads, job.part({}, 0.0, 0.9));
    return EmbeddingSet(EmbeddingParts::of(std::move(images), set.dim(), set.name() + " in the one-class embedding"),
                        job.part({}, 0.9, 1.0), threads);
}

} // namespace

std::shared_ptr<const RealOneClass> findOneClass(const EmbeddingSet& real, const AuditOptions& options,
                                                 const JobContext& job) {
    constexpr double kTrained = 0.97;
    auto found = std::make_shared<RealOneClass>(RealOneClass{
        trainOneClass(real.matrix(), {}, {options.seed, options.threads, job.part({}, 0.0, kTrained)}), {}, {}});
    const JobContext rest = job.part({}, kTrained, 1.0);
    const EmbeddingSet images = embedded(real, found->model.network, options.threads, rest.part({}, 0.0, 0.2));
    found->centre = RealCentre::of(images.matrix(), std::vector<double>(real.dim(), 1.0), options.threads,
                                   rest.part({}, 0.2, 0.25));
    const auto search = makeLocalSearch(images.matrix(), options, rest.part({}, 0.25, 0.3));
    found->nearestReal = search->within(images.matrix(), 1, rest.part({}, 0.3, 1.0)).distancesAt(1);
    return found;
}

/// Searches in the one-class embedding, as the published program does; the passes' tables belong to another embedding.
EvaluationTables inOneClass(const RealOneClass& trained, const EmbeddingSet& real, const EmbeddingSet& synthetic,
                            const AuditOptions& options, const JobContext& job) {
    const OneClassNetwork& network = trained.model.network;
    const EmbeddingSet realImages = embedded(real, network, options.threads, job.part({}, 0.0, 0.15));
    const EmbeddingSet images = embedded(synthetic, network, options.threads, job.part({}, 0.15, 0.3));
    const auto search = makeLocalSearch(largerOf(images, realImages).matrix(), options, job.part({}, 0.3, 0.35));
    const PassResult cross = search->between({realImages.matrix(), 1}, {images.matrix()}, job.part({}, 0.35, 0.95));
    const std::vector<double> mean = columnMeans(images.matrix(), options.threads, job.part({}, 0.95, 0.97));
    return EvaluationTables::of(trained.centre, trained.nearestReal, cross.a.nearest, {images.matrix(), mean},
                                {.threads = options.threads, .job = job.part({}, 0.97, 1.0)});
}

namespace {

std::shared_ptr<const EmbeddingSet> rowsOf(const EmbeddingSet& set, const std::vector<std::uint32_t>& rows) {
    return std::make_shared<const EmbeddingSet>(
        EmbeddingParts::of(gatherRows(set.matrix(), rows), set.dim(), set.name()));
}

/// Every row by itself.
std::shared_ptr<const RealPartition> singly(std::size_t rows) {
    RealPartition partition;
    partition.unit.resize(rows);
    std::iota(partition.unit.begin(), partition.unit.end(), 0U);
    partition.thing = partition.rows = partition.unit;
    return std::make_shared<const RealPartition>(std::move(partition));
}

} // namespace

MetricInputs UnitTables::inputs() const {
    return {.real = real, .pair = *model.tables, .k = real.k, .seed = seed, .threads = threads};
}

std::optional<UnitTables> tablesOfUnits(const ModelState& state, const SampleUnits& units, const NeighborSearch& search,
                                        const JobContext& job) {
    const std::vector<std::uint32_t>& realRows = state.real.partition->rows;
    const std::vector<std::uint32_t>& rows = units.rows;
    const EmbeddingSet& set = *state.audit.set;
    if (std::min(realRows.size(), units.count(set.rows())) <= state.options.k + 1)
        return std::nullopt;
    auto analysis = std::make_shared<RealAnalysis>();
    analysis->set = rowsOf(*state.real.set, realRows);
    analysis->k = state.real.k;
    RealState real{.analysis = analysis,
                   .described = {},
                   .heldOut = {},
                   .options = state.options,
                   .search = search,
                   .results = {}};
    findPasses(real, job.silent());
    analysis->partition = singly(realRows.size());
    ModelState model{*analysis, nullptr, nullptr, state.options, search, {}};
    model.audit.set = rows.empty() ? state.audit.set : rowsOf(set, rows);
    findPasses(model, job.silent());
    return UnitTables{*analysis, std::move(model.audit), state.options.seed, state.options.threads};
}

} // namespace assay
