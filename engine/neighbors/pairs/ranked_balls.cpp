#include "engine/neighbors/pairs/ranked_balls.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/pairs/pair_proposer.h"
#include "engine/neighbors/products/product_trial.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace assay {
namespace {

void check(const RankedBalls& balls) {
    const auto require = [](const char* what, std::size_t expected, std::size_t found) {
        if (expected != found)
            throw Error(ErrorKind::InvalidArgument, std::string(what) + ": expected " + std::to_string(expected) +
                                                        ", found " + std::to_string(found));
    };
    require("columns of the points", balls.centres.dim, balls.points.dim);
    require("radii", balls.centres.rows * balls.levels, balls.radius.size());
    if (!balls.cap.empty())
        require("caps", balls.levels, balls.cap.size());
    if (!balls.times.empty())
        require("times", balls.centres.rows, balls.times.size());
}

/// Counts the balls around base rows that hold the queries: a ball at the smallest level that holds the query. Radii of
/// neighbouring levels are so close that the bounds of integers decide little: nearly all pairs within the largest
/// radius are measured then.
class CountedBalls : public PairHandler {
public:
    /// @param rows points as queries; centres as base rows, by ascending largest radius
    CountedBalls(const RankedBalls& balls, const PairRows& rows, unsigned threads)
        : balls_(balls), rows_(rows), buffers_(resolveThreads(threads)) {
        for (std::size_t c = 0; c < balls.centres.rows; ++c) {
            const double smallest = balls.cap.empty() ? radiusOf(c, 0) : std::min(radiusOf(c, 0), balls.cap[0]);
            inside_.push_back(smallest * smallest * kCertain);
            outside_.push_back(beyond(radiusOf(c, balls.levels - 1)));
        }
        counts.holding.assign(rows.query.size() * balls.levels, 0);
        if (!balls.cap.empty())
            counts.clippedHolding = counts.holding;
    }

    double farthest(std::size_t, const PlaceRange& base) const override {
        return radiusOf(rows_.baseRow[base.last - 1], balls_.levels - 1);
    }

    void take(const ProposedPairs& pairs, const JobContext& job) override {
        job.throwIfStopped();
        Buffers& buffers = buffers_[pairs.worker];
        for (std::size_t pair = 0; pair < pairs.place.size(); ++pair)
            if (!countByBounds(pairs, pair))
                buffers.doubtful.push_back(rows_.baseRow[pairs.place[pair]]);
        countDoubtful(pairs.query, buffers);
    }

    RankedBallCounts counts; ///< per query and level

private:
    /// The margins cover the rounding of the measured distance that the definition speaks of.
    static constexpr double kCertain = 1.0 - 1e-9;
    static double beyond(double radius) { return radius * radius * (1.0 + 1e-9); }

    struct Buffers {
        std::vector<std::uint32_t> doubtful;
        std::vector<double> squared;
    };

    double radiusOf(std::size_t centre, std::size_t level) const {
        return balls_.radius[centre * balls_.levels + level];
    }

    std::optional<double> knownDistance(std::size_t centre, std::uint32_t point) const {
        if (balls_.known == nullptr)
            return std::nullopt;
        const std::size_t k = balls_.known->k;
        const std::uint32_t* index = balls_.known->index.data() + centre * k;
        std::size_t at = k;
        for (std::size_t rank = 0; rank < k; ++rank) // all of them: faster in vectors than to the first hit
            at = index[rank] == point ? rank : at;
        return at < k ? std::optional(balls_.known->distance[centre * k + at]) : std::nullopt;
    }

    /// Counts the pair where bounds tell which balls hold the point.
    bool countByBounds(const ProposedPairs& pairs, std::size_t pair) {
        const std::uint32_t centre = rows_.baseRow[pairs.place[pair]];
        // Where balls are large, most pairs are inside the smallest of them already.
        if (pairs.atMost(pair) < inside_[centre]) {
            add(pairs.query, centre, 0, 0);
            return true;
        }
        const PairBounds bounds = pairs.bounds(pair);
        if (bounds.low > outside_[centre])
            return true; // only within the largest radius of another centre
        const auto surely = [&](double radius) { return bounds.high < radius * radius * kCertain; };
        const auto perhaps = [&](double radius) { return bounds.low <= beyond(radius); };
        const std::size_t first = firstBall(centre, perhaps);
        if (first != firstBall(centre, surely))
            return false;
        const std::size_t clipped = firstClippedBall(centre, first, perhaps);
        if (clipped != firstClippedBall(centre, first, surely))
            return false;
        add(pairs.query, centre, first, clipped);
        return true;
    }

    void countAt(std::size_t place, std::size_t centre, double distance) {
        const auto holds = [distance](double radius) { return distance <= radius; };
        const std::size_t first = firstBall(centre, holds);
        add(place, centre, first, firstClippedBall(centre, first, holds));
    }

    /// Measures what bounds left in doubt.
    void countDoubtful(std::size_t place, Buffers& buffers) {
        const std::uint32_t point = rows_.query[place];
        std::vector<std::uint32_t>& doubtful = buffers.doubtful;
        std::erase_if(doubtful, [&](std::uint32_t centre) {
            const std::optional<double> distance = knownDistance(centre, point);
            if (distance)
                countAt(place, centre, *distance);
            return distance.has_value();
        });
        buffers.squared.resize(doubtful.size());
        kernels().squaredDistances(balls_.points.rowData(point), balls_.centres, doubtful, buffers.squared.data());
        for (std::size_t d = 0; d < doubtful.size(); ++d)
            countAt(place, doubtful[d], std::sqrt(buffers.squared[d]));
        doubtful.clear();
    }

    /// Adds a point to the balls from these levels on; the number of levels is for none.
    void add(std::size_t place, std::size_t centre, std::size_t first, std::size_t clipped) {
        const std::uint32_t times = balls_.times.empty() ? 1 : balls_.times[centre];
        if (first < balls_.levels)
            counts.holding[place * balls_.levels + first] += times;
        if (!balls_.cap.empty() && clipped < balls_.levels)
            counts.clippedHolding[place * balls_.levels + clipped] += times;
    }

    template <typename Holds>
    std::size_t firstBall(std::size_t centre, const Holds& holds) const {
        return firstLevel(0, [&](std::size_t level) { return holds(radiusOf(centre, level)); });
    }
    /// @param first of the balls that are not clipped
    template <typename Holds>
    std::size_t firstClippedBall(std::size_t centre, std::size_t first, const Holds& holds) const {
        if (balls_.cap.empty())
            return balls_.levels;
        return firstLevel(
            first, [&](std::size_t level) { return holds(std::min(radiusOf(centre, level), balls_.cap[level])); });
    }

    /// The first level from `from` on that holds; all after it do.
    template <typename Holds>
    std::size_t firstLevel(std::size_t from, const Holds& holds) const {
        std::size_t end = balls_.levels;
        while (from < end) {
            const std::size_t middle = from + (end - from) / 2;
            if (holds(middle))
                end = middle;
            else
                from = middle + 1;
        }
        return from;
    }

    const RankedBalls& balls_;
    const PairRows& rows_;
    std::vector<double> outside_;  ///< per centre: lower bounds above this are outside its largest ball
    std::vector<double> inside_;   ///< per centre: upper bounds below this are in its smallest ball, clipped or not
    std::vector<Buffers> buffers_; ///< per worker
};

/// Integers where products are most of the work: where few pairs are within a radius. Tried on some of the points.
Precision precisionFor(const PairProposer& proposer, const RankedBalls& balls, const PairRows& rows, unsigned threads,
                       const JobContext& job) {
    constexpr std::size_t kSome = 256;
    constexpr double kFew = 0.01; // of the pairs; measuring one takes as long as some hundred products
    if (!integersPossible(balls.points.dim) || balls.points.rows < 8 * kSome)
        return Precision::Single;
    const std::vector<std::uint32_t> some = evenlySpacedRows(balls.points.rows, kSome);
    const PairRows trial{rows.queries, some, rows.base, rows.baseRow};
    CountedBalls counted(balls, trial, threads);
    proposer.propose(trial, counted, job, Precision::Single);
    const auto inside = std::accumulate(counted.counts.holding.begin(), counted.counts.holding.end(), 0.0);
    return inside < kFew * static_cast<double>(kSome * balls.centres.rows) ? Precision::Integer : Precision::Single;
}

/// A level's ball holds what smaller ones hold.
void addUp(std::vector<std::uint32_t>& counts, std::size_t levels) {
    for (std::size_t i = 1; i < counts.size(); ++i)
        counts[i] += i % levels == 0 ? 0 : counts[i - 1];
}

} // namespace

RankedBallCounts countRankedBalls(PairSearch search, const RankedBalls& balls, unsigned threads, const JobContext& job,
                                  const Accelerator* accelerator) {
    check(balls);
    if (balls.points.rows * balls.levels == 0 || balls.centres.rows == 0) {
        const std::vector<std::uint32_t> none(balls.points.rows * balls.levels, 0);
        return {none, balls.cap.empty() ? std::vector<std::uint32_t>{} : none};
    }
    const PairProposer proposer(search, balls.centres, balls.points, threads, job.part({}, 0.0, 0.05), accelerator);
    std::vector<std::uint32_t> points(balls.points.rows);
    std::iota(points.begin(), points.end(), 0U);
    std::vector<std::uint32_t> centres(balls.centres.rows);
    std::iota(centres.begin(), centres.end(), 0U);
    const auto largest = [&](std::uint32_t centre) { return balls.radius[(centre + 1) * balls.levels - 1]; };
    // Columns of a tile share a limit: it is tight where their balls are of a size.
    std::stable_sort(centres.begin(), centres.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return largest(a) < largest(b); });
    const PairRows rows{balls.points, points, balls.centres, centres};
    CountedBalls counted(balls, rows, threads);
    const Precision precision = search == PairSearch::ByProducts
                                    ? precisionFor(proposer, balls, rows, threads, job.part({}, 0.05, 0.05))
                                    : Precision::Single;
    proposer.propose(rows, counted, job.part({}, 0.05, 1.0), precision);
    addUp(counted.counts.holding, balls.levels);
    addUp(counted.counts.clippedHolding, balls.levels);
    job.checkpoint(1.0);
    return std::move(counted.counts);
}

} // namespace assay
