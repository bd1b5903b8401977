#include "engine/data/feature_layout.h"

namespace assay {
namespace {

/// Whether values of a column are those of the file, but for an offset and a factor.
bool keepsColumns(Scaling scaling) {
    return scaling == Scaling::None || scaling == Scaling::ZScore || scaling == Scaling::Features;
}

bool isScaled(const ValuePreparation& preparation, std::size_t column) {
    return preparation.scaling != Scaling::None && keepsColumns(preparation.scaling) &&
           column < preparation.spread.size();
}

} // namespace

FeatureLayout FeatureLayout::of(const ValuePreparation& preparation, std::size_t dim) {
    FeatureLayout layout;
    layout.numbers = dim;
    std::size_t indicators = preparation.filled.size();
    for (const CategoryColumn& column : preparation.categories)
        indicators += column.categories.size() + 1;
    // L2 divides whole rows, which leaves the zeros where they are.
    if (indicators > dim || !(keepsColumns(preparation.scaling) || preparation.scaling == Scaling::L2))
        return layout;
    layout.numbers = dim - indicators;
    std::size_t next = layout.numbers;
    for (std::size_t c = 0; c < preparation.categories.size(); ++c) {
        layout.texts.push_back({c, next, preparation.categories[c].categories.size() + 1});
        next += layout.texts.back().count;
    }
    for (const MissingColumn& column : preparation.filled)
        layout.gaps.push_back({column.column, next++});
    return layout;
}

const FeatureLayout::Text* FeatureLayout::textAt(std::size_t column) const noexcept {
    for (const Text& text : texts)
        if (column >= text.first && column < text.first + text.count)
            return &text;
    return nullptr;
}

const FeatureLayout::Gap* FeatureLayout::gapAt(std::size_t column) const noexcept {
    for (const Gap& gap : gaps)
        if (gap.indicator == column)
            return &gap;
    return nullptr;
}

std::size_t FeatureLayout::sourceOf(std::size_t column) const noexcept {
    if (const Text* text = textAt(column))
        return text->first;
    const Gap* gap = gapAt(column);
    return gap != nullptr ? gap->of : column;
}

std::size_t categoryOf(const ValuePreparation& preparation, const FeatureLayout::Text& text,
                       std::span<const float> row) {
    std::size_t at = text.count - 1;
    double largest = 0.0;
    for (std::size_t c = 0; c < text.count; ++c) {
        const double value = inFile(preparation, text.first + c, static_cast<double>(row[text.first + c]));
        if (value > largest) {
            largest = value;
            at = c;
        }
    }
    return at;
}

double inFile(const ValuePreparation& preparation, std::size_t column, double value) {
    if (!keepsColumns(preparation.scaling))
        return value;
    if (isScaled(preparation, column))
        value = value * preparation.spread[column] + preparation.mean[column];
    return column < preparation.offset.size() ? value + preparation.offset[column] : value;
}

double differenceInFile(const ValuePreparation& preparation, std::size_t column, double difference) {
    return isScaled(preparation, column) ? difference * preparation.spread[column] : difference;
}

} // namespace assay
