#pragma once

#include "engine/data/embedding_set.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// What depends on the real set alone: found once, shared by every model. N rows.
struct RealAnalysis {
    std::shared_ptr<const EmbeddingSet> set;
    std::size_t k = 5;                 ///< ball size of every metric
    NeighborTable neighbors;           ///< real-real, N x ownNeighbors() (engine/audit/run/memory_need.h)
    std::vector<double> radius;        ///< NNDr_k(r_i)
    std::vector<double> clippedRadius; ///< R_i = min(NNDr_k(r_i), medianRadius)
    double medianRadius = 0.0;         ///< mean of the middle two for an even count
    std::vector<std::uint32_t>
        clippedBallsHolding;   ///< per real sample: clipped balls of other real samples that hold it
    double entropy = 0.0;      ///< H(R) in nats
    double notAuthentic = 0.0; ///< share of real samples that would not be authentic, each left out
    double seconds = 0.0;      ///< wall time of the real-real pass
    std::string backend;       ///< "gemm", "kdtree" or "cuda"
    std::string hardware;      ///< the graphics card that it ran on; empty for the CPU
};

/// What the passes over one model's pairs found. N real, M synthetic rows.
struct PairTables {
    NeighborTable syntheticToSynthetic;               ///< M x ownNeighbors()
    NeighborTable syntheticToReal;                    ///< M x crossNeighbors()
    NeighborTable realToSynthetic;                    ///< N x crossNeighbors()
    std::vector<double> syntheticRadius;              ///< NNDs_k(s_j), M
    std::vector<std::uint32_t> ballsHolding;          ///< per s_j: real balls that hold it
    std::vector<std::uint32_t> clippedBallsHolding;   ///< n_j: clipped real balls that hold s_j
    std::vector<std::uint32_t> insideBall;            ///< m_i: synthetic samples in r_i's ball
    std::vector<std::uint32_t> insideClippedBall;     ///< per r_i: synthetic samples in its clipped ball
    std::vector<std::uint32_t> syntheticBallsHolding; ///< per r_i: synthetic balls that hold it
};

/// One aggregate of one model. `id` is a metric's id in the catalogue.
struct MetricValue {
    std::string_view id;
    double value = 0.0;
};

/// One per-sample column of one model. `id` is a column's id in the catalogue; rows are those of its side's set.
struct ColumnValues {
    std::string_view id;
    std::vector<double> values;
};

} // namespace assay
