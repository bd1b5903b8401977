#pragma once

#include "engine/base/random.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::cuda {

/// A small data set for checks: the same values on every machine.
struct CheckSet {
    std::size_t rows = 0;
    std::size_t dim = 0;
    std::vector<float> values;

    MatrixView view() const { return {values.data(), rows, dim}; }

    /// Rows of independent coordinates in (-1, 1), mean 0, standard deviation 1/3.
    static CheckSet bellShaped(std::size_t rows, std::size_t dim, std::uint64_t seed) {
        CheckSet set{rows, dim, {}};
        Random random(seed);
        for (std::size_t i = 0; i < rows * dim; ++i)
            set.values.push_back(static_cast<float>(random.bell()));
        return set;
    }
};

} // namespace assay::cuda
