#include "engine/report/scores/sample_comparison.h"

#include "engine/audit/result/audit_result.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr std::size_t kEstimateRows = 256;

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

/// Undoes the steps of a preparation that shift and scale single columns.
double inFile(const ValuePreparation& preparation, std::size_t column, double value) {
    if (preparation.scaling != Scaling::None && preparation.scaling != Scaling::ZScore &&
        preparation.scaling != Scaling::Features)
        return value;
    if (preparation.scaling != Scaling::None && column < preparation.spread.size())
        value = value * preparation.spread[column] + preparation.mean[column];
    return column < preparation.offset.size() ? value + preparation.offset[column] : value;
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
    const NeighborTable& toReal = model.tables->syntheticToReal;
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
    const ValuePreparation& preparation = *audit.real->set->preparation();
    std::vector<FeatureContrast> contrasts(a.size());
    for (std::size_t c = 0; c < a.size(); ++c) {
        const auto x = static_cast<double>(a[c]);
        const auto y = static_cast<double>(b[c]);
        contrasts[c] = {static_cast<std::uint32_t>(c), inFile(preparation, c, x), inFile(preparation, c, y),
                        inDeviations(x - y, standards.deviation[c])};
    }
    std::ranges::stable_sort(contrasts, std::ranges::greater(),
                             [](const FeatureContrast& one) { return std::abs(one.difference); });
    return contrasts;
}

} // namespace assay
