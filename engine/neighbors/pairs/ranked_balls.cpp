#include "engine/neighbors/pairs/ranked_balls.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/products/product_trial.h"
#include "engine/neighbors/products/tile_kernels.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <cmath>
#include <limits>
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
}

/// One pass of products. Radii of neighbouring levels are so close that the bounds of integers decide little: nearly
/// all pairs in reach are measured then.
class RankedPass {
public:
    RankedPass(const RankedBalls& balls, const Frame& frame, Precision precision, unsigned threads,
               const JobContext& job)
        : balls_(balls), precision_(precision), scale_(static_cast<double>(frame.scale)),
          centres_(ProductOperand::of(balls.centres, frame, precision, threads, job)),
          points_(ProductOperand::of(balls.points, frame, precision, threads, job)), reach_(balls.centres.rows),
          level_(balls.centres.rows), inside_(balls.centres.rows) {
        for (std::size_t c = 0; c < reach_.size(); ++c) {
            const Gate gate = Gate::of(roundUp(squared(radiusOf(c, balls.levels - 1))), centres_.bounds(c));
            reach_[c] = gate.reach;
            level_[c] = gate.level;
            const double smallest = balls.cap.empty() ? radiusOf(c, 0) : std::min(radiusOf(c, 0), balls.cap[0]);
            inside_[c] = squared(smallest) * kCertain;
        }
        counts_.holding.assign(balls.points.rows * balls.levels, 0);
        if (!balls.cap.empty())
            counts_.clippedHolding.assign(counts_.holding.size(), 0);
    }

    RankedBallCounts run(unsigned threads, const JobContext& job) {
        std::vector<Buffers> buffers(resolveThreads(threads));
        const std::size_t tasks = (balls_.points.rows + kPoints - 1) / kPoints;
        parallelFor(tasks, threads, job, [&](std::size_t task, unsigned worker) {
            const Range rows{task * kPoints, std::min(kPoints, balls_.points.rows - task * kPoints)};
            for (std::size_t c = 0; c < balls_.centres.rows; c += kCentres) {
                job.throwIfStopped();
                visitTile(rows, {c, std::min(kCentres, balls_.centres.rows - c)}, buffers[worker]);
            }
            addUp(rows, counts_.holding);
            addUp(rows, counts_.clippedHolding);
        });
        return std::move(counts_);
    }

private:
    // Each task has points of its own, so that no two of them count the same.
    static constexpr std::size_t kPoints = 128;
    static constexpr std::size_t kCentres = 384;
    /// The margin covers the rounding of the measured distance that the definition speaks of.
    static constexpr double kCertain = 1.0 - 1e-9;

    struct Buffers {
        TileProduct product;
        std::vector<float> most = std::vector<float>(kCentres);
        std::vector<float> estimate = std::vector<float>(kCentres + 16);
        std::vector<std::uint32_t> column = std::vector<std::uint32_t>(kCentres + 16);
        std::vector<float> noEstimate = std::vector<float>(kCentres + 16);
        std::vector<std::uint32_t> noColumn = std::vector<std::uint32_t>(kCentres + 16);
        std::vector<std::uint32_t> doubtful;
        std::vector<double> squared;
    };

    double radiusOf(std::size_t centre, std::size_t level) const {
        return balls_.radius[centre * balls_.levels + level];
    }
    double squared(double radius) const { return radius * scale_ * radius * scale_; }

    void visitTile(const Range& rows, const Range& columns, Buffers& buffers) {
        buffers.product.multiply(points_, rows, centres_, columns);
        constexpr float kNothing = -std::numeric_limits<float>::infinity();
        const float* reach = reach_.data() + columns.first;
        const float* level = level_.data() + columns.first;
        const ProductOperand::Extremes ofRows = points_.extremes(rows.first, rows.count);
        tileKernels().findMost(reach, level, columns.count, ofRows.residual, ofRows.offset, buffers.most.data());
        const TileColumns terms = centres_.tileColumns(columns.first, columns.count, reach, level, buffers.most.data());
        for (std::size_t r = 0; r < rows.count; ++r) {
            const std::size_t point = rows.first + r;
            const TileRow row = points_.tileRow(point, 0.0F, kNothing, kNothing);
            TileHits none{buffers.noEstimate.data(), buffers.noColumn.data(), 0};
            TileHits hits{buffers.estimate.data(), buffers.column.data(), 0};
            if (precision_ == Precision::Integer)
                tileKernels().selectInteger(buffers.product.integerRow(r), row, terms, none, hits);
            else
                tileKernels().selectSingle(buffers.product.singleRow(r), row, terms, none, hits);
            for (std::size_t h = 0; h < hits.count; ++h)
                if (!countByBounds(point, columns.first + hits.column[h], hits.estimate[h]))
                    buffers.doubtful.push_back(static_cast<std::uint32_t>(columns.first + hits.column[h]));
            countDoubtful(point, buffers);
        }
    }

    std::optional<double> knownDistance(std::size_t centre, std::size_t point) const {
        if (balls_.known == nullptr)
            return std::nullopt;
        const std::size_t k = balls_.known->k;
        const std::size_t first = (balls_.firstKnown + centre) * k;
        const std::uint32_t* index = balls_.known->index.data() + first;
        std::size_t at = k;
        for (std::size_t rank = 0; rank < k; ++rank) // all of them: faster in vectors than to the first hit
            at = index[rank] == balls_.firstPoint + point ? rank : at;
        return at < k ? std::optional(balls_.known->distance[first + at]) : std::nullopt;
    }

    /// Counts the point in the centre's balls where bounds tell which hold it.
    bool countByBounds(std::size_t point, std::size_t centre, float estimate) {
        const RowBounds& ofCentre = centres_.bounds(centre);
        const RowBounds& ofPoint = points_.bounds(point);
        // Where balls are large, most pairs are inside the smallest of them already.
        if (static_cast<double>(estimate) + static_cast<double>(ofCentre.above) + static_cast<double>(ofPoint.above) <
            inside_[centre]) {
            add(point, 0, 0);
            return true;
        }
        if (precision_ == Precision::Integer)
            return false; // hardly ever tells two levels apart
        const PairBounds bounds = PairBounds::of(ofCentre, ofPoint, estimate);
        const auto surely = [&](double radius) { return bounds.high < squared(radius) * kCertain; };
        const auto perhaps = [&](double radius) { return bounds.low <= static_cast<double>(roundUp(squared(radius))); };
        const std::size_t first = firstBall(centre, perhaps);
        if (first != firstBall(centre, surely))
            return false;
        const std::size_t clipped = firstClippedBall(centre, first, perhaps);
        if (clipped != firstClippedBall(centre, first, surely))
            return false;
        add(point, first, clipped);
        return true;
    }

    void countAt(std::size_t point, std::size_t centre, double distance) {
        const auto holds = [distance](double radius) { return distance <= radius; };
        const std::size_t first = firstBall(centre, holds);
        add(point, first, firstClippedBall(centre, first, holds));
    }

    /// Measures what bounds left in doubt.
    void countDoubtful(std::size_t point, Buffers& buffers) {
        std::vector<std::uint32_t>& doubtful = buffers.doubtful;
        std::erase_if(doubtful, [&](std::uint32_t centre) {
            const std::optional<double> distance = knownDistance(centre, point);
            if (distance)
                countAt(point, centre, *distance);
            return distance.has_value();
        });
        buffers.squared.resize(doubtful.size());
        kernels().squaredDistances(balls_.points.rowData(point), balls_.centres.data, balls_.points.dim,
                                   doubtful.data(), doubtful.size(), buffers.squared.data());
        for (std::size_t d = 0; d < doubtful.size(); ++d)
            countAt(point, doubtful[d], std::sqrt(buffers.squared[d]));
        doubtful.clear();
    }

    /// Adds a point to the balls from these levels on; the number of levels is for none.
    void add(std::size_t point, std::size_t first, std::size_t clipped) {
        if (first < balls_.levels)
            ++counts_.holding[point * balls_.levels + first];
        if (!balls_.cap.empty() && clipped < balls_.levels)
            ++counts_.clippedHolding[point * balls_.levels + clipped];
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

    /// What a level's ball holds, all larger ones hold.
    void addUp(const Range& rows, std::vector<std::uint32_t>& counts) const {
        if (counts.empty())
            return;
        for (std::size_t point = rows.first; point < rows.first + rows.count; ++point)
            for (std::size_t level = 1; level < balls_.levels; ++level)
                counts[point * balls_.levels + level] += counts[point * balls_.levels + level - 1];
    }

    const RankedBalls& balls_;
    Precision precision_;
    double scale_;
    ProductOperand centres_, points_;
    std::vector<float> reach_, level_; ///< of each centre's largest ball
    std::vector<double> inside_;       ///< bounds below this are in the smallest ball of each centre, clipped or not
    RankedBallCounts counts_;
};

/// Part of a query: some centres and some points.
RankedBalls partOf(const RankedBalls& balls, const Range& centres, const Range& points) {
    RankedBalls part = balls;
    part.centres = {balls.centres.rowData(centres.first), centres.count, balls.centres.dim};
    part.points = {balls.points.rowData(points.first), points.count, balls.points.dim};
    part.radius = balls.radius.subspan(centres.first * balls.levels, centres.count * balls.levels);
    part.firstKnown = balls.firstKnown + centres.first;
    part.firstPoint = balls.firstPoint + points.first;
    return part;
}

/// Integers where products are most of the work: where few pairs are in reach. Tried on some of the points.
Precision precisionFor(const RankedBalls& balls, const Frame& frame, unsigned threads, const JobContext& job) {
    constexpr std::size_t kSome = 256;
    constexpr double kFew = 0.01; // of the pairs; measuring one takes as long as some hundred products
    if (!integersPossible(balls.points.dim) || balls.points.rows < 8 * kSome)
        return Precision::Single;
    std::vector<float> values;
    values.reserve(kSome * balls.points.dim);
    for (std::size_t s = 0; s < kSome; ++s) {
        const auto row = balls.points.row(s * balls.points.rows / kSome);
        values.insert(values.end(), row.begin(), row.end());
    }
    RankedBalls some = balls;
    some.points = {values.data(), kSome, balls.points.dim};
    some.cap = {};
    some.known = nullptr;
    const RankedBallCounts counts = RankedPass(some, frame, Precision::Single, threads, job).run(threads, job);
    double inReach = 0.0;
    for (std::size_t point = 0; point < kSome; ++point)
        inReach += static_cast<double>(counts.holding[(point + 1) * balls.levels - 1]);
    return inReach < kFew * static_cast<double>(kSome * balls.centres.rows) ? Precision::Integer : Precision::Single;
}

void addTo(std::vector<std::uint32_t>& sum, const std::vector<std::uint32_t>& counts, std::size_t at) {
    for (std::size_t i = 0; i < counts.size(); ++i)
        sum[at + i] += counts[i];
}

} // namespace

RankedBallCounts countRankedBalls(const RankedBalls& balls, unsigned threads, const JobContext& job) {
    check(balls);
    RankedBallCounts counts;
    counts.holding.assign(balls.points.rows * balls.levels, 0);
    if (!balls.cap.empty())
        counts.clippedHolding = counts.holding;
    if (counts.holding.empty() || balls.centres.rows == 0)
        return counts;
    prepareProducts(balls.centres.dim);
    const Frame frame = Frame::of(balls.points, {balls.points, balls.centres}, threads, job.part({}, 0.0, 0.05));
    // Rows are copied for the products, some at a time: an audit that was asked to keep its memory small ends here.
    constexpr std::size_t kBytesAtOnce = std::size_t{32} << 20;
    const std::size_t atOnce = std::max<std::size_t>(512, kBytesAtOnce / (balls.centres.dim * sizeof(float)));
    const Precision precision =
        precisionFor(partOf(balls, {0, std::min(atOnce, balls.centres.rows)}, {0, balls.points.rows}), frame, threads,
                     job.part({}, 0.05, 0.05));
    for (std::size_t c = 0; c < balls.centres.rows; c += atOnce)
        for (std::size_t p = 0; p < balls.points.rows; p += atOnce) {
            const RankedBalls part = partOf(balls, {c, std::min(atOnce, balls.centres.rows - c)},
                                            {p, std::min(atOnce, balls.points.rows - p)});
            const double centresDone = static_cast<double>(c) / static_cast<double>(balls.centres.rows);
            const double pointsDone = static_cast<double>(p) / static_cast<double>(balls.points.rows);
            const double done = 0.05 + 0.95 * (centresDone + pointsDone * static_cast<double>(part.centres.rows) /
                                                                 static_cast<double>(balls.centres.rows));
            const JobContext quiet = job.part({}, done, done);
            const RankedBallCounts some = RankedPass(part, frame, precision, threads, quiet).run(threads, quiet);
            addTo(counts.holding, some.holding, p * balls.levels);
            addTo(counts.clippedHolding, some.clippedHolding, p * balls.levels);
        }
    job.checkpoint(1.0);
    return counts;
}

} // namespace assay
