#pragma once

#include "engine/data/preparation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay {

/// Where the columns of a file lie in the embedding that was made of them: first numbers and dates, then the 0-1
/// columns of each text column, then the 0-1 columns of missing values.
struct FeatureLayout {
    /// A text column: one 0-1 column for each of its categories, and one for all other texts.
    struct Text {
        std::size_t source = 0; ///< index into ValuePreparation::categories
        std::size_t first = 0;  ///< its first column of the embedding
        std::size_t count = 0;  ///< its columns: number of categories + 1
    };
    /// A 0-1 column that is 1 where a number is missing.
    struct Gap {
        std::size_t of = 0;        ///< column of the embedding with the number, or the median in its place
        std::size_t indicator = 0; ///< the 0-1 column
    };

    std::size_t numbers = 0; ///< columns [0, numbers) of the embedding are numbers and dates
    std::vector<Text> texts;
    std::vector<Gap> gaps;

    /// All columns are numbers where a scaling mixes them (principal components).
    /// @param dim columns of the embedding
    static FeatureLayout of(const ValuePreparation& preparation, std::size_t dim);

    /// The text column that a column of the embedding belongs to; null for others. O(text columns).
    const Text* textAt(std::size_t column) const noexcept;
    /// The gap whose 0-1 column this is; null for others. O(gaps).
    const Gap* gapAt(std::size_t column) const noexcept;
    /// Column of the embedding that stands for the whole column of the file: equal for all that come from the same one.
    std::size_t sourceOf(std::size_t column) const noexcept;
};

/// Index of a row's text among the categories of its column; the number of categories for another text.
/// @param row of the embedding
std::size_t categoryOf(const ValuePreparation& preparation, const FeatureLayout::Text& text,
                       std::span<const float> row);

/// A value of the embedding in the unit of the file, where columns were only shifted and scaled; else the value.
double inFile(const ValuePreparation& preparation, std::size_t column, double value);
/// A difference of two such values.
double differenceInFile(const ValuePreparation& preparation, std::size_t column, double difference);

} // namespace assay
