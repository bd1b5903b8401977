#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/value_reading.h"

#include <functional>
#include <string>

namespace assay {

/// The user's choices for a ValuePreparation; its other members are fitted on the real set.
struct PreparationChoice {
    Scaling scaling = Scaling::None;
    bool dropsNotFinite = false;
    bool oneHot = false;
};

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
/// and notes rows that differ in the file but are equal now. Does not scale.
/// @throws Error{BadInput} for a set of another kind, or with another number of columns; Cancelled
void finishReading(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place,
                   const ComputeContext& context);

/// Scales the held rows as fitted.
/// @throws Error{BadInput} for another number of columns than the real set has, or, with Scaling::L2, for a row of
///         zeros
void scale(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place,
           const ComputeContext& context);

} // namespace assay
