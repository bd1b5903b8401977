#include "engine/subsets/what_if/what_if_tables.h"

#include "engine/data/matrix_view.h"

#include <iterator>
#include <utility>

namespace assay {
namespace {

/// Number of list entries per search; it limits the buffers to some tens of MiB.
constexpr std::size_t kEntriesPerSearch = std::size_t{1} << 21;
/// A ball with this many times the expected number of members is not listed.
constexpr std::size_t kManyTimes = 8;

} // namespace

BallMembers::BallMembers(MatrixView centres, MatrixView points, const NeighborTable& nearest)
    : centres_(centres), points_(points), nearest_(nearest), longer_(centres.rows),
      tooLargeRadius_(centres.rows, std::numeric_limits<double>::infinity()) {}

std::size_t BallMembers::LongerList::bytes() const noexcept {
    return sizeof(LongerList) + index.capacity() * sizeof(std::uint32_t) + distance.capacity() * sizeof(double);
}

/// Stores the list of one ball, beyond its members, because it will grow.
/// @return false if the ball has more members than were found
bool BallMembers::store(const CentredBall& ball, const NeighborTable& found, std::size_t query) {
    const std::uint32_t* index = found.index.data() + query * found.k;
    const double* distance = found.distance.data() + query * found.k;
    const bool all = found.k == points_.rows;
    if (!all && distance[found.k - 1] <= ball.radius)
        return false;
    auto list = std::make_unique<LongerList>();
    list->index.assign(index, index + found.k);
    list->distance.assign(distance, distance + found.k);
    list->end = all ? std::numeric_limits<double>::infinity() : distance[found.k - 1];
    bytes_ += list->bytes() - (longer_[ball.centre] ? longer_[ball.centre]->bytes() : 0);
    longer_[ball.centre] = std::move(list);
    return true;
}

std::vector<CentredBall> BallMembers::listUpTo(std::size_t depth, std::span<const CentredBall> balls,
                                               const Effort& effort, const NeighborSearch& search,
                                               const JobContext& job) {
    std::vector<CentredBall> open;
    const std::size_t perSearch = std::max<std::size_t>(1, kEntriesPerSearch / depth);
    for (std::size_t first = 0; first < balls.size() && bytes_ <= effort.byteLimit; first += perSearch) {
        const std::size_t last = std::min(balls.size(), first + perSearch);
        const auto share = [&](std::size_t done) {
            return static_cast<double>(done) / static_cast<double>(balls.size());
        };
        std::vector<std::uint32_t> rows;
        for (std::size_t b = first; b < last; ++b)
            rows.push_back(balls[b].centre);
        const std::vector<float> centres = gatherRows(centres_, rows);
        const NeighborTable found = search.nearest({centres.data(), rows.size(), centres_.dim}, points_, depth,
                                                   job.part({}, share(first), share(last)));
        for (std::size_t b = first; b < last; ++b)
            if (!store(balls[b], found, b - first))
                open.push_back(balls[b]);
    }
    return open;
}

void BallMembers::extendLists(std::span<const CentredBall> balls, const Effort& effort, const NeighborSearch& search,
                              const JobContext& job) {
    std::vector<CentredBall> open;
    std::copy_if(balls.begin(), balls.end(), std::back_inserter(open), [this](const CentredBall& ball) {
        return !knows(ball) && ball.radius < tooLargeRadius_[ball.centre];
    });
    const std::size_t most = std::min(points_.rows, std::max(kManyTimes * effort.expected, 4 * nearest_.k));
    std::size_t depth = std::min(most, std::max(effort.expected + effort.expected / 2, 2 * nearest_.k));
    for (double done = 0.0; !open.empty(); depth = std::min(kManyTimes / 2 * depth, most)) {
        const double next = depth == most ? 1.0 : done + (1.0 - done) * 0.7;
        open = listUpTo(depth, open, effort, search, job.part({}, done, next));
        done = next;
        if (depth < most)
            continue;
        for (const CentredBall& ball : open)
            tooLargeRadius_[ball.centre] = std::min(tooLargeRadius_[ball.centre], ball.radius);
        return;
    }
}

void BallMembers::keepOnly(const RowMask& needed) {
    for (std::size_t centre = 0; centre < longer_.size(); ++centre)
        if (longer_[centre] && !needed.contains(centre)) {
            bytes_ -= longer_[centre]->bytes();
            longer_[centre].reset();
        }
}

WhatIfTables::WhatIfTables(std::shared_ptr<const AuditResult> result, std::size_t which,
                           std::unique_ptr<NeighborSearch> how, std::size_t bytesPerSample, SubsetScores wanted)
    : audit(std::move(result)), real(*audit->real), model(*audit->models[which]), k(audit->k), scores(wanted),
      search(std::move(how)), realToSynthetic(real.set->matrix(), model.set->matrix(), QueryRows::OtherSet,
                                              model.tables->real.nearest, neighborsOfReal()),
      syntheticToSynthetic(model.set->matrix(), model.set->matrix(), QueryRows::OwnSet,
                           model.tables->syntheticToSynthetic, ownNeighbors()),
      realInBalls(model.set->matrix(), real.set->matrix(), model.tables->synthetic.nearest),
      byteLimit(bytesPerSample * (real.set->rows() + model.set->rows())) {}

void WhatIfTables::trim(const RowMask& kept) {
    if (realInBalls.bytes() > ballByteLimit())
        realInBalls.keepOnly(kept);
    if (realInBalls.bytes() > ballByteLimit())
        realInBalls.keepOnly(RowMask(syntheticRows()));
    const std::size_t room = byteLimit - realInBalls.bytes();
    const std::size_t synthetic = syntheticToSynthetic.bytes();
    if (bytes() <= byteLimit)
        return;
    // Each side is trimmed in proportion to its size.
    const double share = static_cast<double>(room) / static_cast<double>(synthetic + realToSynthetic.bytes());
    syntheticToSynthetic.trim(static_cast<std::size_t>(share * static_cast<double>(synthetic)));
    realToSynthetic.trim(room - syntheticToSynthetic.bytes());
}

} // namespace assay
