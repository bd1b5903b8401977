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

void EmulatedDevice::multiply(const ProductJob& job) {
    for (const DenseVectors& of : {job.x, job.y}) {
        const bool vectors = of.layout == DenseVectors::Layout::VectorsAreRows;
        const std::size_t rows = vectors ? of.count : job.depth;
        requireInside(of.data, ((rows - 1) * of.stride + (vectors ? job.depth : of.count)) * sizeof(float));
    }
    const std::size_t values = std::size_t{job.x.count} * job.y.count;
    if (job.after == ProductJob::Epilogue::MaskByActivation)
        requireInside(job.activation, values * sizeof(float));
    const std::uint32_t slice = job.slice == 0 ? job.depth : job.slice;
    for (std::uint32_t part = 0; part < job.parts(); ++part) {
        float* product = job.product + part * job.partStride;
        requireInside(product, values * sizeof(float));
        for (std::uint32_t i = 0; i < job.x.count; ++i)
            for (std::uint32_t j = 0; j < job.y.count; ++j) {
                float sum = 0.0F;
                for (std::uint32_t k = part * slice; k < std::min(job.depth, (part + 1) * slice); ++k)
                    sum = fused(job.x.at(i, k), job.y.at(j, k), sum);
                const std::size_t place = std::size_t{i} * job.y.count + j;
                product[place] = withEpilogue(job, place, sum);
            }
    }
}

void EmulatedDevice::computeLosses(const LossJob& job) {
    requireInside(job.images, std::size_t{job.rows} * job.dim * sizeof(float));
    requireInside(job.heldBack, job.rows);
    requireInside(job.squared, job.rows * sizeof(double));
    for (std::size_t r = 0; r < job.rows; ++r) {
        double squared = 0.0;
        for (std::size_t c = 0; c < job.dim; ++c) {
            float& image = job.images[r * job.dim + c];
            const float difference = image - 1.0F;
            squared += static_cast<double>(difference) * static_cast<double>(difference);
            image = job.heldBack[r] != 0 ? 0.0F : difference * job.scale;
        }
        job.squared[r] = squared;
    }
}

void EmulatedDevice::sumParts(const PartsJob& job) {
    requireInside(job.parts, job.number * job.count * sizeof(float));
    requireInside(job.sum, job.count * sizeof(float));
    for (std::size_t part = 0; part < job.number; ++part)
        for (std::size_t i = 0; i < job.count; ++i)
            job.sum[i] += job.parts[part * job.count + i];
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
