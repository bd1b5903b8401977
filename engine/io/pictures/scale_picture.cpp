#include "engine/io/pictures/scale_picture.h"

#include <algorithm>

namespace assay {
namespace {

/// The pixels of a line, from `first` on, that one cell covers, and the weight of each.
struct Field {
    std::size_t first = 0;
    std::vector<double> weights; ///< sum is 1
};

std::vector<Field> fieldsOf(std::size_t pixels, std::size_t fields) {
    std::vector<Field> all(fields);
    const double width = static_cast<double>(pixels) / static_cast<double>(fields);
    for (std::size_t f = 0; f < fields; ++f) {
        // Integers decide where a cell begins and ends, so that no cell reads beyond the picture.
        const std::size_t first = f * pixels / fields;
        const std::size_t last = ((f + 1) * pixels + fields - 1) / fields;
        const double begin = static_cast<double>(f * pixels) / static_cast<double>(fields);
        const double end = static_cast<double>((f + 1) * pixels) / static_cast<double>(fields);
        all[f].first = first;
        for (std::size_t p = first; p < last; ++p)
            all[f].weights.push_back(
                (std::min(end, static_cast<double>(p + 1)) - std::max(begin, static_cast<double>(p))) / width);
    }
    return all;
}

} // namespace

std::vector<float> meanColors(const RgbPicture& picture, std::size_t width, std::size_t height) {
    const std::vector<Field> columns = fieldsOf(picture.width, width);
    const std::vector<Field> rows = fieldsOf(picture.height, height);
    std::vector<float> means;
    means.reserve(width * height * 3);
    for (const Field& row : rows)
        for (const Field& column : columns)
            for (std::size_t c = 0; c < 3; ++c) {
                double sum = 0.0;
                for (std::size_t y = 0; y < row.weights.size(); ++y) {
                    const std::size_t line = (row.first + y) * picture.width + column.first;
                    double lineSum = 0.0;
                    for (std::size_t x = 0; x < column.weights.size(); ++x)
                        lineSum += column.weights[x] * picture.pixels[(line + x) * 3 + c];
                    sum += row.weights[y] * lineSum;
                }
                means.push_back(static_cast<float>(sum));
            }
    return means;
}

} // namespace assay
