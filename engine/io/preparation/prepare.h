#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/value_reading.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace assay {

/// What a person decides of how files are taken; the rest of a ValuePreparation follows from the real set.
struct PreparationChoice {
    Scaling scaling = Scaling::None;
    bool dropsNotFinite = false;
    bool oneHot = false;
};

/// How a file is read where that much is known of its preparation.
ValueReading readingFor(const ValuePreparation& preparation);
ValueReading readingFor(const PreparationChoice& choice);

/// Reads the file of the same name again, in another way.
using ReadAgain = std::function<EmbeddingParts(const ValueReading&)>;

/// Fits a preparation to the set that others will be compared with, and finishes reading it: see finishAsPrepared.
/// @param parts as read with readingFor(choice)
/// @param again for a file whose numbers lose their differences to rounding: from 4,096 standard deviations between
///        the values of a column and 0 on, an offset is subtracted from it before they are rounded
/// @param place for messages
/// @throws Error{BadInput}; Cancelled; as `again`
ValuePreparation fitPreparation(EmbeddingParts& parts, const PreparationChoice& choice, const ReadAgain& again,
                                const std::string& place, const ComputeContext& context);

/// What is left to do to a set that was read with readingFor(preparation): drops rows, subtracts an offset that the
/// reader did not know of, and says which rows became equal although they differ in the file. Scaling is still to come.
void finishReading(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place,
                   unsigned threads, const JobContext& job);

/// Scales the rows that are held. @throws Error{BadInput} for another number of columns, or a row without a length
void scale(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place, unsigned threads,
           const JobContext& job);

} // namespace assay
