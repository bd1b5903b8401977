#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/data/matrix_view.h"
#include "engine/data/preparation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

/// Comparison of one feature's distributions in both sets.
struct FeatureDifference {
    std::uint32_t feature = 0;  ///< column of the embedding
    double distance = 0.0;      ///< Wasserstein-1 distance of the two distributions, in the embedding's unit
    double byChance = 0.0;      ///< expected distance of two samples of these sizes from the real distribution
    double realMean = 0.0;      ///< in the embedding's unit, as all values below
    double realDeviation = 0.0; ///< standard deviation with divisor N
    double syntheticMean = 0.0;
    double syntheticDeviation = 0.0; ///< with divisor M

    /// The distance in standard deviations of the real feature; infinite if the real feature is constant and the
    /// synthetic one differs.
    double relativeDistance() const noexcept;
    /// byChance in standard deviations of the real feature; 0 for a constant feature.
    double relativeByChance() const noexcept;

    bool operator==(const FeatureDifference&) const = default;
};

/// The same comparison in the unit of the file, where columns were only shifted and scaled; else as it is. Relative
/// distances stay the same.
FeatureDifference inFile(const ValuePreparation& preparation, const FeatureDifference& feature);

/// Comparison of all features.
struct FeatureDifferences {
    std::size_t realRows = 0;                ///< number of real rows compared
    std::size_t syntheticRows = 0;           ///< number of synthetic rows compared
    std::vector<FeatureDifference> features; ///< all of them, largest relative distance first, ties by column

    bool operator==(const FeatureDifferences&) const = default;
};

/// Number of rows of a set that featureDifferences() compares: all up to twenty million values, but at least ten
/// thousand (or all).
std::size_t featureRows(std::size_t rows, std::size_t dim) noexcept;

/// Compares two sets feature by feature, on evenly spaced rows of a set with more than featureRows(). The expected
/// distance by chance is sqrt(2 / pi (1 / n + 1 / m)) times the integral of sqrt(F (1 - F)), with F the real
/// feature's distribution: |F_n - F_m| of two samples is on average that, but for the normal approximation.
/// O(d n log n). The same to the last bit for any number of threads.
/// @param real n x d @param synthetic m x d @param threads 0 for every core @throws Cancelled
/// Source: Wasserstein-1 of one dimension: Vallender, Theory of Probability and its Applications 1974; its scatter: del
/// Barrio, Gine, Matran, Annals of Probability 1999.
FeatureDifferences featureDifferences(MatrixView real, MatrixView synthetic, unsigned threads, const JobContext& job);

/// Wasserstein-1 distance of two samples of one dimension. @param a ascending, not empty @param b likewise
double wassersteinDistance(const std::vector<float>& a, const std::vector<float>& b);

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
