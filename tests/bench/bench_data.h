#pragma once

#include "engine/data/embedding_set.h"
#include "engine/math/statistics/quantile.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

// What the benchmarks share: data, clocks, and the bare product that times are set beside.
namespace assay::bench {

/// A real and a synthetic set, rows x dim each.
struct Sets {
    std::vector<float> real, synthetic;
    std::size_t rows, dim;
};

/// Independent standard normal coordinates, or (latent > 0) a random two-layer tanh map of few latent ones plus a
/// little noise. rows x dim.
std::vector<float> sample(std::size_t rows, std::size_t dim, std::size_t latent, unsigned seed);

/// Both sets, of seeds 1 and 2.
Sets makeSets(std::size_t rows, std::size_t dim, std::size_t latent);

std::shared_ptr<const EmbeddingSet> asSet(const std::vector<float>& values, const Sets& sets, const char* name);

struct Measurement {
    double seconds;
    double peakMegabytes;
};

/// Runs `work` in a child process and returns what it measured, with the child's peak resident memory.
Measurement inChild(const std::function<double()>& work);

double secondsOf(const std::function<void()>& work);

/// oneDNN's sgemm, two N x N x d products: as many multiplications as the three passes of an audit need.
double productSeconds(const Sets& sets);

} // namespace assay::bench
