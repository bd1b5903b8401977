// The steps of dense work on an emulated device.
#include "tests/cuda/support/emulated_device.h"

#include <algorithm>

namespace assay::cuda::test {

void EmulatedDevice::addToGram(const GramJob& job) {
    const std::size_t dim = job.dim;
    requireInside(job.rows, job.count * dim * sizeof(float));
    requireInside(job.mean, dim * sizeof(double));
    requireInside(job.parts, std::size_t{slicesOf(job.count)} * gramTiles(job.dim) * kGramTile * kGramTile * 8);
    requireInside(job.product, dim * dim * sizeof(double));
    const auto element = [&](std::size_t row, std::size_t c) {
        return gramElement(job.rows[row * dim + c], job.scale == nullptr ? 1.0 : job.scale[row], job.mean[c]);
    };
    for (std::size_t i = 0; i < dim; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            for (std::size_t first = 0; first < job.count; first += kSliceRows) {
                double sum = 0.0;
                for (std::size_t r = first; r < std::min<std::size_t>(job.count, first + kSliceRows); ++r)
                    sum = fused(element(r, i), element(r, j), sum);
                job.product[i * dim + j] += sum;
            }
}

void EmulatedDevice::moveRows(const LayoutJob& job) {
    const std::size_t rows = job.round.rows;
    requireInside(job.round.begin, (rows + 1) * sizeof(std::uint64_t));
    requireInside(job.round.neighbor, job.round.begin[rows] * sizeof(std::uint32_t));
    requireInside(job.round.weight, job.round.begin[rows] * sizeof(float));
    requireInside(job.round.from, rows * sizeof(LayoutPosition));
    requireInside(job.to, rows * sizeof(LayoutPosition));
    for (std::uint32_t row = 0; row < job.round.rows; ++row)
        job.to[row] = job.round.moved(row);
}

} // namespace assay::cuda::test
