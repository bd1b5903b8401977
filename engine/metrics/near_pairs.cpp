#include "engine/metrics/near_pairs.h"

#include "engine/audit/audit_result.h"
#include "engine/knn/distance_products.h"
#include "engine/knn/pair_quest.h"
#include "engine/metrics/families.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace assay {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Neighbours of one query in a table.
struct Listed {
    std::span<const std::uint32_t> index;
    std::span<const double> distance;
    bool all; ///< whether the whole base is listed

    Listed(const NeighborTable& table, std::size_t query, std::size_t baseRows)
        : index(table.index.data() + query * table.k, table.k),
          distance(table.distance.data() + query * table.k, table.k), all(table.k == baseRows) {}

    bool names(std::uint32_t row) const { return std::find(index.begin(), index.end(), row) != index.end(); }
    /// No row that is not listed is nearer than this.
    double beyond() const { return all ? kInfinity : distance.back(); }
};

/// A quest that begins with a table of neighbours.
class TableQuest : public PairQuest {
public:
    TableQuest(const NeighborTable& table, std::size_t baseRows) : table_(table), baseRows_(baseRows) {}

    bool knows(std::size_t query, std::uint32_t baseRow) const override {
        return listed(queryRow[query]).names(baseRow);
    }

    std::vector<std::uint32_t> queryRow; ///< asked about, ascending

protected:
    Listed listed(std::size_t row) const { return {table_, row, baseRows_}; }

    const NeighborTable& table_;
    std::size_t baseRows_;
};

/// 1 - product of distance / A over all rows within A: what a table tells of it, and which rows it leaves open.
class ListedProducts {
public:
    ListedProducts(const NeighborTable& table, std::size_t baseRows, double within)
        : within_(within), score_(table.rows()) {
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const Listed near(table, row, baseRows);
            const double product = productOf(near.distance);
            score_[row] = product < kNegligibleProduct ? 1.0 : 1.0 - product;
            // With A = 0 nothing but copies is within it, and the first of them is listed.
            if (near.beyond() <= within_ && product >= kNegligibleProduct && within_ > 0.0)
                open_.push_back(static_cast<std::uint32_t>(row));
        }
    }

    /// Those whose list ends within A.
    ProductSide open(MatrixView set) const { return {set, open_, within_ > 0.0 ? within_ : 1.0}; }

    /// One value per row. @param products of those that were open
    std::vector<double> scores(const std::vector<double>& products) && {
        for (std::size_t o = 0; o < open_.size(); ++o)
            score_[open_[o]] = 1.0 - products[o];
        return std::move(score_);
    }

private:
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

/// max over base rows of weight / distance.
class RatioQuest : public TableQuest {
public:
    /// @param weight per base row; negative for those that do not take part
    RatioQuest(const NeighborTable& table, std::span<const double> weight)
        : TableQuest(table, weight.size()), best_(table.rows(), 0.0) {
        const double most = *std::max_element(weight.begin(), weight.end());
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const Listed near = listed(row);
            for (std::size_t rank = 0; rank < near.index.size(); ++rank)
                if (weight[near.index[rank]] >= 0.0)
                    best_[row] = std::max(best_[row], ratio(weight[near.index[rank]], near.distance[rank]));
            if (best_[row] < most / near.beyond()) {
                queryRow.push_back(static_cast<std::uint32_t>(row));
                least_ = std::min(least_, best_[row] * near.beyond());
            }
        }
    }

    /// No row of less weight than this matters.
    double leastWeight() const { return least_; }

    double reach(std::size_t query, double, double most) const override {
        const std::uint32_t row = queryRow[query];
        if (best_[row] == kInfinity)
            return -1.0;
        const double reach = best_[row] > 0.0 ? most / best_[row] * (1.0 + 1e-15) : kInfinity;
        return reach < listed(row).beyond() ? -1.0 : reach;
    }

    void meet(std::size_t query, std::uint32_t, double weight, double distance) override {
        double& own = best_[queryRow[query]];
        own = std::max(own, ratio(weight, distance));
    }

    /// One value per row, once all pairs were met.
    std::vector<double> takeBest() { return std::move(best_); }

private:
    /// A copy is infinitely realistic, even of a sample whose ball has no size.
    static double ratio(double weight, double distance) { return distance > 0.0 ? weight / distance : kInfinity; }

    double least_ = kInfinity;
    std::vector<double> best_; ///< per row
};

/// Smallest radius of the base rows' closed balls that hold a row.
class SmallestBallQuest : public TableQuest {
public:
    /// @param holding per row: balls that hold it
    SmallestBallQuest(const NeighborTable& table, std::span<const double> radius,
                      std::span<const std::uint32_t> holding)
        : TableQuest(table, radius.size()), smallest_(table.rows(), kInfinity) {
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const Listed near = listed(row);
            std::size_t known = 0;
            for (std::size_t rank = 0; rank < near.index.size(); ++rank) {
                const double own = radius[near.index[rank]];
                if (near.distance[rank] > own)
                    continue;
                ++known;
                smallest_[row] = std::min(smallest_[row], own);
            }
            // A ball whose centre is not listed is at least as large as the last distance.
            if (known == holding[row] || smallest_[row] <= near.beyond())
                continue;
            queryRow.push_back(static_cast<std::uint32_t>(row));
            least_ = std::min(least_, near.beyond());
            most_ = std::max(most_, smallest_[row]);
        }
    }

    /// Only balls whose radius is in this range matter.
    bool matters(double radius) const { return radius >= least_ && radius < most_; }

    double reach(std::size_t query, double least, double most) const override {
        const std::uint32_t row = queryRow[query];
        if (least >= smallest_[row])
            return -1.0;
        const double reach = std::min(most, smallest_[row]);
        return reach < listed(row).beyond() ? -1.0 : reach;
    }

    void meet(std::size_t query, std::uint32_t, double radius, double distance) override {
        double& own = smallest_[queryRow[query]];
        if (distance <= radius)
            own = std::min(own, radius);
    }

    /// One value per row, once all pairs were met; infinity for those in no ball.
    std::vector<double> takeSmallest() { return std::move(smallest_); }

private:
    double least_ = kInfinity;
    double most_ = 0.0;
    std::vector<double> smallest_; ///< per row
};

class Finder {
public:
    Finder(const MetricInputs& in, PairFinder finder)
        : in_(in), finder_(finder), real_(in.real.set->matrix()), synthetic_(in.synthetic->matrix()) {}

    NearPairScores find() const {
        NearPairScores scores;
        findProducts(scores, in_.job.part({}, 0.0, 0.8));
        scores.realism = realism();
        scores.rarity = rarity();
        return scores;
    }

private:
    void pursue(PairQuest& quest, const QuestSets& sets, const JobContext& job) const {
        if (finder_ == PairFinder::Tree)
            pursueByTree(quest, sets, in_.threads, job);
        else
            pursueByProducts(quest, sets, in_.threads, job);
    }

    void findProducts(NearPairScores& scores, const JobContext& job) const {
        ListedProducts precision(in_.pair.syntheticToReal, real_.rows, 1.2 * metrics::meanOf(in_.real.radius));
        ListedProducts recall(in_.pair.realToSynthetic, synthetic_.rows,
                              1.2 * metrics::meanOf(in_.pair.syntheticRadius));
        const auto find = finder_ == PairFinder::Tree ? distanceProductsByTree : distanceProductsByMatrix;
        const DistanceProducts found = find(recall.open(real_), precision.open(synthetic_), in_.threads, job);
        scores.pPrecision = std::move(precision).scores(found.b);
        scores.pRecall = std::move(recall).scores(found.a);
    }

    std::vector<double> realism() const {
        std::vector<double> weight = in_.real.radius;
        for (double& radius : weight)
            radius = radius < in_.real.medianRadius ? radius : -1.0;
        const bool any = std::any_of(weight.begin(), weight.end(), [](double radius) { return radius >= 0.0; });
        if (!any)
            return std::vector<double>(synthetic_.rows, kNaN);
        RatioQuest quest(in_.pair.syntheticToReal, weight);
        QuestSets sets{synthetic_, quest.queryRow, real_, {}, {}};
        for (std::size_t row = 0; row < weight.size(); ++row)
            if (weight[row] > 0.0 && weight[row] >= quest.leastWeight() * (1.0 - 1e-12))
                sets.baseRow.push_back(static_cast<std::uint32_t>(row));
        // The largest are the likeliest.
        std::stable_sort(sets.baseRow.begin(), sets.baseRow.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return weight[a] > weight[b]; });
        for (const std::uint32_t row : sets.baseRow)
            sets.weight.push_back(weight[row]);
        pursue(quest, sets, in_.job.part({}, 0.8, 0.9));
        return quest.takeBest();
    }

    std::vector<double> rarity() const {
        SmallestBallQuest quest(in_.pair.syntheticToReal, in_.real.radius, in_.pair.ballsHolding);
        QuestSets sets{synthetic_, quest.queryRow, real_, {}, {}};
        for (std::size_t row = 0; row < in_.real.radius.size(); ++row)
            if (quest.matters(in_.real.radius[row]))
                sets.baseRow.push_back(static_cast<std::uint32_t>(row));
        std::stable_sort(sets.baseRow.begin(), sets.baseRow.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return in_.real.radius[a] < in_.real.radius[b]; });
        for (const std::uint32_t row : sets.baseRow)
            sets.weight.push_back(in_.real.radius[row]);
        pursue(quest, sets, in_.job.part({}, 0.9, 1.0));
        std::vector<double> rarity = quest.takeSmallest();
        std::replace(rarity.begin(), rarity.end(), kInfinity, kNaN);
        return rarity;
    }

    const MetricInputs& in_;
    PairFinder finder_;
    MatrixView real_;
    MatrixView synthetic_;
};

} // namespace

PairFinder pairFinderFor(std::string_view backend) {
    return backend == "kdtree" ? PairFinder::Tree : PairFinder::Products;
}

NearPairScores findNearPairScores(const MetricInputs& in, PairFinder finder) {
    return Finder(in, finder).find();
}

namespace metrics {

std::vector<double> pPrecisionPerSample(const MetricInputs& in) {
    return in.nearPairs->pPrecision;
}
std::vector<double> pRecallPerSample(const MetricInputs& in) {
    return in.nearPairs->pRecall;
}
double pPrecision(const MetricInputs& in) {
    return meanOf(in.nearPairs->pPrecision);
}
double pRecall(const MetricInputs& in) {
    return meanOf(in.nearPairs->pRecall);
}

std::vector<double> realismPerSample(const MetricInputs& in) {
    return in.nearPairs->realism;
}

double realism(const MetricInputs& in) {
    std::vector<double> values = in.nearPairs->realism;
    if (values.empty() || std::isnan(values.front()))
        return kNaN;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    if (values.size() % 2 == 1 || values[half - 1] == values[half])
        return values[half];
    return (values[half - 1] + values[half]) / 2.0;
}

std::vector<double> rarityPerSample(const MetricInputs& in) {
    return in.nearPairs->rarity;
}

double rarity(const MetricInputs& in) {
    std::vector<double> inside;
    std::copy_if(in.nearPairs->rarity.begin(), in.nearPairs->rarity.end(), std::back_inserter(inside),
                 [](double radius) { return !std::isnan(radius); });
    return meanOf(inside);
}

double rarityOutside(const MetricInputs& in) {
    const std::vector<double>& all = in.nearPairs->rarity;
    const auto outside = std::count_if(all.begin(), all.end(), [](double radius) { return std::isnan(radius); });
    return static_cast<double>(outside) / static_cast<double>(all.size());
}

} // namespace metrics
} // namespace assay
