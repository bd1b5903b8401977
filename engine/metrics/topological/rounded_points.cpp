#include "engine/metrics/topological/rounded_points.h"

#include "engine/base/parallel.h"
#include "engine/metrics/topological/point_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr std::size_t kGroup = 4; ///< coordinates that one instruction multiplies and adds
constexpr double kMostSteps = 127.0;
constexpr int kShift = 128; ///< the instruction takes the points' bytes without a sign
constexpr std::int32_t kNowhere = std::numeric_limits<std::int32_t>::min() / 2; ///< below every Query::least

/// Half a box's width over the mean distance from its middle: 4.5 standard deviations of normal coordinates.
constexpr double kBoxWidth = 5.5;

std::size_t groupsOf(std::size_t dim) {
    return (dim + kGroup - 1) / kGroup;
}

} // namespace

std::size_t RoundedPoints::bytesPerRow(std::size_t dim) noexcept {
    return groupsOf(dim) * kGroup + sizeof(std::int32_t);
}

RoundedPoints::RoundedPoints(const std::vector<float>& points, std::size_t rows, std::size_t dim, unsigned threads,
                             const JobContext& job)
    : dim_(dim), groups_(groupsOf(dim)) {
    const bool finite = std::all_of(points.begin(), points.end(), [](float x) { return std::isfinite(x); });
    if (markKernel() == nullptr || dim > kMostDims || rows == 0 || !finite)
        return;
    chooseBox(points, rows);
    if (!(step_ > 0.0)) // all points the same: there is nothing to tell them apart by
        return;
    const std::size_t blocks = (rows + kBlock - 1) / kBlock;
    bytes_.assign(blocks * groups_ * kBlock * kGroup, kShift);
    start_.assign(blocks * kBlock, kNowhere);
    std::vector<double> errors(blocks);
    parallelFor(blocks, threads, job,
                [&](std::size_t block, unsigned) { errors[block] = fillBlock(points, rows, block); });
    error_ = *std::max_element(errors.begin(), errors.end());
}

/// @return the largest error, in steps
double RoundedPoints::fillBlock(const std::vector<float>& points, std::size_t rows, std::size_t block) {
    double error = 0.0;
    std::array<std::int8_t, kMostDims> steps{};
    for (std::size_t r = block * kBlock; r < std::min(rows, (block + 1) * kBlock); ++r) {
        error = std::max(error, round(points.data() + r * dim_, steps));
        std::uint8_t* to = bytes_.data() + (r / kBlock * groups_ * kBlock + r % kBlock) * kGroup;
        std::int32_t square = 0;
        for (std::size_t c = 0; c < dim_; ++c) {
            square += steps[c] * steps[c];
            to[c / kGroup * kBlock * kGroup + c % kGroup] = static_cast<std::uint8_t>(steps[c] + kShift);
        }
        start_[r] = -(square / 2);
    }
    return error;
}

/// Any box will do. This one is little moved by a few rows far away from the others.
void RoundedPoints::chooseBox(const std::vector<float>& points, std::size_t rows) {
    middle_.assign(dim_, 0.0);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < dim_; ++c)
            middle_[c] += static_cast<double>(points[r * dim_ + c]);
    for (double& value : middle_)
        value /= static_cast<double>(rows);
    double apart = 0.0;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < dim_; ++c)
            apart += std::abs(static_cast<double>(points[r * dim_ + c]) - middle_[c]);
    step_ = kBoxWidth / kMostSteps * apart / static_cast<double>(rows * dim_);
}

/// @return the error, in steps
double RoundedPoints::round(const float* point, std::array<std::int8_t, kMostDims>& steps) const {
    constexpr double kRounder = 0x1.8p52; // added and taken off again, it leaves a whole number
    double square = 0.0;
    for (std::size_t c = 0; c < dim_; ++c) {
        const double place = std::clamp((static_cast<double>(point[c]) - middle_[c]) / step_, -kMostSteps, kMostSteps);
        const double whole = place + kRounder - kRounder;
        square += (place - whole) * (place - whole);
        steps[c] = static_cast<std::int8_t>(whole);
    }
    return std::sqrt(square);
}

std::optional<RoundedPoints::Query> RoundedPoints::query(const float* point, float limit) const {
    constexpr double kMostSquare = 0x1p29; // leaves room below 2^31
    if (!tell() || !(limit >= 0.0F) || !std::all_of(point, point + dim_, [](float x) { return std::isfinite(x); }))
        return std::nullopt;
    Query query{};
    const double error = round(point, query.steps);
    // Roundings in single precision: one of each difference, one of each sum, and what is below its smallest number.
    const auto dims = static_cast<double>(dim_);
    const double distance = std::sqrt(static_cast<double>(limit) * (1.0 + (dims + 4.0) * 0x1p-22) + dims * 0x1p-148);
    const double most = distance / step_ + error + error_ + 0x1p-20; // with room for the roundings of this sum
    if (!(most * most < kMostSquare))
        return std::nullopt;
    std::int32_t square = 0;
    std::int32_t sum = 0;
    for (const std::int8_t step : query.steps) {
        square += step * step;
        sum += step;
    }
    // |y|^2 + |x|^2 - 2 x y <= most^2, with x (y + 128) - |y|^2 / 2 on the left
    query.least = kShift * sum + ((square - static_cast<std::int32_t>(most * most) - 1) >> 1);
    return query;
}

std::size_t RoundedPoints::mark(const std::array<Query, kQueries>& queries, std::size_t block,
                                std::array<Mask, kQueries>& passed) const {
    return markKernel()({bytes_.data() + block * groups_ * kBlock * kGroup, start_.data() + block * kBlock, groups_},
                        queries, passed);
}

} // namespace assay
