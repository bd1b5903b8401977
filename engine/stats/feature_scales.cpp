#include "engine/stats/feature_scales.h"

#include "engine/data/evenly_spaced.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay {

FeatureScales featureScales(MatrixView set) {
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
    std::vector<double> squares(set.dim, 0.0);
    for (std::size_t r = 0; r < set.rows; ++r)
        for (std::size_t c = 0; c < set.dim; ++c) {
            const double from = static_cast<double>(set.rowData(r)[c]) - mean[c];
            squares[c] += from * from / rows;
        }
    std::erase_if(squares, [](double square) { return !(square > 0.0); });
    if (squares.empty())
        return {};
    const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
    std::nth_element(squares.begin(), middle, squares.end());
    return {std::sqrt(*middle), std::sqrt(*std::max_element(squares.begin(), squares.end()))};
}

} // namespace assay
