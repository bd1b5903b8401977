#include "engine/io/preparation/prepare.h"

#include "engine/base/available_memory.h"
#include "engine/base/find_by.h"
#include "engine/data/finite.h"
#include "engine/io/files/refusal.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/preparation_steps.h"
#include "engine/math/statistics/column_moments.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace assay {
namespace {

/// From this ratio of mean to deviation on, float32 rounds values by more than 2^-12 of the column's standard
/// deviation.
constexpr double kFarFromZero = 4096.0;

/// Mean and deviation of each column; values that are missing count as the median.
ColumnMoments momentsOf(const EmbeddingParts& parts, const ValuePreparation& fitted, const ComputeContext& context) {
    if (fitted.missing != Missing::Indicate)
        return columnMoments({parts.values.data(), parts.rows, parts.dim}, context.threads, context.job);
    const std::vector<float> values = filledValues(parts, fitMissing(parts, {}, {}));
    return columnMoments({values.data(), parts.rows, parts.dim}, context.threads, context.job);
}

/// A candidate offset for each column whose values are far from 0 relative to their spread, or equal after rounding; 0
/// for the other columns.
std::vector<double> candidates(const ColumnMoments& moments) {
    std::vector<double> offset(moments.mean.size(), 0.0);
    for (std::size_t c = 0; c < offset.size(); ++c)
        if (std::abs(moments.mean[c]) >= kFarFromZero * moments.deviation[c]) // few digits keep differences exact
            offset[c] = static_cast<double>(static_cast<float>(moments.mean[c]));
    return offset;
}

/// Resets the offset to 0 for columns that are constant in the file, too, or whose values are closer to 0 than
/// estimated.
void requireGain(std::vector<double>& offset, const ColumnMoments& moments) {
    for (std::size_t c = 0; c < offset.size(); ++c)
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
    std::vector<double> offset = candidates(momentsOf(parts, fitted, context));
    spreadOverSteps(offset, fitted.window);
    if (isZero(offset))
        return;
    const std::vector<double> wanted = offset;
    const auto readLess = [&] {
        ValueReading reading = readingFor(fitted);
        reading.offset = offset;
        EmbeddingParts less = again(reading);
        dropNotFinite(less, fitted.missing == Missing::Drop, {});
        return less;
    };
    EmbeddingParts less = readLess();
    requireGain(offset, momentsOf(less, fitted, context));
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

void setColumnKind(PreparationChoice& choice, const std::string& column, std::optional<ColumnKind> kind) {
    std::erase(choice.ignoredColumns, column);
    std::erase_if(choice.columnKinds, [&](const ColumnChoice& one) { return one.name == column; });
    if (kind == ColumnKind::LeftOut)
        choice.ignoredColumns.push_back(column);
    else if (kind)
        choice.columnKinds.insert(std::ranges::lower_bound(choice.columnKinds, column, {}, &ColumnChoice::name),
                                  {column, *kind});
}

ValueReading readingFor(const PreparationChoice& choice) {
    ValueReading reading;
    if (choice.missing != Missing::Refuse)
        reading.notFinite = ValueReading::NotFinite::Kept;
    reading.text = choice.oneHot ? ValueReading::Text::Found : ValueReading::Text::Automatic;
    reading.unitesMissing = choice.missing == Missing::Indicate;
    reading.ignoredColumns = choice.ignoredColumns;
    reading.columnKinds = choice.columnKinds;
    reading.rowNumbers = choice.rowNumbers;
    return reading;
}

ValueReading readingFor(const ValuePreparation& preparation) {
    ValueReading reading = readingFor(PreparationChoice{.missing = preparation.missing,
                                                        .ignoredColumns = preparation.ignoredColumns,
                                                        .columnKinds = preparation.columnKinds,
                                                        .rowNumbers = preparation.rowNumbers});
    reading.offset = preparation.offset;
    reading.featureNames = preparation.featureNames;
    reading.clips = preparation.clips;
    reading.dates = preparation.dates;
    reading.tableRules = preparation.tableRules;
    reading.text = preparation.oneHot ? ValueReading::Text::AsKnown : ValueReading::Text::Refused;
    reading.categories = preparation.categories;
    return reading;
}

namespace {

/// Preparation as far as it is known once the real set is read.
ValuePreparation begun(EmbeddingParts& parts, const PreparationChoice& choice, const std::string& place) {
    ValuePreparation fitted;
    fitted.missing = choice.missing;
    fitted.oneHot = choice.oneHot || !parts.fileFacts.categories.empty();
    fitted.isTable = parts.fileFacts.isTable;
    const bool standardises = fitted.isTable || fitted.oneHot; // 0-1 columns mean little beside incomes
    fitted.scaling = choice.scaling.value_or(standardises ? Scaling::ZScore : Scaling::None);
    if (fitted.scaling == Scaling::None)
        fitted.scaling = scalingOfBuiltIn(parts.source);
    if (fitted.isTable && !choice.scaling && parts.dim > indicatorsOf(parts.fileFacts.categories))
        parts.source.notes.push_back(place +
                                     ": each feature less its mean and divided by its standard deviation in the "
                                     "real set, as usual for a table; the scaling 'none' takes them as they are");
    fitted.window = parts.fileFacts.window;
    fitted.clips = parts.fileFacts.clips;
    fitted.categories = parts.fileFacts.categories;
    fitted.dates = parts.fileFacts.dates;
    fitted.featureNames = featureNamesOf(parts);
    fitted.ignoredColumns = choice.ignoredColumns;
    std::ranges::copy(parts.fileFacts.leftOutTexts, std::back_inserter(fitted.ignoredColumns));
    fitted.columnKinds = choice.columnKinds;
    fitted.rowNumbers = parts.fileFacts.rowNumbers;
    fitted.tableRules = TableRules::Current;
    return fitted;
}

} // namespace

ValuePreparation fitPreparation(EmbeddingParts& parts, const PreparationChoice& choice, const Reread& again,
                                const std::string& place, const ComputeContext& context) {
    requireSaidSeries(parts, place);
    if (choice.missing != Missing::Refuse && parts.source.builtIn == kPixelEmbedding)
        refuse(place, "a table or an array for --missing " + std::string(nameOf(choice.missing)),
               "pictures, which have no missing values");
    ValuePreparation fitted = begun(parts, choice, place);
    if (parts.values.size() != parts.rows * parts.dim || parts.dim == 0) // EmbeddingSet reports it
        return fitted;
    dropNotFinite(parts, fitted.missing == Missing::Drop, place);
    const bool indicates = fitted.missing == Missing::Indicate;
    // Values used in place are not read again.
    if (fitted.scaling == Scaling::None && parts.fileFacts.rowHash.empty() && !indicates)
        return fitted;
    if (indicates) {
        fitted.filled = fitMissing(parts, choice.withMissing, place);
        requireMemory(parts.values.size() * sizeof(float), place);
    }
    const std::vector<float> filled = indicates ? filledValues(parts, fitted.filled) : std::vector<float>();
    if (const auto values = indicates ? std::span<const float>(filled) : parts.values.span();
        inspect(values, context.threads, context.job.part({}, 0.0, 0.1)).firstNotFinite < values.size()) {
        if (indicates)
            parts.values = FloatStorage(filled);
        return fitted; // EmbeddingSet reports it
    }
    fitOffset(parts, fitted, again, context.part(0.1, 0.3));
    if (indicates && !fitted.offset.empty())
        fitted.filled = fitMissing(parts, choice.withMissing, place);
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
    dropNotFinite(parts, preparation.missing == Missing::Drop, place);
    if (!preparation.offset.empty() && !parts.fileFacts.hasOffset) {
        if (preparation.offset.size() != parts.dim)
            refuse(place, std::to_string(preparation.offset.size()) + " columns, as the real set has",
                   std::to_string(parts.dim));
        requireMemory(parts.values.size() * sizeof(float), place);
        std::vector<float> less(parts.values.span().begin(), parts.values.span().end());
        for (std::size_t i = 0; i < less.size(); ++i)
            less[i] = static_cast<float>(static_cast<double>(less[i]) - preparation.offset[i % parts.dim]);
        parts.values = FloatStorage(std::move(less));
        parts.fileFacts.hasOffset = true;
    }
    if (preparation.missing == Missing::Indicate)
        fillMissing(parts, preparation.filled, place);
    noteEqualRows(parts, place, context);
}

namespace {

/// A smaller one, or one of equal values, may be symmetric by chance.
constexpr std::size_t kFewestRows = 4;
/// Of what rounding to float32, twice, may leave of two equal values.
constexpr double kTolerance = 1e-5;

bool hasRowsOfSamples(const EmbeddingParts& parts) {
    const bool hasNamesOfColumns = !parts.ids.empty() && parts.ids == parts.source.columnNames;
    return parts.images || !parts.labels.code.empty() || !parts.groups.code.empty() ||
           (!parts.ids.empty() && !hasNamesOfColumns);
}

bool isSymmetric(const EmbeddingParts& parts, const std::vector<double>& offset) {
    const std::size_t n = parts.rows;
    const float* values = parts.values.data();
    const auto value = [&](std::size_t row, std::size_t column) {
        return static_cast<double>(values[row * n + column]) + (offset.empty() ? 0.0 : offset[column]);
    };
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        largest = std::max(largest, std::abs(value(i, i)));
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < row; ++column) {
            const double a = value(row, column);
            const double b = value(column, row);
            // Written so that NaN is not symmetric.
            if (!(std::abs(a - b) <= kTolerance * (std::max(std::abs(a), std::abs(b)) + kTolerance * largest)))
                return false;
        }
    return true;
}

} // namespace

void requireSamples(const EmbeddingParts& parts, const ValueReading& reading, const std::string& place) {
    const auto values = parts.values.span();
    if (parts.rows != parts.dim || parts.rows < kFewestRows || values.size() != parts.rows * parts.dim ||
        !parts.source.builtIn.empty() || hasRowsOfSamples(parts))
        return;
    const bool hasOffset = parts.fileFacts.hasOffset && reading.offset.size() == parts.dim;
    const bool isConstant = std::ranges::all_of(values, [&](float value) { return value == values.front(); });
    if (isConstant || !isSymmetric(parts, hasOffset ? reading.offset : std::vector<double>()))
        return;
    const std::string size = std::to_string(parts.rows);
    refuse(place, "samples, one in each row",
           "a symmetric matrix of " + size + " x " + size +
               ", such as a covariance or a matrix of distances. Give the samples (embeddings) that it was computed "
               "from");
}

} // namespace assay
