#pragma once

#include "engine/metrics/features/correlations.h"
#include "engine/metrics/features/feature_differences.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

class EmbeddingSet;

/// A category of a text column, in both sets.
struct CategoryCounts {
    std::string text;          ///< as in the file; several texts that are counted together are separated by ", "
    std::size_t real = 0;      ///< number of real samples
    std::size_t synthetic = 0; ///< number of synthetic samples
    double pValue = 1.0; ///< of being absent from one side by chance, adjusted for all categories; 1 if it is in both

    bool isMissing() const noexcept { return real > 0 && synthetic == 0; }
    bool isInvented() const noexcept { return real == 0 && synthetic > 0; }
    /// Whether it is absent from one side, and by more than chance.
    bool isAbsent() const noexcept { return pValue <= 0.05; }

    bool operator==(const CategoryCounts&) const = default;
};

/// Comparison of the categories of a text column.
struct CategoryDifference {
    std::string column;        ///< name of the column of the file; empty if it has none
    std::uint32_t feature = 0; ///< the first of its 0-1 columns in the embedding
    double distance = 0.0;     ///< total variation distance, in [0, 1]
    double byChance = 0.0;     ///< expected distance of two samples of these sizes from the real distribution
    std::vector<CategoryCounts> categories; ///< in the order of the columns; then those of the synthetic set alone

    bool operator==(const CategoryDifference&) const = default;
};

/// How often values of a column are missing.
struct MissingRate {
    std::string column;        ///< name of the column of the file; empty if it has none
    std::uint32_t feature = 0; ///< a column of the embedding that belongs to it
    std::size_t real = 0;      ///< missing values
    std::size_t realRows = 0;  ///< of so many rows of the file
    std::size_t synthetic = 0;
    std::size_t syntheticRows = 0;
    double pValue = 1.0; ///< of equal rates, adjusted for all columns with missing values

    double realRate() const noexcept;
    double syntheticRate() const noexcept;
    /// Expected difference of the rates of two samples of these sizes from the real distribution.
    double byChance() const noexcept;
    bool differs() const noexcept { return pValue <= 0.05; }

    bool operator==(const MissingRate&) const = default;
};

/// Differences between two tables beyond single features.
struct TableDifferences {
    CorrelationDifferences correlations;
    std::vector<CategoryDifference> categories; ///< one per text column, largest distance - byChance first
    /// Columns in which values are missing on either side, largest difference first.
    std::vector<MissingRate> missing;
    std::string missingUnknown; ///< why rates of missing values are not known, a sentence; empty where they are

    bool operator==(const TableDifferences&) const = default;
};

/// Compares correlations, categories and missing values of two sets.
///
/// The total variation distance is half the sum of |p - q| over all categories; by chance each term is on average
/// sqrt(2 / pi p (1 - p) (1 / n + 1 / m)). A category of a real and no synthetic samples is absent by chance with the
/// probability that a random split of n + m samples puts all a into the real set (Fisher's exact test), and likewise on
/// the other side. Rates of missing values are compared by the pooled z-test. All p-values are adjusted by Benjamini
/// and Hochberg among their own kind.
/// @param features of both sets, by which features are chosen where there are many @throws Cancelled
TableDifferences tableDifferences(const EmbeddingSet& real, const EmbeddingSet& synthetic,
                                  const FeatureDifferences& features, const ComputeContext& context);

} // namespace assay
