#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/feature_layout.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/features/feature_differences.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// Pearson's correlation of two features in both sets.
struct CorrelationDifference {
    std::uint32_t first = 0;  ///< column of the embedding, below `second`
    std::uint32_t second = 0; ///< column of the embedding
    double real = 0.0;        ///< in [-1, 1]
    double synthetic = 0.0;   ///< in [-1, 1]
    double low = 0.0;         ///< 95 % interval of difference()
    double high = 0.0;
    double byChance = 0.0; ///< expected |difference()| of two samples of these sizes from the real distribution
    double pValue = 1.0;   ///< of equal correlations, adjusted for all compared pairs

    double difference() const noexcept { return synthetic - real; }
    /// Whether the correlations differ by more than chance: at most 5 % of such pairs should be equal.
    bool differs() const noexcept { return pValue <= 0.05; }

    bool operator==(const CorrelationDifference&) const = default;
};

/// Comparison of the correlations of pairs of features.
struct CorrelationDifferences {
    static constexpr std::size_t kMaxFeatures = 512; ///< 130,816 pairs
    static constexpr std::size_t kMaxKept = 1'000;

    std::size_t realRows = 0;      ///< number of real rows compared
    std::size_t syntheticRows = 0; ///< number of synthetic rows compared
    std::size_t features = 0;      ///< number of features of which all pairs were compared
    std::size_t leftOut = 0;       ///< number of features that were not, as there were more than kMaxFeatures
    /// Number of features whose spread rests on too few rows (a category of fewer than about 20 rows, a few outliers).
    std::size_t tooRare = 0;
    std::size_t compared = 0;  ///< number of pairs
    std::size_t differing = 0; ///< number of pairs that differ by more than chance
    /// At most kMaxKept: those that differ by more than chance first, then by |difference()|, ties by columns.
    std::vector<CorrelationDifference> pairs;

    bool operator==(const CorrelationDifferences&) const = default;
};

/// Number of rows of a set that correlationDifferences() compares for so many features: all up to 20,000, fewer for
/// more than 141 features, but at least 4,000 (or all).
std::size_t correlationRows(std::size_t rows, std::size_t features) noexcept;

/// Compares the correlations of pairs of features, on correlationRows() evenly spaced rows of each set. Pairs of 0-1
/// columns of the same column of the file are left out: one excludes the other.
///
/// The variance of a correlation r of standardised x and y over n rows is that of x y - r (x^2 + y^2) / 2, divided by
/// n: true without a normal distribution, also of 0-1 columns. The test compares atanh(r), whose deviation is that of
/// r divided by 1 - r^2; its p-values are adjusted by Benjamini and Hochberg. The interval combines those of both
/// correlations (Zou). O(n f^2) for f features, by matrix products.
/// @param real n x d @param synthetic m x d
/// @param order columns of the embedding, the most relevant first; of more than kMaxFeatures the first ones are
///        compared
/// @return empty for fewer than 4 rows @throws Cancelled
/// Source: variance: Steiger and Hakstian, British Journal of Mathematical and Statistical Psychology 1982; interval:
/// Zou, Psychological Methods 2007; adjustment: Benjamini and Hochberg, JRSS B 1995.
CorrelationDifferences correlationDifferences(MatrixView real, MatrixView synthetic,
                                              std::span<const std::uint32_t> order, const FeatureLayout& layout,
                                              const ComputeContext& context);

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
