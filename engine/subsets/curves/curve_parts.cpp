#include "engine/subsets/curves/curve_parts.h"

#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/tables/subset_neighbors.h"

#include <algorithm>
#include <array>

namespace assay::curves {

std::vector<const Metric*> drawnMetrics(SubsetScores scores) {
    constexpr std::array<std::string_view, 2> kOfTheRealSetAlone{"clipped_density_real", "real_entropy"};
    std::vector<const Metric*> metrics;
    for (const Metric& metric : metricCatalog()) {
        const bool drawn = metric.unit == Unit::Share || metric.unit == Unit::Ratio || metric.unit == Unit::Nats;
        const bool real =
            std::find(kOfTheRealSetAlone.begin(), kOfTheRealSetAlone.end(), metric.id) != kOfTheRealSetAlone.end();
        if (foundForSubset(metric, scores) && drawn && !real)
            metrics.push_back(&metric);
    }
    return metrics;
}

std::uint64_t seedFor(std::uint64_t seed, Draw purpose) {
    return Random::forItem(seed, static_cast<std::uint64_t>(purpose)).next();
}

std::vector<std::uint32_t> shuffledRows(std::size_t count, std::uint64_t seed, Draw purpose) {
    return Random(seedFor(seed, purpose)).order(count);
}

std::shared_ptr<const EmbeddingSet> rowsOf(const EmbeddingSet& set, std::span<const std::uint32_t> rows,
                                           const std::string& name, const JobContext& job) {
    return std::make_shared<const EmbeddingSet>(EmbeddingParts::of(gatherRows(set.matrix(), rows), set.dim(), name),
                                                job);
}

AuditOptions tablesOnly(const AuditOptions& options) {
    AuditOptions same;
    same.k = options.k;
    same.cover = options.cover;
    same.backend = options.backend;
    same.makeSearch = options.makeSearch;
    same.threads = options.threads;
    same.seed = options.seed;
    same.memoryLimit = options.memoryLimit;
    same.tablesOnly = true;
    return same;
}

} // namespace assay::curves
