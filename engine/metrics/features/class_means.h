#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

/// Distance between the mean of a class's synthetic samples and the mean of its real samples.
struct ClassShift {
    std::uint32_t realClass = 0; ///< index into the real set's ClassLabels::names
    std::uint32_t real = 0;      ///< number of real samples of the class
    std::uint32_t synthetic = 0; ///< number of synthetic samples of the class
    double distance = 0.0;       ///< Euclidean, in the embedding's unit
    double byChance = 0.0; ///< root mean squared distance of the means of two samples of these sizes from the real
                           ///< class; NaN for a single real sample

    bool operator==(const ClassShift&) const = default;
};

/// The means of the classes that both sets have.
struct ClassMeans {
    /// Frechet distance between the Gaussians fitted to the real and to the synthetic class means. It compares the
    /// arrangement of the classes and ignores the scatter within them. NaN if both the number of classes and the
    /// number of features exceed kMaxEigenvalues.
    double frechetDistance = 0.0;
    std::vector<ClassShift> classes; ///< in the order of the real set's names; two or more

    bool operator==(const ClassMeans&) const = default;
};

/// Labels match by their text. Covariances are unbiased, as those of frechetDistance. O((N + M) d); the same to the
/// last bit for any number of threads.
/// @param real whole @param synthetic whole, of the same dimension @param threads 0 for every core
/// @return empty if fewer than two classes have samples in both sets
/// @throws Cancelled
/// Source: between-class Frechet distance of Benny, Galanti, Benaim, Wolf, IJCV 2021, except for the covariance's
/// divisor.
std::optional<ClassMeans> compareClassMeans(const EmbeddingSet& real, const EmbeddingSet& synthetic, unsigned threads,
                                            const JobContext& job);

} // namespace assay
