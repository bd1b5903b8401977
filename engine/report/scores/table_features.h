#pragma once

#include "engine/data/sample_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

class EmbeddingSet;
struct CategoryDifference;
struct ModelAudit;

/// Name of a feature in the real set's file: "age", "job=clerk"; else its number: "feature 12".
std::string featureNameOf(const EmbeddingSet& real, std::uint32_t feature);
/// A correlation with two decimals: "0.62", never "-0.00".
std::string correlationText(double value);
/// Name of a column of text: "job", else "column 3".
std::string columnNameOf(const CategoryDifference& column);
/// "job=clerk (41)": the categories that are missing or invented by more than chance, and how many samples they have
/// on the other side; empty for none.
std::string missingCategories(const CategoryDifference& column);
std::string inventedCategories(const CategoryDifference& column);

// Results of the comparison of tables in a few sentences; the first one is the summary.

std::string featureSentence(const EmbeddingSet& real, const ModelAudit& model);
std::string correlationSentence(const EmbeddingSet& real, const ModelAudit& model);
std::string categorySentence(const ModelAudit& model);
std::string missingValueSentence(const ModelAudit& model);

/// One feature of the real set and of a model as bars: ranges of its numbers, single numbers where there are few, or
/// the categories of its column of text. Values are in the unit of the file.
struct FeatureBars {
    static constexpr std::size_t kMax = 24;
    static constexpr std::uint8_t kNone = 255; ///< bar of a row without a value

    /// One set. Index 0 of `sides` is the real one.
    struct Side {
        SetId set = SetId::Real;
        std::vector<std::uint8_t> barOfRow;
        std::vector<std::size_t> counts; ///< samples that pass the filter, per bar
        std::size_t total = 0;           ///< samples that pass the filter
        std::size_t missing = 0;         ///< of these, samples whose value is missing
    };

    std::string title;              ///< name of the feature, or of its column
    std::vector<double> edges;      ///< count() + 1, ascending; bar b is [edges[b], edges[b + 1])
    std::vector<std::string> names; ///< of bars that stand for a category each; else empty
    std::vector<double> values;     ///< of bars that stand for one number each; else empty
    std::array<Side, 2> sides;

    std::size_t count() const noexcept { return edges.empty() ? 0 : edges.size() - 1; }
    double share(std::size_t side, std::size_t bar) const;
    /// All samples of a bar, whether they pass the filter or not.
    SampleSet samplesIn(std::size_t side, std::size_t bar) const;

    /// @param set     whose samples the synthetic ones are
    /// @param feature column of the embedding; one of the 0-1 columns of a column of text stands for the whole column,
    ///                and that of missing values for whether one is missing. O(N + M).
    /// @param shown   samples that pass the filter; null: all
    /// @return no bars if the sets do not hold the feature
    static FeatureBars of(const EmbeddingSet& real, const EmbeddingSet& synthetic, SetId set, std::uint32_t feature,
                          const SampleSet* shown);
};

/// Name of the column of the file that a column of the embedding belongs to: "job" for "job=clerk".
std::string columnNameOf(const EmbeddingSet& real, std::uint32_t feature);

} // namespace assay
