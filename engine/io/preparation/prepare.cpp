#include "engine/io/preparation/prepare.h"

#include "engine/data/finite.h"
#include "engine/io/files/refusal.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/preparation_steps.h"
#include "engine/math/statistics/column_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

/// From this ratio of mean to deviation on, float32 rounds values by more than 2^-12 of the column's standard
/// deviation.
constexpr double kFarFromZero = 4096.0;

MatrixView viewOf(const EmbeddingParts& parts) {
    return {parts.values.data(), parts.rows, parts.dim};
}

/// A candidate offset for each column whose values are far from 0 relative to their spread, or equal after rounding; 0
/// for the other columns.
std::vector<double> candidates(const EmbeddingParts& parts, const ComputeContext& context) {
    const ColumnMoments moments = columnMoments(viewOf(parts), context.threads, context.job);
    std::vector<double> offset(parts.dim, 0.0);
    for (std::size_t c = 0; c < parts.dim; ++c)
        if (std::abs(moments.mean[c]) >= kFarFromZero * moments.deviation[c]) // few digits keep differences exact
            offset[c] = static_cast<double>(static_cast<float>(moments.mean[c]));
    return offset;
}

/// Resets the offset to 0 for columns that are constant in the file, too, or whose values are closer to 0 than
/// estimated.
void requireGain(std::vector<double>& offset, const EmbeddingParts& less, const ComputeContext& context) {
    const ColumnMoments moments = columnMoments(viewOf(less), context.threads, context.job);
    for (std::size_t c = 0; c < less.dim; ++c)
        if (!(moments.deviation[c] > 0.0) || std::abs(offset[c]) < kFarFromZero * moments.deviation[c])
            offset[c] = 0.0;
}

/// For series, uses one offset per feature at all steps, so that the shape of the curve is preserved.
void spreadOverSteps(std::vector<double>& offset, const WindowShape& window) {
    for (std::size_t f = 0; f < window.features; ++f) {
        double one = 0.0;
        for (std::size_t c = f; c < offset.size() && one == 0.0; c += window.features)
            one = offset[c];
        for (std::size_t c = f; c < offset.size(); c += window.features)
            offset[c] = one;
    }
}

bool isZero(const std::vector<double>& offset) {
    return std::ranges::all_of(offset, [](double value) { return value == 0.0; });
}

void fitOffset(EmbeddingParts& parts, ValuePreparation& fitted, const Reread& again, const ComputeContext& context) {
    // Subtracting an offset would change the lengths of rows, by which L2 divides.
    if (parts.fileFacts.rowHash.empty() || fitted.scaling == Scaling::L2 || parts.rows == 0)
        return;
    std::vector<double> offset = candidates(parts, context);
    spreadOverSteps(offset, fitted.window);
    if (isZero(offset))
        return;
    const std::vector<double> wanted = offset;
    const auto readLess = [&] {
        ValueReading reading = readingFor(fitted);
        reading.offset = offset;
        EmbeddingParts less = again(reading);
        dropNotFinite(less, fitted.dropsNotFinite, {});
        return less;
    };
    EmbeddingParts less = readLess();
    requireGain(offset, less, context);
    spreadOverSteps(offset, fitted.window);
    if (isZero(offset))
        return;
    if (offset != wanted)
        less = readLess();
    parts.values = std::move(less.values); // keeps classes, ids and pictures, which may come from other files
    parts.fileFacts = std::move(less.fileFacts);
    fitted.offset = std::move(offset);
}

} // namespace

ValueReading readingFor(const PreparationChoice& choice) {
    ValueReading reading;
    if (choice.dropsNotFinite)
        reading.notFinite = ValueReading::NotFinite::Kept;
    if (choice.oneHot)
        reading.text = ValueReading::Text::Found;
    return reading;
}

ValueReading readingFor(const ValuePreparation& preparation) {
    ValueReading reading = readingFor(PreparationChoice{preparation.scaling, preparation.dropsNotFinite, false});
    reading.offset = preparation.offset;
    reading.featureNames = preparation.featureNames;
    reading.clips = preparation.clips;
    if (preparation.oneHot) {
        reading.text = ValueReading::Text::AsKnown;
        reading.categories = preparation.categories;
    }
    return reading;
}

ValuePreparation fitPreparation(EmbeddingParts& parts, const PreparationChoice& choice, const Reread& again,
                                const std::string& place, const ComputeContext& context) {
    ValuePreparation fitted;
    fitted.dropsNotFinite = choice.dropsNotFinite;
    fitted.oneHot = choice.oneHot;
    fitted.scaling = choice.scaling == Scaling::None ? scalingOfBuiltIn(parts.source) : choice.scaling;
    fitted.window = parts.fileFacts.window;
    fitted.clips = parts.fileFacts.clips;
    fitted.categories = parts.fileFacts.categories;
    fitted.featureNames = featureNamesOf(parts);
    if (parts.values.size() != parts.rows * parts.dim || parts.dim == 0) // EmbeddingSet reports it
        return fitted;
    dropNotFinite(parts, fitted.dropsNotFinite, place);
    // Values used in place are not read again.
    if (fitted.scaling == Scaling::None && parts.fileFacts.rowHash.empty())
        return fitted;
    if (inspect(parts.values.span(), context.threads, context.job.part({}, 0.0, 0.1)).firstNotFinite <
        parts.values.size())
        return fitted; // EmbeddingSet reports it
    fitOffset(parts, fitted, again, context.part(0.1, 0.3));
    finishReading(parts, fitted, place, context.part(0.3, 0.5));
    fitScaling(fitted, parts, place, context.part(0.5, 1.0));
    return fitted;
}

void finishReading(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place,
                   const ComputeContext& context) {
    if (parts.values.size() != parts.rows * parts.dim || parts.dim == 0)
        return;
    requireSameKind(parts, preparation, place);
    requireSameNames(parts, preparation, place);
    dropNotFinite(parts, preparation.dropsNotFinite, place);
    if (!preparation.offset.empty() && !parts.fileFacts.hasOffset) {
        if (preparation.offset.size() != parts.dim)
            refuse(place, std::to_string(preparation.offset.size()) + " columns, as the real set has",
                   std::to_string(parts.dim));
        std::vector<float> less(parts.values.span().begin(), parts.values.span().end());
        for (std::size_t i = 0; i < less.size(); ++i)
            less[i] = static_cast<float>(static_cast<double>(less[i]) - preparation.offset[i % parts.dim]);
        parts.values = FloatStorage(std::move(less));
        parts.fileFacts.hasOffset = true;
    }
    noteEqualRows(parts, place, context);
}

} // namespace assay
