#include "engine/math/statistics/feature_scales.h"

#include "engine/data/gather_rows.h"
#include "engine/math/statistics/column_moments.h"
#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <vector>

namespace assay {

std::vector<double> featureDeviations(MatrixView set) {
    constexpr std::size_t kRows = 10000;
    std::vector<float> some;
    if (set.rows > kRows) {
        some = evenlySpaced(set, kRows);
        set = {some.data(), kRows, set.dim};
    }
    return columnMoments(set, 1, {}).deviation;
}

FeatureScales featureScales(MatrixView set) {
    std::vector<double> deviations = featureDeviations(set);
    std::erase_if(deviations, [](double deviation) { return !(deviation > 0.0); });
    if (deviations.empty())
        return {};
    return {quantile(std::span(deviations), 0.25, QuantileRule::Lower),
            *std::max_element(deviations.begin(), deviations.end())};
}

} // namespace assay
