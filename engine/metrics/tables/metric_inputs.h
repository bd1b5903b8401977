#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/metric.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct RealPartition;

/// Results of the neighbour pass within the real set. Computed once and shared by every model. N rows.
struct RealAnalysis {
    std::shared_ptr<const EmbeddingSet> set;
    std::size_t k = 5; ///< number of neighbours that defines a ball, for every metric
    /// Neighbours within the real set, N x ownNeighbors() (engine/audit/run/audit_cost.h).
    NeighborTable neighbors;
    std::vector<double> radius;              ///< N: NNDr_k(r_i), the distance to the k-th nearest other real sample
    std::vector<double> innerRadius;         ///< N: R_i = min(NNDr_k(r_i), medianRadius), of the clipped ball
    double medianRadius = 0.0;               ///< median of `radius`; the mean of the middle two for an even N
    std::vector<std::uint32_t> innerHolding; ///< N: clipped balls of other real samples that hold each
    double entropy = 0.0;                    ///< H(R) in nats
    double notAuthentic = 0.0; ///< share of real samples with copy ratio <= 1, each left out of the real set
    /// Which rows count as one sample; null in quick audits, and after reading an audit file until samples are judged.
    std::shared_ptr<const RealPartition> partition;
    double seconds = 0.0; ///< wall time of the real-real pass
    std::string backend;  ///< "gemm", "kdtree", "nanoflann" or "cuda"
    std::string hardware; ///< name of the graphics card used; empty for the CPU
};

/// Results of the neighbour passes of one model: within the synthetic set, and between both sets. N real, M synthetic
/// rows.
struct PairTables {
    NeighborTable syntheticToSynthetic; ///< M x ownNeighbors()
    /// M: NNDs_k(s_j), the distance to the k-th nearest other synthetic sample.
    std::vector<double> syntheticRadius;
    /// N: crossNeighbors() nearest synthetic samples; m_i synthetic samples `inside` each ball, and in each clipped
    /// one; synthetic balls `holding` each.
    SideResult real;
    /// M: crossNeighbors() nearest real samples; real balls `holding` each; n_j clipped ones, `innerHolding`.
    SideResult synthetic;
};

/// One aggregate of one model. `id` is a metric's id in the catalogue.
struct MetricValue {
    std::string_view id;
    double value = 0.0;
};

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
