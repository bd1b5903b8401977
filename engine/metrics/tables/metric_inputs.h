#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/metric.h"
#include "engine/metrics/tables/stage_results.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// The rows of a synthetic set, M x d. Available only if this process holds all of them.
struct SyntheticRows {
    MatrixView matrix;
};

/// Input of every metric: the tables of the finished neighbour passes, and the results that the audit's stages
/// computed from them.
struct MetricInputs {
    const RealAnalysis& real;
    const PairTables& pair;
    std::size_t k;
    StageResults results = {};
    std::uint64_t seed = 0; ///< seed of all random draws of the metric
    unsigned threads = 0;   ///< number of threads; 0: all cores
    JobContext job = {};    ///< progress and stop token; long computations check it every 100 ms
    CoverSizes cover = {};
    PairSearch pairSearch = PairSearch::ByProducts; ///< how pairs beyond the tables are found; figures are the same
    const Accelerator* accelerator = nullptr;       ///< that finds them where it can; or null

    /// Returns the result of type T. Precondition: the result exists, because the catalogue row names it in `needs`
    /// or because the producer of these inputs stored it.
    template <typename T>
    const T& get() const noexcept {
        return results.get<T>();
    }
};

} // namespace assay
