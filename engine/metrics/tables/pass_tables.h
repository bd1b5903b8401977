#pragma once

#include "engine/data/embedding_set.h"
#include "engine/metrics/tables/column_values.h"
#include "engine/neighbors/search/neighbor_table.h"

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
    /// Neighbours within the real set, N x ownNeighbors() (engine/audit/run/memory_need.h).
    NeighborTable neighbors;
    std::vector<double> radius;        ///< N: NNDr_k(r_i), the distance to the k-th nearest other real sample
    std::vector<double> clippedRadius; ///< N: R_i = min(NNDr_k(r_i), medianRadius)
    double medianRadius = 0.0;         ///< median of `radius`; the mean of the middle two for an even N
    std::vector<std::uint32_t>
        clippedBallsHolding;   ///< per real sample: clipped balls of other real samples that contain it
    double entropy = 0.0;      ///< H(R) in nats
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
    NeighborTable syntheticToReal;      ///< M x crossNeighbors()
    NeighborTable realToSynthetic;      ///< N x crossNeighbors()
    /// M: NNDs_k(s_j), the distance to the k-th nearest other synthetic sample.
    std::vector<double> syntheticRadius;
    std::vector<std::uint32_t> ballsHolding;          ///< per s_j: real balls that contain it
    std::vector<std::uint32_t> clippedBallsHolding;   ///< per s_j: n_j, clipped real balls that contain it
    std::vector<std::uint32_t> insideBall;            ///< per r_i: m_i, synthetic samples in its ball
    std::vector<std::uint32_t> insideClippedBall;     ///< per r_i: synthetic samples in its clipped ball
    std::vector<std::uint32_t> syntheticBallsHolding; ///< per r_i: synthetic balls that contain it
};

/// One aggregate of one model. `id` is a metric's id in the catalogue.
struct MetricValue {
    std::string_view id;
    double value = 0.0;
};

} // namespace assay
