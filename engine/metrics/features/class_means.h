#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

/// How far a class has moved: the distance of its synthetic samples' mean from its real samples'.
struct ClassShift {
    std::uint32_t realClass = 0; ///< index into the real set's ClassLabels::names
    std::uint32_t real = 0;      ///< samples of the class
    std::uint32_t synthetic = 0; ///< likewise
    double distance = 0.0;       ///< Euclidean, in the embedding's unit
    double byChance = 0.0;       ///< root of the mean squared distance that two such samples of the real class have;
                                 ///< NaN for a single real sample

    bool operator==(const ClassShift&) const = default;
};

/// The means of the classes that both sets have.
struct ClassMeans {
    /// Between the Gaussians that fit the real and the synthetic means, each class counting once: whether the classes
    /// lie among each other as they should, whatever lies within them. NaN beyond kMostEigenvalues classes and
    /// features.
    double frechetDistance = 0.0;
    std::vector<ClassShift> classes; ///< in the order of the real set's names; two or more

    bool operator==(const ClassMeans&) const = default;
};

/// Labels match by their text. Covariances are unbiased, as those of frechetDistance. O((N + M) d); the same to the
/// last bit for any number of threads.
/// @param real whole @param synthetic whole, of the same dimension @param threads 0 for every core
/// @return nothing where fewer than two classes have samples on both sides
/// @throws Cancelled
/// Source: between-class Frechet distance of Benny, Galanti, Benaim, Wolf, IJCV 2021, but for the covariance's divisor.
std::optional<ClassMeans> compareClassMeans(const EmbeddingSet& real, const EmbeddingSet& synthetic, unsigned threads,
                                            const JobContext& job);

} // namespace assay
