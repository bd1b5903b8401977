#include "engine/gpu/check/bounds_check.h"

#include "engine/base/number_text.h"
#include "engine/gpu/check/check_set.h"
#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/carver.h"
#include "engine/gpu/device/device_buffer.h"
#include "engine/gpu/device/measure.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/products/frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace assay::cuda {
namespace {

// Rows of more than one tile and sampled rows of more than one, neither filling the last one; columns that are padded.
constexpr std::uint32_t kRows = 300;
constexpr std::uint32_t kSamples = 290;
constexpr std::uint32_t kDim = 37;
constexpr std::uint32_t kNeighbors = 5;
constexpr std::uint32_t kPaddedRows = 2 * kTileEdge;

/// The device's memory of the check.
struct BoundsMemory {
    SetState set;
    float* rows;
    std::uint16_t* rounded;
    float* sampleRows;
    std::uint16_t* sample;
    std::uint32_t* sampleIndex;
    float* sampleTerm;
    float* sampleSlack;
    float* sampleResidual;
    float* centre;
    float* bounds;
    double* radius;
    double* innerRadius;
    Report* report;
    std::size_t bytes;

    static BoundsMemory carve(std::byte* base) {
        Carver carver(base);
        BoundsMemory memory{};
        const std::size_t padded = paddedColumns(kDim);
        memory.rows = carver.take<float>(std::size_t{kRows} * kDim);
        memory.rounded = carver.take<std::uint16_t>(kPaddedRows * padded);
        memory.sampleRows = carver.take<float>(std::size_t{kSamples} * kDim);
        memory.sample = carver.take<std::uint16_t>(kPaddedRows * padded);
        memory.sampleIndex = carver.take<std::uint32_t>(kSamples);
        memory.sampleTerm = carver.take<float>(kSamples);
        memory.sampleSlack = carver.take<float>(kSamples);
        memory.sampleResidual = carver.take<float>(kSamples);
        memory.centre = carver.take<float>(kDim);
        memory.bounds = carver.take<float>(std::size_t{kPaddedRows} * kPaddedRows);
        memory.radius = carver.take<double>(kRows);
        memory.innerRadius = carver.take<double>(kRows);
        memory.report = carver.take<Report>(1);
        SetState& set = memory.set;
        set.rows = kRows;
        set.k = kNeighbors;
        set.term = carver.take<float>(kRows);
        set.slack = carver.take<float>(kRows);
        set.residual = carver.take<float>(kRows);
        set.reach = carver.take<float>(kRows);
        set.count = carver.take<std::uint32_t>(kRows);
        set.ballReach = carver.take<float>(kRows);
        set.ballSure = carver.take<float>(kRows);
        set.radius = memory.radius;
        set.innerRadius = memory.innerRadius;
        memory.bytes = carver.used();
        return memory;
    }
};

template <typename T>
std::vector<T> downloaded(Device& device, const T* from, std::size_t count) {
    std::vector<T> values(count);
    device.download(values.data(), from, count * sizeof(T));
    return values;
}

/// @param what the values are of
template <typename T>
std::string valueDifference(const char* what, const std::vector<T>& found, const std::vector<T>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (found[i] != expected[i])
            return std::string(what) + " " + std::to_string(i) + ": expected " +
                   numberText(static_cast<double>(expected[i])) + ", found " +
                   numberText(static_cast<double>(found[i]));
    return {};
}

/// A row rounded on the CPU. Sums are those of a warp: a lane takes every 32nd column, then pairs of lanes are added.
struct RoundedRow {
    std::vector<std::uint16_t> values; ///< padded columns
    RowTerms terms;

    static RoundedRow of(MatrixView set, std::size_t row, const Frame& frame) {
        const std::size_t padded = paddedColumns(set.dim);
        RoundedRow result{std::vector<std::uint16_t>(padded), {}};
        std::array<double, kLanes> norm{};
        std::array<double, kLanes> residual{};
        for (std::size_t c = 0; c < set.dim; ++c) {
            const double value = centred(set.rowData(row)[c], static_cast<double>(frame.scale), frame.centre[c]);
            result.values[c] = toBfloat16(static_cast<float>(value));
            const auto kept = static_cast<double>(fromBfloat16(result.values[c]));
            norm[c % kLanes] += kept * kept;
            residual[c % kLanes] += (value - kept) * (value - kept);
        }
        for (unsigned half = kLanes / 2; half > 0; half /= 2)
            for (unsigned lane = 0; lane < half; ++lane) {
                norm[lane] += norm[lane + half];
                residual[lane] += residual[lane + half];
            }
        result.terms = rowTerms(norm[0], residual[0], padded);
        return result;
    }
};

class BoundsCheck {
public:
    explicit BoundsCheck(Device& device)
        : device_(device), set_(CheckSet::bellShaped(kRows, kDim, 3)),
          buffer_(device, BoundsMemory::carve(nullptr).bytes), memory_(BoundsMemory::carve(buffer_.base())) {
        // Magnitudes from 1e-6 to 1e3 about a common offset.
        for (std::size_t r = 0; r < kRows; ++r)
            for (std::size_t c = 0; c < kDim; ++c) {
                float& value = set_.values[r * kDim + c];
                value = value * std::pow(10.0F, static_cast<float>(r % 10) - 6.0F) + 2.0F;
            }
        frame_ = Frame::of(set_.view(), {set_.view()}, 1, {});
        device_.upload(memory_.centre, frame_.centre.data(), kDim * sizeof(float));
        for (std::size_t r = 0; r < kRows; ++r)
            expected_.push_back(RoundedRow::of(set_.view(), r, frame_));
    }

    std::string roundedRows() {
        PrepareJob job;
        job.rows = memory_.rows;
        job.count = kRows;
        job.padded = kPaddedRows;
        job.dim = kDim;
        job.paddedDim = static_cast<std::uint32_t>(paddedColumns(kDim));
        job.centre = memory_.centre;
        job.scale = static_cast<double>(frame_.scale);
        job.rounded = memory_.rounded;
        job.term = memory_.set.term;
        job.slack = memory_.set.slack;
        job.residual = memory_.set.residual;
        device_.load(0, set_.values.data(), memory_.rows, job);
        job.rows = memory_.sampleRows;
        job.count = kSamples;
        job.rounded = memory_.sample;
        job.term = memory_.sampleTerm;
        job.slack = memory_.sampleSlack;
        job.residual = memory_.sampleResidual;
        device_.load(1, set_.values.data(), memory_.sampleRows, job);
        device_.waitForSlots(0, 1);

        std::vector<std::uint16_t> rounded;
        std::vector<float> term;
        std::vector<float> slack;
        std::vector<float> residual;
        for (const RoundedRow& row : expected_) {
            rounded.insert(rounded.end(), row.values.begin(), row.values.end());
            term.push_back(row.terms.term);
            slack.push_back(row.terms.slack);
            residual.push_back(row.terms.residual);
        }
        const SetState& set = memory_.set;
        for (const std::string& fault :
             {valueDifference("rounded value", downloaded(device_, memory_.rounded, rounded.size()), rounded),
              valueDifference("term of row", downloaded(device_, set.term, kRows), term),
              valueDifference("slack of row", downloaded(device_, set.slack, kRows), slack),
              valueDifference("residual of row", downloaded(device_, set.residual, kRows), residual)})
            if (!fault.empty())
                return fault;
        return {};
    }

    std::string balls() {
        std::vector<double> radius;
        for (std::size_t r = 0; r < kRows; ++r)
            radius.push_back(std::pow(10.0, static_cast<double>(r % 80) - 40.0));
        radius[1] = 0.0;
        radius[2] = -1.0;
        radius[4] = std::numeric_limits<double>::infinity();
        std::vector<double> inner = radius;
        for (std::size_t r = 0; r < kRows; r += 3)
            inner[r] = std::min(radius[r], 1e-3);
        device_.upload(memory_.radius, radius.data(), kRows * sizeof(double));
        device_.upload(memory_.innerRadius, inner.data(), kRows * sizeof(double));
        const auto scale = static_cast<double>(frame_.scale);
        device_.setBallBounds(memory_.set, scale);
        std::vector<float> reach;
        std::vector<float> sure;
        for (std::size_t r = 0; r < kRows; ++r) {
            reach.push_back(reachOfDistance(radius[r], scale));
            sure.push_back(sureReach(inner[r], scale));
        }
        std::string fault =
            valueDifference("outer bound of ball", downloaded(device_, memory_.set.ballReach, kRows), reach);
        return fault.empty()
                   ? valueDifference("inner bound of ball", downloaded(device_, memory_.set.ballSure, kRows), sure)
                   : fault;
    }

    /// Products by the tensor cores, and the reaches that follow from them.
    std::string sampledReaches() {
        PrimeJob job;
        job.x = memory_.set;
        job.a = {memory_.rows, memory_.rounded, 0, kRows};
        job.end = kRows;
        job.sample = memory_.sample;
        job.sampleIndex = memory_.sampleIndex;
        job.sampleTerm = memory_.sampleTerm;
        job.sampleSlack = memory_.sampleSlack;
        job.sampleResidual = memory_.sampleResidual;
        job.sampleRows = kSamples;
        job.paddedDim = static_cast<std::uint32_t>(paddedColumns(kDim));
        job.sameSet = true;
        job.bounds = memory_.bounds;
        std::vector<std::uint32_t> index(kSamples);
        for (std::uint32_t s = 0; s < kSamples; ++s)
            index[s] = s;
        device_.upload(memory_.sampleIndex, index.data(), kSamples * sizeof(std::uint32_t));
        device_.fill(memory_.set.reach, kFarByte, kRows * sizeof(float));
        device_.prime(job);
        const std::vector<float> bounds = downloaded(device_, memory_.bounds, std::size_t{kRows} * kPaddedRows);
        const std::vector<float> reaches = downloaded(device_, memory_.set.reach, kRows);
        for (std::size_t r = 0; r < kRows; ++r) {
            std::vector<float> row(bounds.begin() + static_cast<std::ptrdiff_t>(r * kPaddedRows),
                                   bounds.begin() + static_cast<std::ptrdiff_t>(r * kPaddedRows + kSamples));
            for (std::size_t s = 0; s < kSamples; ++s)
                if (std::string fault = pairDifference(r, s, row[s]); !fault.empty())
                    return fault;
            std::nth_element(row.begin(), row.begin() + (kNeighbors - 1), row.end());
            if (reaches[r] != row[kNeighbors - 1])
                return "reach of row " + std::to_string(r) + ": expected " +
                       numberText(static_cast<double>(row[kNeighbors - 1])) + ", found " +
                       numberText(static_cast<double>(reaches[r]));
        }
        return {};
    }

    std::string longestList() {
        std::vector<std::uint32_t> counts(kRows);
        for (std::uint32_t r = 0; r < kRows; ++r)
            counts[r] = r * 7 % 293;
        counts[kRows - 1] = 1000;
        device_.upload(memory_.set.count, counts.data(), kRows * sizeof(std::uint32_t));
        const std::uint32_t longest = device_.longestList(memory_.set, memory_.report);
        return longest == 1000 ? std::string() : "longest list: expected 1000, found " + std::to_string(longest);
    }

private:
    /// An upper bound of a distance has to be one, and no larger than the error of the product explains.
    std::string pairDifference(std::size_t r, std::size_t s, float bound) const {
        const std::string pair = "bound on the distance of rows " + std::to_string(r) + " and " + std::to_string(s);
        if (r == s)
            return std::isinf(bound) ? std::string()
                                     : pair + ": expected inf, found " + numberText(static_cast<double>(bound));
        const MatrixView set = set_.view();
        const double distance = std::sqrt(kernels().squaredDistance(set.rowData(r), set.rowData(s), kDim)) *
                                static_cast<double>(frame_.scale);
        const RoundedRow& x = expected_[r];
        const RoundedRow& y = expected_[s];
        double rounded = 0.0;
        for (std::size_t c = 0; c < x.values.size(); ++c) {
            const double difference =
                static_cast<double>(fromBfloat16(x.values[c])) - static_cast<double>(fromBfloat16(y.values[c]));
            rounded += difference * difference;
        }
        const double slack = static_cast<double>(x.terms.slack) + static_cast<double>(y.terms.slack);
        const double residual = static_cast<double>(x.terms.residual) + static_cast<double>(y.terms.residual);
        const double most = (std::sqrt(rounded + slack) + residual) * (1.0 + 0x1p-18);
        const auto found = static_cast<double>(bound);
        if (found >= distance * (1.0 - 1e-12) && found <= most)
            return {};
        return pair + ": expected from " + numberText(distance) + " to " + numberText(most) + ", found " +
               numberText(found);
    }

    Device& device_;
    CheckSet set_;
    Frame frame_;
    std::vector<RoundedRow> expected_;
    DeviceBuffer buffer_;
    BoundsMemory memory_;
};

} // namespace

std::string boundsDifference(Device& device) {
    BoundsCheck check(device);
    for (std::string (BoundsCheck::*step)() :
         {&BoundsCheck::roundedRows, &BoundsCheck::balls, &BoundsCheck::sampledReaches, &BoundsCheck::longestList})
        if (const std::string fault = (check.*step)(); !fault.empty())
            return "bounds: " + fault;
    return {};
}

} // namespace assay::cuda
