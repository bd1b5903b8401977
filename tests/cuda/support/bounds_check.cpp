#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/device_buffer.h"
#include "engine/gpu/search/plan.h"
#include "engine/math/products/kernels.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/device_checks.h"
#include "tests/cuda/support/prepared_row.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace assay::cuda::test {
namespace {

// Rows of more than one tile and sampled rows of more than one, neither filling the last one; columns that are padded.
constexpr std::uint32_t kRows = 300;
constexpr std::uint32_t kSamples = 290;
constexpr std::uint32_t kDim = 37;
constexpr std::uint32_t kNeighbors = 5;
constexpr std::uint32_t kPaddedRows = 2 * kTileEdge;

/// The memory of a pass within one set of one block.
PassMemory memoryAt(std::byte* base, Precision precision) {
    const PassShape shape{
        .rowsX = kRows, .dim = kDim, .kX = kNeighbors, .ballsX = true, .innerBallsX = true, .precision = precision};
    return PassMemory::carve(shape,
                             {.blockRows = kPaddedRows,
                              .slotsX = 1,
                              .capacity = 1,
                              .sampleRows = kSamples,
                              .reachRows = kPaddedRows,
                              .productValues = std::size_t{kPaddedRows} * kPaddedRows},
                             base);
}

template <typename T>
std::vector<T> downloaded(Device& device, const T* from, std::size_t count) {
    std::vector<T> values(count);
    device.download(values.data(), from, count * sizeof(T));
    return values;
}

/// Magnitudes from 1e-6 to 1e3 about a common offset.
Matrix rowsOfManyMagnitudes() {
    Matrix set = scaled(gaussian(kRows, kDim, 3), 0.3F);
    for (std::size_t i = 0; i < set.values.size(); ++i)
        set.values[i] = set.values[i] * std::pow(10.0F, static_cast<float>(i / kDim % 10) - 6.0F) + 2.0F;
    return set;
}

class BoundsCheck {
public:
    BoundsCheck(Device& device, Precision precision)
        : device_(device), precision_(precision), set_(rowsOfManyMagnitudes()),
          frame_(Frame::of(set_.view(), {set_.view()}, 1, {})), buffer_(device, memoryAt(nullptr, precision).bytes),
          memory_(memoryAt(buffer_.base(), precision)) {
        upload(memory_.centre, frame_.centre);
        for (std::size_t r = 0; r < kRows; ++r)
            expected_.push_back(PreparedRow::of(set_.view().row(r), frame_, precision));
    }

    void preparedRows() {
        const SetPlace& place = memory_.placeX;
        PrepareJob job;
        job.rows = place.rows;
        job.count = kRows;
        job.padded = kPaddedRows;
        job.dim = kDim;
        job.paddedDim = static_cast<std::uint32_t>(paddedColumns(kDim));
        job.centre = memory_.centre;
        job.scale = static_cast<double>(frame_.scale);
        job.precision = precision_;
        job.operand = place.operand;
        job.terms = memory_.x.terms;
        device_.load(0, set_.values.data(), place.rows, job);
        job.rows = place.sampleRows;
        job.count = kSamples;
        job.operand = place.sample.operand;
        job.terms = place.sample.terms;
        device_.load(1, set_.values.data(), place.sampleRows, job);
        device_.waitForSlots(0, 1);
        const std::size_t rowBytes = paddedColumns(kDim) * valueBytes(precision_);
        const std::vector<std::byte> operand = downloaded(device_, place.operand, kRows * rowBytes);
        const RowTermArrays& terms = memory_.x.terms;
        const std::vector<float> step = downloaded(device_, terms.step, kRows);
        const std::vector<float> term = downloaded(device_, terms.term, kRows);
        const std::vector<float> slack = downloaded(device_, terms.slack, kRows);
        const std::vector<float> residual = downloaded(device_, terms.residual, kRows);
        for (std::size_t r = 0; r < kRows; ++r) {
            const PreparedRow& row = expected_[r];
            CHECK_ABOUT(
                std::equal(row.operand.begin(), row.operand.end(), operand.begin() + std::ptrdiff_t(r * rowBytes)),
                about(r));
            CHECK_ABOUT(step[r] == row.step && term[r] == row.terms.term, about(r));
            CHECK_ABOUT(slack[r] == row.terms.slack && residual[r] == row.residual, about(r));
        }
    }

    void balls() {
        std::vector<double> radius;
        for (std::size_t r = 0; r < kRows; ++r)
            radius.push_back(std::pow(10.0, static_cast<double>(r % 80) - 40.0));
        radius[1] = 0.0;
        radius[2] = -1.0;
        radius[4] = std::numeric_limits<double>::infinity();
        std::vector<double> inner = radius;
        for (std::size_t r = 0; r < kRows; r += 3)
            inner[r] = std::min(radius[r], 1e-3);
        upload(memory_.x.radius, radius);
        upload(memory_.x.innerRadius, inner);
        const auto scale = static_cast<double>(frame_.scale);
        device_.setBallBounds(memory_.x, scale);
        const std::vector<float> reach = downloaded(device_, memory_.x.ballReach, kRows);
        const std::vector<float> sure = downloaded(device_, memory_.x.ballSure, kRows);
        for (std::size_t r = 0; r < kRows; ++r)
            CHECK_ABOUT(reach[r] == reachOfDistance(radius[r], scale) && sure[r] == sureReach(inner[r], scale),
                        about(r));
    }

    /// Products, and the reaches that follow from them.
    void sampledReaches() {
        ReachJob job;
        job.x = memory_.x;
        job.a = {memory_.placeX.rows, memory_.placeX.operand, 0, kRows};
        job.end = kRows;
        job.sample = memory_.placeX.sample;
        job.paddedDim = static_cast<std::uint32_t>(paddedColumns(kDim));
        job.precision = precision_;
        job.sameSet = true;
        job.bounds = memory_.products;
        std::vector<std::uint32_t> index(kSamples);
        std::iota(index.begin(), index.end(), 0U);
        upload(job.sample.index, index);
        device_.fill(memory_.x.reach, kFarByte, kRows * sizeof(float));
        device_.lowerReaches(job);
        const std::vector<float> bounds =
            downloaded(device_, static_cast<const float*>(memory_.products), std::size_t{kRows} * kPaddedRows);
        const std::vector<float> reaches = downloaded(device_, memory_.x.reach, kRows);
        for (std::size_t r = 0; r < kRows; ++r) {
            const auto first = bounds.begin() + static_cast<std::ptrdiff_t>(r * kPaddedRows);
            std::vector<float> row(first, first + kSamples);
            for (std::size_t s = 0; s < kSamples; ++s)
                CHECK_ABOUT(isBound(r, s, static_cast<double>(row[s])),
                            about(r) + ", sampled row " + std::to_string(s));
            std::nth_element(row.begin(), row.begin() + (kNeighbors - 1), row.end());
            CHECK_ABOUT(reaches[r] == row[kNeighbors - 1], about(r));
        }
    }

    void longestList() {
        std::vector<std::uint32_t> counts(kRows);
        for (std::uint32_t r = 0; r < kRows; ++r)
            counts[r] = r * 7 % 293;
        counts[kRows - 1] = 1000;
        upload(memory_.x.count, counts);
        CHECK(device_.longestList(memory_.x, memory_.report) == 1000);
    }

private:
    template <typename T>
    void upload(T* to, const std::vector<T>& values) {
        device_.upload(to, values.data(), values.size() * sizeof(T));
    }

    std::string about(std::size_t row) const {
        return (precision_ == Precision::Integer ? "integers, row " : "floats, row ") + std::to_string(row);
    }

    /// Whether an upper bound of a distance is one, and no larger than the error of the product explains.
    bool isBound(std::size_t r, std::size_t s, double bound) const {
        if (r == s)
            return std::isinf(bound);
        const MatrixView set = set_.view();
        const double distance = std::sqrt(kernels().squaredDistance(set.rowData(r), set.rowData(s), kDim)) *
                                static_cast<double>(frame_.scale);
        const PreparedRow& x = expected_[r];
        const PreparedRow& y = expected_[s];
        double represented = 0.0;
        for (std::size_t c = 0; c < kDim; ++c) {
            const double apart = x.at(c, precision_) - y.at(c, precision_);
            represented += apart * apart;
        }
        const auto sum = [](float a, float b) { return static_cast<double>(a) + static_cast<double>(b); };
        const double most = (std::sqrt(represented + sum(x.terms.slack, y.terms.slack)) + sum(x.residual, y.residual)) *
                            (1.0 + 0x1p-18);
        return bound >= distance * (1.0 - 1e-12) && bound <= most;
    }

    Device& device_;
    Precision precision_;
    Matrix set_;
    Frame frame_;
    std::vector<PreparedRow> expected_;
    DeviceBuffer buffer_;
    PassMemory memory_;
};

} // namespace

void checkBounds(Device& device) {
    for (const Precision precision : {Precision::Integer, Precision::Single}) {
        BoundsCheck check(device, precision);
        check.preparedRows();
        check.balls();
        check.sampledReaches();
        check.longestList();
    }
}

} // namespace assay::cuda::test
