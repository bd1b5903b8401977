#pragma once

#include "engine/base/compute_context.h"
#include "engine/metrics/set_tests/one_hot.h"
#include "engine/metrics/tables/compared_rows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay {

/// A feature that has one value in all rows of one set, and others in the other set more often than chance explains.
struct ConstantFeature {
    std::uint32_t feature = 0; ///< column of the embedding
    double value = 0.0;        ///< in the embedding's unit

    bool operator==(const ConstantFeature&) const = default;
};

/// A category whose shares differ.
struct DifferingCategory {
    OneHotColumns column{};    ///< the column of categories that it belongs to
    std::uint32_t feature = 0; ///< its 0-1 column of the embedding; feature - column.first is its number
    std::size_t real = 0;      ///< number of real rows with it, of FeatureTests::realRows
    std::size_t synthetic = 0; ///< number of synthetic rows with it, of FeatureTests::syntheticRows
    double pValue = 1.0;       ///< of equal shares (Fisher, two-sided), adjusted for all categories

    bool operator==(const DifferingCategory&) const = default;
};

/// A feature whose distributions differ.
struct DifferingFeature {
    std::uint32_t feature = 0; ///< column of the embedding
    double distance = 0.0;     ///< Kolmogorov distance, in [0.1, 1]
    double pValue = 1.0;       ///< of equal distributions, adjusted for all features
    /// Synthetic over real interquartile range, where both are above 0 and it is not in (0.67, 1.5).
    std::optional<double> widthRatio = {};
    /// Synthetic less real median in deviations of the real feature (its interquartile range / 1.349), where the widths
    /// are alike or the synthetic one is 0, and the shift is above 0.15 interquartile ranges.
    std::optional<double> shift = {};

    bool operator==(const DifferingFeature&) const = default;
};

/// Two features whose rank correlations differ.
struct DifferingPair {
    std::uint32_t first = 0;  ///< column of the embedding, below `second`
    std::uint32_t second = 0; ///< column of the embedding
    double real = 0.0;        ///< rank correlation, in [-1, 1]; ranks are those among the rows of both sets
    double synthetic = 0.0;   ///< likewise

    double gap() const noexcept { return synthetic - real; }

    bool operator==(const DifferingPair&) const = default;
};

/// Features in which two sets differ more than two samples of one law do.
struct FeatureTests {
    std::size_t realRows = 0;      ///< number of real rows compared
    std::size_t syntheticRows = 0; ///< number of synthetic rows compared
    std::size_t dim = 0;           ///< columns of the embedding

    std::vector<ConstantFeature> constantInReal{};      ///< one value in the real set, others in the model; by column
    std::vector<ConstantFeature> constantInSynthetic{}; ///< the reverse; by column
    std::vector<DifferingCategory> lostCategories{};    ///< in no synthetic row; most real rows first
    std::vector<DifferingCategory> newCategories{};     ///< in no real row; most synthetic rows first
    /// Other share, 0.1 or a factor of 1.5 apart; smallest p first, then larger difference of shares.
    std::vector<DifferingCategory> otherShares{};
    std::vector<DifferingFeature> features{}; ///< largest distance first, ties by column
    std::vector<DifferingPair> pairs{};       ///< largest gap first, ties by columns

    bool operator==(const FeatureTests&) const = default;
};

/// Tests features of two sets one by one, their categories and their pairs. All use the first featureRows() rows of
/// each set; pairs the first 2,000.
///
/// Constant: Fisher's exact p of the number of other values is at most 0.001 over the number of columns. Categories: of
/// oneHotColumns(), Fisher's exact p, Benjamini and Hochberg at 1 %. Features: neither one-hot, nor constant on both
/// sides, nor found constant above; asymptotic Kolmogorov p, Benjamini and Hochberg at 1 %, and a distance of at least
/// 0.1. Pairs: differingPairs() of the features with at least 20 distinct values other than 0 on both sides. O(n d).
/// The same to the last bit for any number of threads, and for any order of rows within the files.
/// @param real, synthetic at least one row each, of equal dimension @throws Cancelled
/// Source: Massey, Journal of the American Statistical Association 1951; Benjamini and Hochberg, JRSS B 1995.
FeatureTests testFeatures(const ComparedRows& real, const ComparedRows& synthetic, const FeatureOrigin& origin,
                          const ComputeContext& context);

/// Pairs of features whose rank correlations differ between two sets, on the first 2,000 rows of each.
///
/// Correlations are Pearson's within each set, of mean ranks among the rows of both. The difference is compared with
/// those of 200 draws of the labels "real" and "synthetic": in deviations of the pair's draws (at least a third of the
/// median deviation) it is above the mean of the draws' largest one by more than five of its deviations, and it is at
/// least 0.1. O(200 n f^2) for f features.
/// @param features columns; nothing is compared for fewer than 2 or more than 100
/// @return largest gap first, ties by columns @throws Cancelled
std::vector<DifferingPair> differingPairs(const ComparedRows& real, const ComparedRows& synthetic,
                                          std::span<const std::uint32_t> features, const ComputeContext& context);

} // namespace assay
