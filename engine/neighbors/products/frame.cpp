#include "engine/neighbors/products/frame.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace assay {
namespace {

constexpr std::size_t kValuesPerTask = std::size_t{1} << 20;

float largestMagnitude(std::span<const float> values) {
    // Sixteen maxima, so that the order of comparisons leaves room for vectors.
    constexpr std::size_t kLanes = 16;
    float most[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= values.size(); i += kLanes)
        for (std::size_t l = 0; l < kLanes; ++l)
            most[l] = std::max(most[l], std::abs(values[i + l]));
    for (; i < values.size(); ++i)
        most[0] = std::max(most[0], std::abs(values[i]));
    return *std::max_element(most, most + kLanes);
}

/// Mean of up to 512 evenly spaced rows.
std::vector<double> roughMean(MatrixView set) {
    constexpr std::size_t kRows = 512;
    const std::size_t used = std::min(kRows, set.rows);
    std::vector<double> mean(set.dim, 0.0);
    for (std::size_t r = 0; r < used; ++r) {
        const float* row = set.rowData(r * set.rows / used);
        for (std::size_t c = 0; c < set.dim; ++c)
            mean[c] += static_cast<double>(row[c]);
    }
    for (double& m : mean)
        m /= static_cast<double>(std::max<std::size_t>(used, 1));
    return mean;
}

} // namespace

float largestMagnitude(MatrixView set, unsigned threads, const JobContext& job) {
    if (set.largest >= 0.0F)
        return set.largest;
    const std::size_t values = set.rows * set.dim;
    std::vector<float> largest((values + kValuesPerTask - 1) / kValuesPerTask, 0.0F);
    parallelFor(largest.size(), threads, job, [&](std::size_t t, unsigned) {
        const std::size_t first = t * kValuesPerTask;
        largest[t] = largestMagnitude({set.data + first, std::min(kValuesPerTask, values - first)});
    });
    return largest.empty() ? 0.0F : *std::max_element(largest.begin(), largest.end());
}

Frame Frame::of(MatrixView base, std::initializer_list<MatrixView> sets, unsigned threads, const JobContext& job) {
    Frame frame;
    double largest = 0.0;
    double done = 0.0;
    const double step = 1.0 / static_cast<double>(sets.size());
    for (const MatrixView& set : sets) {
        job.checkpoint(done);
        largest =
            std::max(largest, static_cast<double>(largestMagnitude(set, threads, job.part({}, done, done + step))));
        done += step;
    }
    if (largest > 0.0) {
        int exponent = 0;
        std::frexp(2.0 * largest, &exponent); // a coordinate minus a mean of coordinates is at most twice the largest
        frame.scale = static_cast<float>(std::ldexp(1.0, std::clamp(-exponent, -140, 126)));
    }
    for (const double mean : roughMean(base))
        frame.centre.push_back(static_cast<float>(mean * static_cast<double>(frame.scale)));
    return frame;
}

} // namespace assay
