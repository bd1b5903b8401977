#include "engine/math/statistics/feature_scales.h"

#include "engine/data/evenly_spaced.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay {

std::vector<double> featureDeviations(MatrixView set) {
    constexpr std::size_t kRows = 10000;
    std::vector<float> some;
    if (set.rows > kRows) {
        some = evenlySpaced(set, kRows);
        set = {some.data(), kRows, set.dim};
    }
    const auto rows = static_cast<double>(set.rows);
    std::vector<double> mean(set.dim, 0.0);
    for (std::size_t r = 0; r < set.rows; ++r)
        for (std::size_t c = 0; c < set.dim; ++c)
            mean[c] += static_cast<double>(set.rowData(r)[c]) / rows;
    std::vector<double> deviations(set.dim, 0.0);
    for (std::size_t r = 0; r < set.rows; ++r)
        for (std::size_t c = 0; c < set.dim; ++c) {
            const double from = static_cast<double>(set.rowData(r)[c]) - mean[c];
            deviations[c] += from * from / rows;
        }
    for (double& deviation : deviations)
        deviation = std::sqrt(deviation);
    return deviations;
}

FeatureScales featureScales(MatrixView set) {
    std::vector<double> deviations = featureDeviations(set);
    std::erase_if(deviations, [](double deviation) { return !(deviation > 0.0); });
    if (deviations.empty())
        return {};
    const auto quarter = deviations.begin() + static_cast<std::ptrdiff_t>((deviations.size() - 1) / 4);
    std::nth_element(deviations.begin(), quarter, deviations.end());
    return {*quarter, *std::max_element(deviations.begin(), deviations.end())};
}

} // namespace assay
