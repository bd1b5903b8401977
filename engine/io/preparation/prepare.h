#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// The user's choices for a ValuePreparation; its other members are fitted on the real set.
struct PreparationChoice {
    /// Empty: features of a table are z-scored, embeddings stay as they are.
    std::optional<Scaling> scaling{};
    Missing missing = Missing::Refuse;
    /// Whether `missing` becomes Missing::Indicate where a table with named columns has missing values
    /// (completedChoice()).
    bool fillsGaps = true;
    /// Whether every column of text becomes 0-1 columns, or is refused; else those with few different texts do, and the
    /// others are left out (ValueReading::Text::Automatic).
    bool oneHot = false;
    std::vector<std::string> ignoredColumns{}; ///< as ValuePreparation::ignoredColumns
    std::vector<ColumnChoice> columnKinds{};   ///< as ValuePreparation::columnKinds

    // Columns found in the tables of all sets (completedChoice()), by name.
    std::vector<std::string> rowNumbers{};  ///< columns that number the rows
    std::vector<std::string> withMissing{}; ///< columns with missing values, for Missing::Indicate

    friend bool operator==(const PreparationChoice&, const PreparationChoice&) = default;
};

/// Says what a column of the tables holds, in place of what was said before.
/// @param kind empty: it is to be found out
void setColumnKind(PreparationChoice& choice, const std::string& column, std::optional<ColumnKind> kind);

/// Reader settings that follow from a fitted preparation, or from the user's choices alone.
ValueReading readingFor(const ValuePreparation& preparation);
ValueReading readingFor(const PreparationChoice& choice);

/// Reads the same file again with other reader settings.
using Reread = std::function<EmbeddingParts(const ValueReading&)>;

/// Fits a preparation on the real set and finishes reading that set, as finishReading() does.
/// @param parts as read with readingFor(choice)
/// @param again called when rounding to float32 would lose differences between values. That is the case for columns
///         whose mean is at least 4,096 standard deviations away from 0; for these, an offset is subtracted before
///         rounding.
/// @param place for messages
/// @throws Error{BadInput}; Cancelled; exceptions of `again`
ValuePreparation fitPreparation(EmbeddingParts& parts, const PreparationChoice& choice, const Reread& again,
                                const std::string& place, const ComputeContext& context);

/// Finishes a set that was read with readingFor(preparation): drops rows, subtracts the offset when the reader did not,
/// fills missing values, and notes rows that differ in the file but are equal now. Does not scale.
/// @throws Error{BadInput} for a set of another kind, or with another number of columns; Cancelled
void finishReading(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place,
                   const ComputeContext& context);

/// Scales the held rows as fitted.
/// @throws Error{BadInput} for another number of columns than the real set has, or, with Scaling::L2, for a row of
///         zeros
void scale(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place,
           const ComputeContext& context);

/// Refuses a symmetric matrix: a covariance, a matrix of distances or of similarities, whose rows are no samples. A
/// matrix with pictures, labels or ids of its rows is one of samples, unless the ids are the names of the columns.
/// @param parts as read from the file of the embeddings
/// @param reading with which it was read
/// @throws Error{BadInput}
void requireSamples(const EmbeddingParts& parts, const ValueReading& reading, const std::string& place);

} // namespace assay
