#include "engine/layout/neighbor_layout.h"

#include "engine/demo/random.h"
#include "engine/job/error.h"
#include "engine/job/parallel.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace assay {
namespace {

constexpr std::size_t kRowsPerTask = 256;
constexpr std::size_t kFewRows = 10'000;
constexpr std::size_t kEpochsOfFew = 500;
constexpr std::size_t kEpochsOfMany = 200;
constexpr std::size_t kRepelling = 5; ///< rows drawn for each neighbour that attracts
constexpr double kStartRadius = 10.0;
constexpr double kJitter = 1e-3; ///< rows that start at one place could not repel each other
constexpr float kLongestStep = 4.0F;
constexpr std::uint64_t kStream = 0x6c61796f7574; // sets these draws apart from others of the same seed

/// Four, so that one vector instruction moves a row; the last is 0.
using Position = std::array<float, 4>;

std::vector<Position> startingFrom(std::span<const std::array<float, 3>> start, std::uint64_t seed) {
    float largest = 0.0F;
    for (const auto& point : start)
        for (const float x : point)
            largest = std::max(largest, std::abs(x));
    const double scale = largest > 0.0F ? kStartRadius / static_cast<double>(largest) : 0.0;
    demo::Random random = demo::Random::forItem(seed ^ kStream, 0);
    std::vector<Position> positions(start.size());
    for (std::size_t row = 0; row < start.size(); ++row)
        for (std::size_t c = 0; c < 3; ++c)
            positions[row][c] =
                static_cast<float>(static_cast<double>(start[row][c]) * scale + kJitter * random.bell());
    return positions;
}

float squaredLength(const Position& x) {
    return (x[0] * x[0] + x[1] * x[1]) + (x[2] * x[2] + x[3] * x[3]);
}

Position difference(const Position& x, const Position& y) {
    Position d;
    for (std::size_t c = 0; c < 4; ++c)
        d[c] = x[c] - y[c];
    return d;
}

/// Moves x along d * factor, but no farther than kLongestStep per axis, times `rate`.
void move(Position& x, const Position& d, float factor, float rate) {
    for (std::size_t c = 0; c < 4; ++c)
        x[c] += rate * std::clamp(d[c] * factor, -kLongestStep, kLongestStep);
}

class Epoch {
public:
    Epoch(const NeighborGraph& graph, const std::vector<Position>& from, std::size_t epoch, std::size_t epochs)
        : graph_(graph), from_(from), epoch_(static_cast<float>(epoch)),
          rate_(1.0F - static_cast<float>(epoch) / static_cast<float>(epochs)) {}

    Position moved(std::size_t row, demo::Random random) const {
        Position x = from_[row];
        for (std::size_t e = graph_.begin[row]; e < graph_.begin[row + 1]; ++e) {
            if (!isDue(graph_.weight[e]))
                continue;
            attract(x, from_[graph_.neighbor[e]]);
            for (std::size_t draw = 0; draw < kRepelling; ++draw)
                if (const std::size_t other = random.below(from_.size()); other != row)
                    repel(x, from_[other]);
        }
        return x;
    }

private:
    /// An edge of weight w takes part in that share of the epochs, evenly spread.
    bool isDue(float weight) const { return std::floor((epoch_ + 1.0F) * weight) > std::floor(epoch_ * weight); }

    void attract(Position& x, const Position& to) const {
        const Position d = difference(x, to);
        move(x, d, -2.0F / (1.0F + squaredLength(d)), rate_);
    }

    void repel(Position& x, const Position& from) const {
        constexpr float kSoft = 1e-3F; // two rows at one place do not throw each other out of sight
        const Position d = difference(x, from);
        const float squared = squaredLength(d);
        move(x, d, 2.0F / ((kSoft + squared) * (1.0F + squared)), rate_);
    }

    const NeighborGraph& graph_;
    const std::vector<Position>& from_;
    float epoch_;
    float rate_;
};

} // namespace

std::vector<std::array<float, 3>> neighborLayout(const NeighborGraph& graph,
                                                 std::span<const std::array<float, 3>> start,
                                                 const LayoutOptions& options, const JobContext& job) {
    const std::size_t rows = graph.rows();
    if (start.size() != rows)
        throw Error(ErrorKind::InvalidArgument, "layout: expected " + std::to_string(rows) +
                                                    " positions to start from, found " + std::to_string(start.size()));
    const std::size_t epochs = options.epochs > 0 ? options.epochs : rows <= kFewRows ? kEpochsOfFew : kEpochsOfMany;
    std::vector<Position> from = startingFrom(start, options.seed);
    std::vector<Position> to(rows);
    for (std::size_t e = 0; e < epochs; ++e) {
        job.checkpoint(static_cast<double>(e) / static_cast<double>(epochs));
        const Epoch epoch(graph, from, e, epochs);
        const std::uint64_t seed = options.seed ^ kStream ^ ((e + 1) << 32);
        parallelFor((rows + kRowsPerTask - 1) / kRowsPerTask, options.threads, job.silent(),
                    [&](std::size_t task, unsigned) {
                        for (std::size_t r = task * kRowsPerTask; r < std::min(rows, (task + 1) * kRowsPerTask); ++r)
                            to[r] = epoch.moved(r, demo::Random::forItem(seed, r));
                    });
        from.swap(to);
    }
    std::vector<std::array<float, 3>> positions(rows);
    for (std::size_t row = 0; row < rows; ++row)
        positions[row] = {from[row][0], from[row][1], from[row][2]};
    return positions;
}

} // namespace assay
