#include "engine/report/scores/sample_comparison.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/feature_layout.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/tables/table_fields.h"
#include "engine/metrics/catalog/catalog.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr std::size_t kEstimateRows = 256;
constexpr double kRounding = 5e-7; // a few units in the last place of a float32

double distanceBetween(std::span<const float> a, std::span<const float> b) {
    if (a.empty() || a.size() != b.size())
        return std::numeric_limits<double>::quiet_NaN();
    double sum = 0.0;
    for (std::size_t c = 0; c < a.size(); ++c) {
        const double difference = static_cast<double>(a[c]) - static_cast<double>(b[c]);
        sum += difference * difference;
    }
    return std::sqrt(sum);
}

/// 0 for no difference; infinite, with its sign, for a difference in a constant feature.
double inDeviations(double difference, double deviation) {
    if (difference == 0.0)
        return 0.0;
    return deviation > 0.0 ? difference / deviation
                           : std::copysign(std::numeric_limits<double>::infinity(), difference);
}

FeatureStandards estimatedStandards(const EmbeddingSet& real) {
    const RowRange held = real.held();
    const std::size_t rows = std::min(held.count, kEstimateRows);
    FeatureStandards standards{std::vector<double>(real.dim(), 0.0), std::vector<double>(real.dim(), 0.0)};
    const auto forEachRow = [&](auto visit) {
        for (std::size_t i = 0; i < rows; ++i) {
            const std::span<const float> values = real.matrix().row(i * held.count / rows);
            for (std::size_t c = 0; c < values.size(); ++c)
                visit(c, static_cast<double>(values[c]));
        }
    };
    const auto n = static_cast<double>(std::max<std::size_t>(rows, 1));
    forEachRow([&](std::size_t c, double value) { standards.mean[c] += value / n; });
    forEachRow([&](std::size_t c, double value) {
        standards.deviation[c] += (value - standards.mean[c]) * (value - standards.mean[c]) / n;
    });
    for (double& deviation : standards.deviation)
        deviation = std::sqrt(deviation);
    return standards;
}

/// The columns of two rows.
class RowContrasts {
public:
    RowContrasts(const EmbeddingSet& real, const FeatureStandards& standards, std::span<const float> a,
                 std::span<const float> b)
        : preparation_(*real.preparation()), layout_(FeatureLayout::of(preparation_, real.dim())),
          standards_(standards), a_(a), b_(b) {}

    std::vector<FeatureContrast> all() const {
        std::vector<FeatureContrast> contrasts;
        contrasts.reserve(layout_.numbers + layout_.texts.size());
        for (std::size_t c = 0; c < layout_.numbers; ++c)
            contrasts.push_back(ofNumber(c));
        for (const FeatureLayout::Text& text : layout_.texts)
            contrasts.push_back(ofText(text));
        for (const FeatureLayout::Gap& gap : layout_.gaps)
            addGap(contrasts[gap.of], gap.indicator);
        if (keepsDays())
            for (const DateColumn& date : preparation_.dates)
                if (const std::size_t column = columnOf(date); column < layout_.numbers)
                    addDate(contrasts[column], date);
        return contrasts;
    }

private:
    /// Whether dates can be told from the embedding.
    bool keepsDays() const { return preparation_.scaling == Scaling::None || preparation_.scaling == Scaling::ZScore; }

    /// A value in the unit of the file; a whole number where only float32's rounding made it another.
    double valueOf(std::size_t column, float value) const {
        const double found = inFile(preparation_, column, static_cast<double>(value));
        const double whole = std::round(found);
        const bool isScaled = column < preparation_.spread.size() && column < preparation_.mean.size();
        const double scale = isScaled ? std::abs(preparation_.mean[column]) + preparation_.spread[column] : 0.0;
        return std::abs(found - whole) <= kRounding * (scale + std::abs(found)) ? whole : found;
    }

    FeatureContrast ofNumber(std::size_t c) const {
        FeatureContrast contrast;
        contrast.feature = static_cast<std::uint32_t>(c);
        contrast.first = valueOf(c, a_[c]);
        contrast.second = valueOf(c, b_[c]);
        contrast.difference =
            inDeviations(static_cast<double>(a_[c]) - static_cast<double>(b_[c]), standards_.deviation[c]);
        return contrast;
    }

    std::string textOf(const FeatureLayout::Text& text, std::span<const float> row) const {
        const std::vector<std::string>& categories = preparation_.categories[text.source].categories;
        const std::size_t at = categoryOf(preparation_, text, row);
        if (at == categories.size())
            return "(invented)";
        return categories[at].empty() ? "(empty)" : categories[at];
    }

    FeatureContrast ofText(const FeatureLayout::Text& text) const {
        const CategoryColumn& column = preparation_.categories[text.source];
        FeatureContrast contrast;
        contrast.feature = static_cast<std::uint32_t>(text.first);
        contrast.column =
            column.name.empty() ? "column " + std::to_string(column.column + 1) : utf8OrEscaped(column.name);
        contrast.firstText = textOf(text, a_);
        contrast.secondText = textOf(text, b_);
        contrast.difference = distanceBetween(a_.subspan(text.first, text.count), b_.subspan(text.first, text.count));
        contrast.hasDirection = false;
        return contrast;
    }

    /// The median stands in the place of a missing value, so that the difference from it means nothing.
    void addGap(FeatureContrast& contrast, std::size_t indicator) const {
        const bool first = a_[indicator] > 0.0F;
        const bool second = b_[indicator] > 0.0F;
        if (!first && !second)
            return;
        if (first)
            contrast.firstText = "(missing)";
        if (second)
            contrast.secondText = "(missing)";
        contrast.difference = first == second ? 0.0 : 1.0;
        contrast.hasDirection = false;
    }

    /// Column of the embedding of a date: numbers and dates keep their order, texts come after them.
    std::size_t columnOf(const DateColumn& date) const {
        const auto isBefore = [&](const CategoryColumn& text) { return text.column < date.column; };
        return date.column - static_cast<std::size_t>(std::ranges::count_if(preparation_.categories, isBefore));
    }

    void addDate(FeatureContrast& contrast, const DateColumn& date) const {
        const auto inWords = [&](double days) {
            constexpr double kMinutes = 1'440.0; // float32 does not keep smaller parts of a day
            return dateText(std::round((date.earliest + days) * kMinutes) / kMinutes);
        };
        if (contrast.firstText.empty())
            contrast.firstText = inWords(contrast.first);
        if (contrast.secondText.empty())
            contrast.secondText = inWords(contrast.second);
    }

    const ValuePreparation& preparation_;
    FeatureLayout layout_;
    const FeatureStandards& standards_;
    std::span<const float> a_, b_;
};

std::vector<FeatureContrast> largestFirst(std::vector<FeatureContrast> contrasts) {
    std::ranges::stable_sort(contrasts, std::ranges::greater(),
                             [](const FeatureContrast& one) { return std::abs(one.difference); });
    return contrasts;
}

} // namespace

std::span<const float> valuesOf(const EmbeddingSet& set, std::size_t row) {
    const RowRange held = set.held();
    if (row < held.first || row >= held.first + held.count)
        return {};
    return set.matrix().row(row - held.first);
}

std::optional<OriginalTriangle> originalTriangle(const AuditResult& audit, SampleId sample) {
    if (isReal(sample.set))
        return std::nullopt;
    const ModelAudit& model = *audit.models[modelIndex(sample.set)];
    const NeighborTable& toReal = model.tables->synthetic.nearest;
    const NeighborTable& within = audit.real->neighbors;
    if (sample.row >= toReal.rows() || toReal.k == 0 || within.k == 0)
        return std::nullopt;
    OriginalTriangle triangle;
    triangle.original = {SetId::Real, toReal.indexAt(sample.row, 0)};
    triangle.sampleToOriginal = toReal.distanceAt(sample.row, 0);
    triangle.other = {SetId::Real, within.indexAt(triangle.original.row, 0)};
    triangle.originalToOther = within.distanceAt(triangle.original.row, 0);
    triangle.sampleToOther =
        distanceBetween(valuesOf(*model.set, sample.row), valuesOf(*audit.real->set, triangle.other.row));
    return triangle;
}

double FeatureStandards::score(double value, std::size_t feature) const {
    return inDeviations(value - mean[feature], deviation[feature]);
}

FeatureStandards featureStandards(const AuditResult& audit) {
    const std::size_t dim = audit.real->set->dim();
    for (const auto& model : audit.models) {
        if (model->featureDifferences.features.size() != dim)
            continue;
        FeatureStandards standards{std::vector<double>(dim), std::vector<double>(dim)};
        for (const FeatureDifference& one : model->featureDifferences.features) {
            standards.mean[one.feature] = one.realMean;
            standards.deviation[one.feature] = one.realDeviation;
        }
        return standards;
    }
    return estimatedStandards(*audit.real->set);
}

std::vector<FeatureContrast> contrastFeatures(const AuditResult& audit, const FeatureStandards& standards,
                                              SampleId first, SampleId second) {
    const std::span<const float> a = valuesOf(audit.setOf(first.set), first.row);
    const std::span<const float> b = valuesOf(audit.setOf(second.set), second.row);
    if (a.size() != b.size() || a.size() != standards.deviation.size())
        return {};
    return largestFirst(RowContrasts(*audit.real->set, standards, a, b).all());
}

std::vector<FeatureContrast> unusualFeatures(const AuditResult& audit, const FeatureStandards& standards,
                                             SampleId sample) {
    const std::span<const float> values = valuesOf(audit.setOf(sample.set), sample.row);
    if (values.size() != standards.mean.size())
        return {};
    std::vector<float> means(values.size());
    std::ranges::transform(standards.mean, means.begin(), [](double mean) { return static_cast<float>(mean); });
    return largestFirst(RowContrasts(*audit.real->set, standards, values, means).all());
}

} // namespace assay
