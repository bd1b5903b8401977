#include "engine/metrics/balls/near_pairs.h"

#include "engine/data/matrix_view.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"
#include "engine/neighbors/pairs/outside_probability.h"
#include "engine/neighbors/pairs/pair_proposer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>

namespace assay {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Listed neighbours of one query in a table.
struct Listed {
    std::span<const std::uint32_t> index;
    std::span<const double> distance;
    bool all; ///< whether the whole base is listed

    Listed(const NeighborTable& table, std::size_t query, std::size_t baseRows)
        : index(table.index.data() + query * table.k, table.k),
          distance(table.distance.data() + query * table.k, table.k), all(table.k == baseRows) {}

    bool names(std::uint32_t row) const { return std::find(index.begin(), index.end(), row) != index.end(); }
    /// Lower bound of the distance to every row that is not listed.
    double beyond() const { return all ? kInfinity : distance.back(); }
};

/// Upper bound of each row's mean squared distance to all rows of the other set. The squared distance |x - y|^2 equals
/// |x - c|^2 + |y - c|^2 - 2 (x - c) . (y - c); the mean over y has mean(y) - c in its last term.
/// @param distance |x - c|, per row
/// @param others |y - c|, per row of the other set
/// @param meanDistance |mean(y) - c|
std::vector<double> mostMeanSquares(std::span<const double> distance, std::span<const double> others,
                                    double meanDistance) {
    const double square = std::inner_product(others.begin(), others.end(), others.begin(), 0.0);
    const double ofOthers = square / static_cast<double>(others.size());
    std::vector<double> most(distance.size());
    std::transform(distance.begin(), distance.end(), most.begin(),
                   [&](double own) { return own * own + ofOthers + 2.0 * own * meanDistance; });
    return most;
}

/// Computes 1 - product of distance / A over all rows within A from a neighbour table, and finds the rows whose list is
/// too short.
class ListedProbabilities {
public:
    /// @param within A
    /// @param meanSquares upper bounds of the rows' mean squared distances to the base; may be empty
    ListedProbabilities(const NeighborTable& table, std::size_t baseRows, double within,
                        std::span<const double> meanSquares)
        : within_(within), score_(table.rows()) {
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const Listed near(table, row, baseRows);
            const double product = productOf(near.distance);
            const bool negligible =
                product < kNegligibleProbability || (!meanSquares.empty() && isNegligible(meanSquares[row], baseRows));
            score_[row] = negligible ? 1.0 : 1.0 - product;
            // With A = 0 nothing but copies is within it, and the first of them is listed.
            if (near.beyond() <= within_ && !negligible && within_ > 0.0)
                open_.push_back(static_cast<std::uint32_t>(row));
        }
    }

    /// Rows that need pairs beyond the table: their list ends within A.
    OutsideQuery open(MatrixView set) const { return {set, open_, within_ > 0.0 ? within_ : 1.0}; }

    /// The scores, one per row.
    /// @param outside probabilities of the rows in open(), from all pairs
    std::vector<double> scores(const std::vector<double>& outside) && {
        for (std::size_t o = 0; o < open_.size(); ++o)
            score_[open_[o]] = 1.0 - outside[o];
        return std::move(score_);
    }

private:
    /// Whether the product is negligible because most rows lie within A, as with independent coordinates. Their number
    /// alone gives a bound. The logarithm is concave, so the product of min(distance, A) / A is at most (mean squared
    /// distance / A^2)^(rows / 2).
    bool isNegligible(double meanSquare, std::size_t rows) const {
        constexpr double kRounding = 1.0 + 1e-6;
        const double share = kRounding * meanSquare / (within_ * within_);
        return share < 1.0 &&
               0.5 * static_cast<double>(rows) * std::log(share) < std::log(0.999 * kNegligibleProbability);
    }

    double productOf(std::span<const double> ascending) const {
        double product = 1.0;
        for (std::size_t rank = 0; rank < ascending.size() && ascending[rank] <= within_; ++rank)
            product *= within_ > 0.0 ? ascending[rank] / within_ : 0.0; // copies count as at no distance
        return product;
    }

    double within_;
    std::vector<double> score_;
    std::vector<std::uint32_t> open_;
};

/// Base of handlers that start from a neighbour table and measure only pairs that it does not list.
class ListedPairs : public MeasuredPairs {
public:
    /// @param weight one per base row
    ListedPairs(const NeighborTable& table, MatrixView queries, MatrixView base, std::span<const double> weight)
        : table_(table), queries_(queries), base_(base), weight_(weight) {}

    PairRows rows() const override { return {queries_, queryRow_, base_, baseRow_}; }

protected:
    bool isKnown(std::size_t query, std::size_t base) const override {
        return listed(queryRow_[query]).names(baseRow_[base]);
    }

    Listed listed(std::size_t row) const { return {table_, row, base_.rows}; }
    double weightAt(std::size_t base) const { return weight_[baseRow_[base]]; }

    const NeighborTable& table_;
    MatrixView queries_;
    MatrixView base_;
    std::span<const double> weight_;
    std::vector<std::uint32_t> queryRow_; ///< rows that need pairs beyond the table, ascending
    std::vector<std::uint32_t> baseRow_;  ///< rows that can change a score, the likeliest first
};

/// Computes max over base rows of weight / distance for every row of the table.
class LargestRatio : public ListedPairs {
public:
    /// @param weight one per base row, at least one of them not negative; negative for base rows that are left out
    LargestRatio(const NeighborTable& table, MatrixView queries, MatrixView base, std::span<const double> weight)
        : ListedPairs(table, queries, base, weight), best_(table.rows(), 0.0) {
        const double most = *std::max_element(weight.begin(), weight.end());
        double least = kInfinity; // weight of a base row that can change a score
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const Listed near = listed(row);
            for (std::size_t rank = 0; rank < near.index.size(); ++rank)
                if (weight[near.index[rank]] >= 0.0)
                    best_[row] = std::max(best_[row], ratio(weight[near.index[rank]], near.distance[rank]));
            if (best_[row] < most / near.beyond()) {
                queryRow_.push_back(static_cast<std::uint32_t>(row));
                least = std::min(least, best_[row] * near.beyond());
            }
        }
        baseRow_ = rowsWhere(
            weight.size(), [&](std::size_t row) { return weight[row] > 0.0 && weight[row] >= least * (1.0 - 1e-12); });
        std::ranges::stable_sort(baseRow_, std::greater(), [&](std::uint32_t row) { return weight[row]; });
    }

    double farthest(std::size_t query, const PlaceRange& base) const override {
        const std::uint32_t row = queryRow_[query];
        if (best_[row] == kInfinity)
            return -1.0;
        const double reach = best_[row] > 0.0 ? weightAt(base.first) / best_[row] * (1.0 + 1e-15) : kInfinity;
        return reach < listed(row).beyond() ? -1.0 : reach;
    }

    /// Maximum per row; call it after all pairs are visited.
    std::vector<double> takeBest() { return std::move(best_); }

private:
    void visit(std::size_t query, std::size_t base, double distance) override {
        double& own = best_[queryRow_[query]];
        own = std::max(own, ratio(weightAt(base), distance));
    }

    /// Infinite for a copy, even if the ball's radius is zero.
    static double ratio(double weight, double distance) { return distance > 0.0 ? weight / distance : kInfinity; }

    std::vector<double> best_; ///< per row
};

/// Computes for every row of the table the smallest radius of the base rows' closed balls that contain it.
class SmallestBall : public ListedPairs {
public:
    /// @param members rows nearest to each base row; usually these are all members of its ball
    /// @param holding per row: number of balls that contain it
    SmallestBall(const NeighborTable& table, MatrixView queries, MatrixView base, std::span<const double> radius,
                 const NeighborTable& members, std::span<const std::uint32_t> holding)
        : ListedPairs(table, queries, base, radius), members_(members), smallest_(table.rows(), kInfinity) {
        std::vector<std::size_t> known(table.rows(), 0);
        for (std::size_t ball = 0; ball < radius.size(); ++ball) {
            const Listed inside = membersOf(ball);
            for (std::size_t rank = 0; rank < inside.index.size() && inside.distance[rank] <= radius[ball]; ++rank)
                see(inside.index[rank], radius[ball], known);
        }
        double least = kInfinity; // of the radii that can change a score
        double most = 0.0;
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const Listed near = listed(row);
            for (std::size_t rank = 0; rank < near.index.size() && known[row] < holding[row]; ++rank) {
                const std::uint32_t ball = near.index[rank];
                if (near.distance[rank] <= radius[ball] && isOpen(ball) && !membersOf(ball).names(rowNumber(row)))
                    see(row, radius[ball], known);
            }
            // A ball whose centre is not listed is at least as large as the last distance.
            if (known[row] == holding[row] || smallest_[row] <= near.beyond())
                continue;
            queryRow_.push_back(rowNumber(row));
            least = std::min(least, near.beyond());
            most = std::max(most, smallest_[row]);
        }
        baseRow_ = rowsWhere(radius.size(), [&](std::size_t ball) {
            return radius[ball] >= least && radius[ball] < most && isOpen(ball);
        });
        std::ranges::stable_sort(baseRow_, std::less(), [&](std::uint32_t ball) { return radius[ball]; });
    }

    double farthest(std::size_t query, const PlaceRange& base) const override {
        const std::uint32_t row = queryRow_[query];
        if (weightAt(base.first) >= smallest_[row])
            return -1.0;
        const double reach = std::min(weightAt(base.last - 1), smallest_[row]);
        return reach < listed(row).beyond() ? -1.0 : reach;
    }

    /// Smallest radius per row, infinite for rows in no ball; call it after all pairs are visited.
    std::vector<double> takeSmallest() { return std::move(smallest_); }

private:
    bool isKnown(std::size_t query, std::size_t base) const override {
        return ListedPairs::isKnown(query, base) || membersOf(baseRow_[base]).names(queryRow_[query]);
    }
    void visit(std::size_t query, std::size_t base, double distance) override {
        double& own = smallest_[queryRow_[query]];
        if (distance <= weightAt(base))
            own = std::min(own, weightAt(base));
    }

    void see(std::size_t row, double radius, std::vector<std::size_t>& known) {
        ++known[row];
        smallest_[row] = std::min(smallest_[row], radius);
    }
    static std::uint32_t rowNumber(std::size_t row) { return static_cast<std::uint32_t>(row); }
    Listed membersOf(std::size_t ball) const { return {members_, ball, smallest_.size()}; }
    /// Whether a ball may contain more rows than its list shows.
    bool isOpen(std::size_t ball) const { return membersOf(ball).beyond() <= weight_[ball]; }

    const NeighborTable& members_;
    std::vector<double> smallest_; ///< per row
};

class Finder {
public:
    explicit Finder(const MetricInputs& in)
        : in_(in), real_(in.real.set->matrix()), synthetic_(in.get<SyntheticRows>().matrix) {}

    NearPairScores find() const {
        NearPairScores scores;
        findOutside(scores, in_.job.part({}, 0.0, 0.8));
        const PairProposer proposer(in_.pairSearch, synthetic_, real_, in_.threads, in_.job.part({}, 0.8, 0.8),
                                    in_.accelerator);
        scores.realism = realism(proposer);
        scores.rarity = rarity(proposer);
        return scores;
    }

private:
    void findOutside(NearPairScores& scores, const JobContext& job) const {
        std::vector<double> synthetic, real; // mean squared distances from the other set
        if (const auto* embedding = in_.results.find<IdentityEmbedding>()) {
            const EvaluationTables* identity = &embedding->tables;
            const std::vector<double>& ofReal = identity->real->distance;
            synthetic = mostMeanSquares(identity->centreDistance, ofReal, 0.0); // the centre is the real set's mean
            real = mostMeanSquares(ofReal, identity->centreDistance, identity->meanDistance);
        }
        ListedProbabilities precision(in_.pair.synthetic.nearest, real_.rows, 1.2 * metrics::meanOf(in_.real.radius),
                                      synthetic);
        ListedProbabilities recall(in_.pair.real.nearest, synthetic_.rows,
                                   1.2 * metrics::meanOf(in_.pair.syntheticRadius), real);
        const OutsideProbabilities found = outsideProbabilities(
            in_.pairSearch, recall.open(real_), precision.open(synthetic_), in_.threads, job, in_.accelerator);
        scores.pPrecision = std::move(precision).scores(found.b);
        scores.pRecall = std::move(recall).scores(found.a);
    }

    std::vector<double> realism(const PairProposer& proposer) const {
        const std::vector<double> weight = metrics::mapped(
            in_.real.radius, [&](double radius) { return radius < in_.real.medianRadius ? radius : -1.0; });
        const bool any = std::any_of(weight.begin(), weight.end(), [](double radius) { return radius >= 0.0; });
        if (!any)
            return std::vector<double>(synthetic_.rows, kNaN);
        LargestRatio ratios(in_.pair.synthetic.nearest, synthetic_, real_, weight);
        proposer.propose(ratios.rows(), ratios, in_.job.part({}, 0.8, 0.9));
        return ratios.takeBest();
    }

    std::vector<double> rarity(const PairProposer& proposer) const {
        SmallestBall balls(in_.pair.synthetic.nearest, synthetic_, real_, in_.real.radius, in_.pair.real.nearest,
                           in_.pair.synthetic.holding);
        proposer.propose(balls.rows(), balls, in_.job.part({}, 0.9, 1.0));
        std::vector<double> rarity = balls.takeSmallest();
        std::replace(rarity.begin(), rarity.end(), kInfinity, kNaN);
        return rarity;
    }

    const MetricInputs& in_;
    MatrixView real_;
    MatrixView synthetic_;
};

} // namespace

NearPairScores findNearPairScores(const MetricInputs& in) {
    return Finder(in).find();
}

namespace metrics {

double realism(const MetricInputs& in) {
    const std::vector<double>& values = in.get<NearPairScores>().realism;
    return values.empty() || std::isnan(values.front()) ? kNaN : median(values);
}

double rarity(const MetricInputs& in) {
    std::vector<double> inside = in.get<NearPairScores>().rarity;
    std::erase_if(inside, [](double radius) { return std::isnan(radius); });
    return meanOf(inside);
}

std::vector<double> isOutsideEveryBall(const MetricInputs& in) {
    return mapped(in.get<NearPairScores>().rarity, [](double radius) { return std::isnan(radius) ? 1.0 : 0.0; });
}

} // namespace metrics
} // namespace assay
