#pragma once

#include "engine/data/embedding_set.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

// Simple generators of tables, from good to useless, for bench_useful.
namespace assay::bench {

/// A table with a class per row.
struct Table {
    std::vector<float> values; ///< rows x dim
    std::size_t dim = 0;
    std::vector<std::uint32_t> code; ///< per row

    std::size_t rows() const { return code.size(); }
    const float* row(std::size_t r) const { return values.data() + r * dim; }
    void append(const float* row, std::uint32_t own) {
        values.insert(values.end(), row, row + dim);
        code.push_back(own);
    }
};

std::shared_ptr<const EmbeddingSet> asSet(const Table& table, const std::string& name);

enum class Maker {
    Copula,          ///< Gaussian copula of each class: marginals and correlations of the training rows
    HalfMislabelled, ///< the same, every second label drawn at random
    Mislabelled,     ///< the same, every label drawn at random
    NearCopies,      ///< training rows with noise of 0.1 deviations
    NoisyCopies,     ///< training rows with noise of 0.5 deviations
    VeryNoisyCopies, ///< training rows with noise of 1.5 deviations
    Independent,     ///< each column of each class drawn by itself
    Collapsed,       ///< three training rows of each class with noise of 0.1 deviations
    LostClass,       ///< Copula without the last class
    PartNoise,       ///< Copula, 30 % of the rows far noise with labels at random
};
constexpr std::size_t kMakers = 10;

const char* nameOf(Maker maker);

/// As many rows as the training table.
Table made(Maker maker, const Table& training, std::mt19937& random);

/// Training rows, each feature with noise of so many of its deviations.
Table noisyCopies(const Table& training, double noise, std::mt19937& random);

} // namespace assay::bench
