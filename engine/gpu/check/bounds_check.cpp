#include "engine/gpu/check/checks.h"

#include "engine/base/number_text.h"
#include "engine/gpu/check/check_set.h"
#include "engine/gpu/check/difference.h"
#include "engine/gpu/check/prepared_row.h"
#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/device_buffer.h"
#include "engine/gpu/search/pass_memory.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/products/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace assay::cuda {
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

double numberOf(float value) {
    return static_cast<double>(value);
}
double numberOf(std::byte value) {
    return std::to_integer<int>(value);
}

/// @param what the values are of
template <typename T>
std::string valueDifference(const char* what, const std::vector<T>& found, const std::vector<T>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (found[i] != expected[i])
            return fmt::format("{} {}", what, i) + expectedText(numberOf(expected[i]), numberOf(found[i]));
    return {};
}

/// Rows prepared on the CPU.
struct PreparedRows {
    std::vector<PreparedRow> rows;
    std::vector<std::byte> operand;
    std::vector<float> step, term, slack, residual;

    static constexpr std::size_t kPadded = (kDim + kColumnGroup - 1) / kColumnGroup * kColumnGroup;

    void add(PreparedRow row) {
        operand.insert(operand.end(), row.operand.begin(), row.operand.end());
        step.push_back(row.step);
        term.push_back(row.terms.term);
        slack.push_back(row.terms.slack);
        residual.push_back(row.residual);
        rows.push_back(std::move(row));
    }
};

class BoundsCheck {
public:
    BoundsCheck(Device& device, Precision precision)
        : device_(device), precision_(precision), set_(CheckSet::bellShaped(kRows, kDim, 3)),
          buffer_(device, memoryAt(nullptr, precision).bytes), memory_(memoryAt(buffer_.base(), precision)) {
        // Magnitudes from 1e-6 to 1e3 about a common offset.
        for (std::size_t r = 0; r < kRows; ++r)
            for (std::size_t c = 0; c < kDim; ++c) {
                float& value = set_.values[r * kDim + c];
                value = value * std::pow(10.0F, static_cast<float>(r % 10) - 6.0F) + 2.0F;
            }
        frame_ = Frame::of(set_.view(), {set_.view()}, 1, {});
        upload(memory_.centre, frame_.centre);
        for (std::size_t r = 0; r < kRows; ++r)
            expected_.add(PreparedRow::of(set_.view().row(r), frame_, precision));
    }

    std::string preparedRows() {
        const SetPlace& place = memory_.placeX;
        PrepareJob job;
        job.rows = place.rows;
        job.count = kRows;
        job.padded = kPaddedRows;
        job.dim = kDim;
        job.paddedDim = PreparedRows::kPadded;
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
        const RowTermArrays& found = memory_.x.terms;
        for (const std::string& fault : {difference("operand's byte", place.operand, expected_.operand),
                                         difference("step of row", found.step, expected_.step),
                                         difference("term of row", found.term, expected_.term),
                                         difference("slack of row", found.slack, expected_.slack),
                                         difference("residual of row", found.residual, expected_.residual)})
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
        upload(memory_.x.radius, radius);
        upload(memory_.x.innerRadius, inner);
        const auto scale = static_cast<double>(frame_.scale);
        device_.setBallBounds(memory_.x, scale);
        std::vector<float> reach;
        std::vector<float> sure;
        for (std::size_t r = 0; r < kRows; ++r) {
            reach.push_back(reachOfDistance(radius[r], scale));
            sure.push_back(sureReach(inner[r], scale));
        }
        std::string fault = difference("outer bound of ball", memory_.x.ballReach, reach);
        return fault.empty() ? difference("inner bound of ball", memory_.x.ballSure, sure) : fault;
    }

    /// Products, and the reaches that follow from them.
    std::string sampledReaches() {
        ReachJob job;
        job.x = memory_.x;
        job.a = {memory_.placeX.rows, memory_.placeX.operand, 0, kRows};
        job.end = kRows;
        job.sample = memory_.placeX.sample;
        job.paddedDim = PreparedRows::kPadded;
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
                if (std::string fault = pairDifference(r, s, static_cast<double>(row[s])); !fault.empty())
                    return fault;
            std::nth_element(row.begin(), row.begin() + (kNeighbors - 1), row.end());
            if (reaches[r] != row[kNeighbors - 1])
                return fmt::format("reach of row {}", r) +
                       expectedText(static_cast<double>(row[kNeighbors - 1]), static_cast<double>(reaches[r]));
        }
        return {};
    }

    std::string longestList() {
        std::vector<std::uint32_t> counts(kRows);
        for (std::uint32_t r = 0; r < kRows; ++r)
            counts[r] = r * 7 % 293;
        counts[kRows - 1] = 1000;
        upload(memory_.x.count, counts);
        const std::uint32_t longest = device_.longestList(memory_.x, memory_.report);
        return longest == 1000 ? std::string() : fmt::format("longest list: expected 1000, found {}", longest);
    }

private:
    template <typename T>
    void upload(T* to, const std::vector<T>& values) {
        device_.upload(to, values.data(), values.size() * sizeof(T));
    }
    template <typename T>
    std::string difference(const char* what, const T* found, const std::vector<T>& expected) {
        return valueDifference(what, downloaded(device_, found, expected.size()), expected);
    }

    /// An upper bound of a distance has to be one, and no larger than the error of the product explains.
    std::string pairDifference(std::size_t r, std::size_t s, double bound) const {
        const std::string pair = fmt::format("bound on the distance of rows {} and {}", r, s);
        if (r == s)
            return std::isinf(bound) ? std::string() : pair + ": expected inf, found " + numberText(bound);
        const MatrixView set = set_.view();
        const double distance = std::sqrt(kernels().squaredDistance(set.rowData(r), set.rowData(s), kDim)) *
                                static_cast<double>(frame_.scale);
        double represented = 0.0;
        for (std::size_t c = 0; c < kDim; ++c) {
            const double apart = expected_.rows[r].at(c, precision_) - expected_.rows[s].at(c, precision_);
            represented += apart * apart;
        }
        const auto sum = [&](const std::vector<float>& values) {
            return static_cast<double>(values[r]) + static_cast<double>(values[s]);
        };
        const double most = (std::sqrt(represented + sum(expected_.slack)) + sum(expected_.residual)) * (1.0 + 0x1p-18);
        if (bound >= distance * (1.0 - 1e-12) && bound <= most)
            return {};
        return fmt::format("{}: expected from {} to {}, found {}", pair, numberText(distance), numberText(most),
                           numberText(bound));
    }

    Device& device_;
    Precision precision_;
    CheckSet set_;
    Frame frame_;
    PreparedRows expected_;
    DeviceBuffer buffer_;
    PassMemory memory_;
};

} // namespace

std::string boundsDifference(Device& device) {
    for (const Precision precision : {Precision::Integer, Precision::Single}) {
        BoundsCheck check(device, precision);
        for (std::string (BoundsCheck::*step)() :
             {&BoundsCheck::preparedRows, &BoundsCheck::balls, &BoundsCheck::sampledReaches, &BoundsCheck::longestList})
            if (const std::string fault = (check.*step)(); !fault.empty())
                return (precision == Precision::Integer ? "bounds from integers: " : "bounds from floats: ") + fault;
    }
    return {};
}

} // namespace assay::cuda
