#include "engine/audit/ball_members.h"

#include "engine/audit/subset_neighbors.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

/// Entries of one search: bounds its buffers to some tens of MiB.
constexpr std::size_t kEntriesPerSearch = std::size_t{1} << 21;

} // namespace

BallMembers::BallMembers(MatrixView centres, MatrixView points, const NeighborTable& nearest)
    : centres_(centres), points_(points), nearest_(nearest), deep_(centres.rows) {}

std::size_t BallMembers::DeepList::bytes() const noexcept {
    return sizeof(DeepList) + index.capacity() * sizeof(std::uint32_t) + distance.capacity() * sizeof(double);
}

bool BallMembers::store(const CentredBall& ball, const NeighborTable& found, std::size_t query, Keep keep) {
    const bool all = found.k == points_.rows;
    const auto first = found.distance.begin() + static_cast<std::ptrdiff_t>(query * found.k);
    const auto members = static_cast<std::size_t>(
        std::upper_bound(first, first + static_cast<std::ptrdiff_t>(found.k), ball.radius) - first);
    const bool known = all || members < found.k;
    if (!known && found.k < kMostMembers)
        return false; // to be searched deeper at once
    const std::size_t count = keep == Keep::Members ? members : found.k;
    auto list = std::make_unique<DeepList>();
    list->index.assign(found.index.begin() + static_cast<std::ptrdiff_t>(query * found.k),
                       found.index.begin() + static_cast<std::ptrdiff_t>(query * found.k + count));
    list->distance.assign(first, first + static_cast<std::ptrdiff_t>(count));
    list->end = count < found.k ? first[static_cast<std::ptrdiff_t>(count)]
                : all           ? std::numeric_limits<double>::infinity()
                                : first[static_cast<std::ptrdiff_t>(count - 1)];
    bytes_ += list->bytes() - (deep_[ball.centre] ? deep_[ball.centre]->bytes() : 0);
    deep_[ball.centre] = std::move(list);
    return true;
}

std::vector<CentredBall> BallMembers::deepenTo(std::size_t depth, std::span<const CentredBall> balls, Keep keep,
                                               std::size_t byteLimit, const NeighborSearch& search,
                                               const JobContext& job) {
    std::vector<CentredBall> open;
    const std::size_t perSearch = std::max<std::size_t>(1, kEntriesPerSearch / depth);
    for (std::size_t first = 0; first < balls.size() && bytes_ <= byteLimit; first += perSearch) {
        const std::size_t last = std::min(balls.size(), first + perSearch);
        const auto share = [&](std::size_t done) {
            return static_cast<double>(done) / static_cast<double>(balls.size());
        };
        std::vector<std::uint32_t> rows;
        for (std::size_t b = first; b < last; ++b)
            rows.push_back(balls[b].centre);
        const std::vector<float> centres = gatherRows(centres_, rows);
        const NeighborTable found =
            search
                .cross({{centres.data(), rows.size(), centres_.dim}, points_, depth, 0, {}, {}, {}},
                       job.part({}, share(first), share(last)))
                .aToB;
        for (std::size_t b = first; b < last; ++b)
            if (!store(balls[b], found, b - first, keep))
                open.push_back(balls[b]);
    }
    return open;
}

void BallMembers::deepen(std::span<const CentredBall> balls, std::size_t expected, Keep keep, std::size_t byteLimit,
                         const NeighborSearch& search, const JobContext& job) {
    const std::size_t most = std::min(kMostMembers, points_.rows);
    std::vector<CentredBall> open;
    for (const CentredBall& ball : balls) {
        // A list at its greatest length is not searched again.
        const List list = listOf(ball.centre);
        if (ball.radius >= list.end && list.count < most)
            open.push_back(ball);
    }
    std::size_t depth = std::clamp(expected + expected / 2, std::min(2 * nearest_.k, most), most);
    for (double done = 0.0; !open.empty(); depth = std::min(4 * depth, most)) {
        const double next = depth == most ? 1.0 : done + (1.0 - done) * 0.7;
        open = deepenTo(depth, open, keep, byteLimit, search, job.part({}, done, next));
        done = next;
    }
}

void BallMembers::forgetAllBut(const RowMask& needed) {
    for (std::size_t centre = 0; centre < deep_.size(); ++centre)
        if (deep_[centre] && !needed.contains(centre)) {
            bytes_ -= deep_[centre]->bytes();
            deep_[centre].reset();
        }
}

} // namespace assay
