#include "engine/audit/run/unit_tables.h"

#include "engine/data/matrix_view.h"
#include "engine/metrics/verdicts/real_partition.h"

#include <memory>
#include <numeric>
#include <utility>

namespace assay {
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
