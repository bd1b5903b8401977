#include "engine/audit/result/by_class.h"

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/joint_classes.h"
#include "engine/data/gather_rows.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace assay {
namespace {

/// Mean per class over the rows that have a value; for example, a sample outside every ball has no rarity.
std::vector<double> meansOf(std::span<const double> values, std::span<const std::uint32_t> places,
                            std::size_t classes) {
    std::vector<double> means(classes, 0.0);
    std::vector<std::size_t> counts(classes, 0);
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (std::isnan(values[row]) || places[row] == classes)
            continue;
        means[places[row]] += values[row];
        ++counts[places[row]];
    }
    for (std::size_t c = 0; c < means.size(); ++c)
        means[c] = counts[c] > 0 ? means[c] / static_cast<double>(counts[c]) : std::numeric_limits<double>::quiet_NaN();
    return means;
}

} // namespace

bool haveCommonClass(const EmbeddingSet& real, const EmbeddingSet& synthetic) {
    const std::vector<std::string>& others = synthetic.labels().names;
    return std::ranges::any_of(real.labels().names, [&](const std::string& name) {
        return !name.empty() && std::ranges::find(others, name) != others.end();
    });
}

std::optional<ByClass> scoresByClass(const EmbeddingSet& real, const ModelAudit& model) {
    const EmbeddingSet& synthetic = *model.set;
    if (!real.hasLabels() && !synthetic.hasLabels())
        return std::nullopt;
    const std::vector<std::string> labels = jointClasses(real, synthetic);
    const std::vector<std::uint32_t> realPlaces = classPlaces(real, labels);
    const std::vector<std::uint32_t> syntheticPlaces = classPlaces(synthetic, labels);
    const std::vector<std::uint32_t> realCounts = countsOf(realPlaces, labels.size() + 1);
    const std::vector<std::uint32_t> syntheticCounts = countsOf(syntheticPlaces, labels.size() + 1);
    ByClass result;
    result.hasCommon = haveCommonClass(real, synthetic);
    for (std::size_t c = 0; c < labels.size(); ++c) {
        ClassScores scores{labels[c], {}, {}, {}};
        if (real.hasLabels())
            scores.real = realCounts[c];
        if (synthetic.hasLabels())
            scores.synthetic = syntheticCounts[c];
        if (result.hasCommon && realCounts[c] > 0 && syntheticCounts[c] == 0)
            result.missing.push_back(labels[c]);
        result.classes.push_back(std::move(scores));
    }
    for (const ColumnValues& column : model.columns) {
        const Column* row = &columnOf(column);
        const bool ofReal = row->side == Side::Real;
        // The mean of row numbers says nothing.
        if (row->unit == Unit::Row || !(ofReal ? real : synthetic).hasLabels())
            continue;
        result.columns.push_back(column.id);
        // Of words the mean is the share of those that are not the first.
        const std::vector<double> values =
            row->unit == Unit::Word ? metrics::isNotZero(column.values) : column.values.get();
        const std::vector<double> means = meansOf(values, ofReal ? realPlaces : syntheticPlaces, labels.size());
        for (std::size_t c = 0; c < labels.size(); ++c)
            result.classes[c].means.push_back(means[c]);
    }
    return result;
}

} // namespace assay
