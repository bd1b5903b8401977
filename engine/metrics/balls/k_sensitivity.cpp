#include "engine/metrics/balls/k_sensitivity.h"

#include "engine/base/parallel.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/entropy/entropy.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/subset_neighbors.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/equal_rows.h"
#include "engine/neighbors/pairs/ranked_balls.h"

#include <algorithm>
#include <array>
#include <span>

namespace assay::metrics {
namespace {

constexpr std::array<std::string_view, 10> kLines{
    "clipped_density", "clipped_coverage", "density", "coverage", "precision",
    "recall",          "authenticity",     "pce",     "rce",      "re"};

NeighborTable rowsOf(const NeighborTable& table, const std::vector<std::uint32_t>& rows) {
    NeighborTable some;
    some.k = table.k;
    for (const std::uint32_t row : rows)
        for (std::size_t rank = 0; rank < table.k; ++rank) {
            some.index.push_back(table.indexAt(row, rank));
            some.distance.push_back(table.distanceAt(row, rank));
        }
    return some;
}

/// Balls around every row of a set. On level l a ball reaches to the neighbour of rank l + 1, counted from 1.
struct BallsByK {
    MatrixView centres;
    const NeighborTable& own; ///< neighbours within the centres' set, which define the radii
    MatrixView points;
    const NeighborTable& members; ///< points nearest to each centre, which are candidate members
    std::span<const double> cap;  ///< see RankedBalls
    bool samePoints = false;      ///< whether the points are the centres; a row's own balls do not count then
};

class CountByK {
public:
    CountByK(const BallsByK& balls, std::size_t levels) : balls_(balls), levels_(levels) {
        counts_.holding.assign(balls.points.rows * levels, 0);
        if (!balls.cap.empty())
            counts_.clippedHolding = counts_.holding;
    }

    /// Counts the balls whose members are all in the stored neighbour lists.
    void countListed(const JobContext& job) {
        constexpr std::size_t kRowsBetweenLooks = 4096;
        for (std::size_t row = 0; row < balls_.centres.rows; ++row) {
            if (row % kRowsBetweenLooks == 0)
                job.throwIfStopped();
            if (listed(row))
                addListed(row);
            else
                open_.push_back(static_cast<std::uint32_t>(row));
        }
        addUp(counts_.holding);
        addUp(counts_.clippedHolding);
    }

    /// Counts the remaining balls; call it after countListed().
    RankedBallCounts finish(const MetricInputs& in) {
        if (!open_.empty())
            addOpen(in);
        return std::move(counts_);
    }

private:
    double radius(std::size_t row, std::size_t level) const { return balls_.own.distanceAt(row, level); }

    /// Whether the stored neighbours contain all members of the row's largest ball.
    bool listed(std::size_t row) const {
        const NeighborTable& table = balls_.members;
        const std::size_t all = balls_.points.rows - (balls_.samePoints ? 1 : 0);
        // Of points at the last distance some may not be in the list.
        return table.k == all || radius(row, levels_ - 1) < table.distanceAt(row, table.k - 1);
    }

    void addListed(std::size_t row) {
        const NeighborTable& table = balls_.members;
        std::size_t level = 0;
        std::size_t clippedLevel = 0;
        // Distances ascend, and with them the first level that reaches so far.
        for (std::size_t rank = 0; rank < table.k; ++rank) {
            const double distance = table.distanceAt(row, rank);
            while (level < levels_ && radius(row, level) < distance)
                ++level;
            if (level == levels_)
                return;
            const std::size_t point = std::size_t{table.indexAt(row, rank)} * levels_;
            ++counts_.holding[point + level];
            if (balls_.cap.empty())
                continue;
            while (clippedLevel < levels_ && balls_.cap[clippedLevel] < distance)
                ++clippedLevel;
            if (clippedLevel < levels_)
                ++counts_.clippedHolding[point + std::max(level, clippedLevel)];
        }
    }

    void addUp(std::vector<std::uint32_t>& counts) const {
        for (std::size_t first = 0; first < counts.size(); first += levels_)
            for (std::size_t level = 1; level < levels_; ++level)
                counts[first + level] += counts[first + level - 1];
    }

    /// Counts the balls with more members than stored neighbours, in one pass over all their pairs.
    void addOpen(const MetricInputs& in) {
        const std::vector<float> centres = gatherRows(balls_.centres, open_);
        const MatrixView open{centres.data(), open_.size(), balls_.centres.dim};
        if (hasZeroDistance(balls_.own, 1)) {
            const EqualRows equal =
                groupEqualRows(std::array{open, balls_.points}, {in.seed, in.threads, in.job.silent()});
            const DistinctRows centre = equal.distinct(0);
            const DistinctRows point = equal.distinct(1);
            if (2 * centre.row.size() * point.row.size() < open.rows * balls_.points.rows) {
                addDistinct(open, centre, point, in);
                return;
            }
        }
        const NeighborTable known = rowsOf(balls_.members, open_);
        const RankedBallCounts counted =
            countRankedBalls(in.pairSearch, {open, balls_.points, levels_, radiiOf(open_), balls_.cap, {}, &known},
                             in.threads, in.job, in.accelerator);
        addCounted(counted, [](std::size_t row) { return row; });
    }

    /// The same where many rows are equal: balls of equal centres are equal, and so is what holds equal points.
    void addDistinct(MatrixView open, const DistinctRows& centre, const DistinctRows& point, const MetricInputs& in) {
        std::vector<std::uint32_t> rows;
        for (const std::uint32_t place : centre.row)
            rows.push_back(open_[place]);
        const std::vector<float> centres = gatherRows(open, centre.row);
        const std::vector<float> points = gatherRows(balls_.points, point.row);
        const std::vector<double> radii = radiiOf(rows);
        const RankedBallCounts counted = countRankedBalls(in.pairSearch,
                                                          {{centres.data(), rows.size(), open.dim},
                                                           {points.data(), point.row.size(), open.dim},
                                                           levels_,
                                                           radii,
                                                           balls_.cap,
                                                           centre.times},
                                                          in.threads, in.job, in.accelerator);
        addCounted(counted, [&](std::size_t row) { return point.of[row]; });
    }

    std::vector<double> radiiOf(std::span<const std::uint32_t> rows) const {
        std::vector<double> radii;
        radii.reserve(rows.size() * levels_);
        for (const std::uint32_t row : rows)
            for (std::size_t level = 0; level < levels_; ++level)
                radii.push_back(radius(row, level));
        return radii;
    }

    /// @param of which of the counted points each point is
    template <typename Of>
    void addCounted(const RankedBallCounts& counted, const Of& of) {
        for (std::size_t row = 0; row < balls_.points.rows; ++row)
            for (std::size_t level = 0; level < levels_; ++level) {
                const std::size_t from = of(row) * levels_ + level;
                counts_.holding[row * levels_ + level] += counted.holding[from];
                if (!balls_.cap.empty())
                    counts_.clippedHolding[row * levels_ + level] += counted.clippedHolding[from];
            }
        if (!balls_.samePoints)
            return;
        // Every ball holds its own centre, at every level.
        for (const std::uint32_t row : open_)
            for (std::size_t level = 0; level < levels_; ++level) {
                --counts_.holding[row * levels_ + level];
                if (!balls_.cap.empty())
                    --counts_.clippedHolding[row * levels_ + level];
            }
    }

    BallsByK balls_;
    std::size_t levels_;
    RankedBallCounts counts_;
    std::vector<std::uint32_t> open_;
};

std::vector<std::uint32_t> columnOf(const std::vector<std::uint32_t>& counts, std::size_t levels, std::size_t level) {
    std::vector<std::uint32_t> column(counts.size() / levels);
    for (std::size_t row = 0; row < column.size(); ++row)
        column[row] = counts[row * levels + level];
    return column;
}

/// Counts that every k needs, computed once.
class Sensitivity {
public:
    explicit Sensitivity(const MetricInputs& in)
        : in_(in), levels_(std::min({kLargestSensitivityK, in.real.neighbors.k, in.pair.syntheticToSynthetic.k,
                                     in.pair.synthetic.nearest.k, in.pair.real.nearest.k})),
          authenticity_(meanOf(authentic(in))), medians_(levels_) {
        const MatrixView real = in.real.set->matrix();
        const MatrixView synthetic = in.get<SyntheticRows>().matrix;
        parallelFor(levels_, in.threads, in.job.silent(), [&](std::size_t level, unsigned) {
            medians_[level] = median(in.real.neighbors.distancesAt(level + 1));
        });
        std::array<CountByK, 3> counts{
            CountByK({real, in.real.neighbors, synthetic, in.pair.real.nearest, medians_}, levels_),
            CountByK({real, in.real.neighbors, real, in.real.neighbors, medians_, true}, levels_),
            CountByK({synthetic, in.pair.syntheticToSynthetic, real, in.pair.synthetic.nearest, {}}, levels_)};
        parallelFor(counts.size() + 1, in.threads, in.job.silent(), [&](std::size_t task, unsigned) {
            if (task < counts.size())
                counts[task].countListed(in.job);
            else
                insideBall_ = insideBalls();
        });
        inReal_ = counts[0].finish(in);
        realInReal_ = counts[1].finish(in);
        inSynthetic_ = counts[2].finish(in);
    }

    std::size_t levels() const { return levels_; }

    /// Values at one k, in the order of kLines.
    std::array<double, kLines.size()> at(std::size_t k) const {
        RealAnalysis real;
        real.set = in_.real.set;
        real.k = k;
        real.innerHolding = columnOf(realInReal_.clippedHolding, levels_, k - 1);
        PairTables pair;
        pair.synthetic.holding = columnOf(inReal_.holding, levels_, k - 1);
        pair.synthetic.innerHolding = columnOf(inReal_.clippedHolding, levels_, k - 1);
        pair.real.holding = columnOf(inSynthetic_.holding, levels_, k - 1);
        pair.real.inside = insideBall_[k - 1];
        const MetricInputs in{real, pair, k};
        const std::size_t n = in_.real.set->rows();
        const std::size_t m = in_.get<SyntheticRows>().matrix.rows;
        const std::vector<double> radius = in_.real.neighbors.distancesAt(k);
        real.entropy = meanOf(entropyTerms(radius, n - 1, k, real.set->dim()));
        const auto entropyOf = [&in](const NeighborTable& table, std::size_t candidates) {
            return meanOf(termsAboveReal(table, candidates, in));
        };
        return {clippedDensity(in),
                clippedCoverage(in),
                density(in),
                coverage(in),
                precision(in),
                recall(in),
                authenticity_,
                entropyOf(in_.pair.synthetic.nearest, n),
                entropyOf(in_.pair.real.nearest, m),
                entropyOf(in_.pair.syntheticToSynthetic, m - 1)};
    }

private:
    /// Synthetic samples in each real ball, per k, counted up to k: no metric needs a larger count.
    std::vector<std::vector<std::uint32_t>> insideBalls() const {
        const NeighborTable& nearest = in_.pair.real.nearest;
        std::vector<std::vector<std::uint32_t>> inside(levels_, std::vector<std::uint32_t>(nearest.rows()));
        for (std::size_t row = 0; row < nearest.rows(); ++row) {
            std::uint32_t count = 0;
            for (std::size_t level = 0; level < levels_; ++level) {
                const double radius = in_.real.neighbors.distanceAt(row, level);
                while (count <= level && nearest.distanceAt(row, count) <= radius)
                    ++count;
                inside[level][row] = count;
            }
        }
        return inside;
    }

    const MetricInputs& in_;
    std::size_t levels_;
    double authenticity_; ///< equal for every k
    std::vector<double> medians_;
    std::vector<std::vector<std::uint32_t>> insideBall_; ///< per k
    RankedBallCounts inReal_;                            ///< per synthetic sample: real balls that contain it
    /// Per real sample: balls of other real samples that contain it.
    RankedBallCounts realInReal_;
    RankedBallCounts inSynthetic_; ///< per real sample: synthetic balls that contain it
};

} // namespace

CurveValues kSensitivity(const MetricInputs& in) {
    const Sensitivity sensitivity(in);
    CurveValues curve;
    for (const std::string_view id : kLines)
        curve.lines.push_back({std::string(id), std::vector<double>(sensitivity.levels())});
    for (std::size_t k = 1; k <= sensitivity.levels(); ++k)
        curve.x.push_back(static_cast<double>(k));
    parallelFor(sensitivity.levels(), in.threads, in.job, [&](std::size_t level, unsigned) {
        const auto values = sensitivity.at(level + 1);
        for (std::size_t line = 0; line < values.size(); ++line)
            curve.lines[line].y[level] = values[line];
    });
    return curve;
}

} // namespace assay::metrics
