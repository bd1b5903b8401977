#include "engine/metrics/near_pairs.h"

#include "engine/audit/audit_result.h"
#include "engine/knn/pair_quest.h"
#include "engine/metrics/families.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

/// 1 - product of distance / A over all rows within A.
class ProductQuest : public TableQuest {
public:
    ProductQuest(const NeighborTable& table, std::size_t baseRows, double within)
        : TableQuest(table, baseRows), within_(within), score_(table.rows()) {
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const Listed near = listed(row);
            const double product = productOf(near.distance);
            score_[row] = 1.0 - product;
            if (near.beyond() > within_ || product < kNoMore)
                continue;
            queryRow.push_back(static_cast<std::uint32_t>(row));
            partial_.push_back(product);
        }
        bound_.assign(queryRow.size(), 1.0);
        members_.resize(queryRow.size());
    }

    double reach(std::size_t query, double, double) const override { return closed(query) ? -1.0 : within_; }
    bool takesBounds() const override { return true; }

    void bound(std::size_t query, std::span<const double> squaredAtMost) override {
        // The margin covers the rounding of distances and products.
        const double surely = within_ * within_ * (1.0 - 1e-9);
        double product = bound_[query];
        for (const double squared : squaredAtMost)
            product *= squared < surely ? std::max(squared, 0.0) / surely : 1.0;
        bound_[query] = product;
    }

    void meet(std::size_t query, std::uint32_t baseRow, double, double distance) override {
        if (distance > within_)
            return;
        partial_[query] *= ratio(distance);
        members_[query].push_back({distance, baseRow});
    }

    void done(std::size_t query) override {
        score_[queryRow[query]] = closed(query) ? 1.0 : 1.0 - productOfAll(query);
        std::vector<Member>().swap(members_[query]); // gives its memory back
    }

    /// One value per row, once all pairs were met.
    std::vector<double> takeScores() { return std::move(score_); }

private:
    struct Member {
        double distance;
        std::uint32_t row;
        friend bool operator<(const Member& a, const Member& b) noexcept {
            return a.distance < b.distance || (a.distance == b.distance && a.row < b.row);
        }
    };

    /// A product below this leaves 1 when it is taken from 1, whatever it is multiplied with.
    static constexpr double kNoMore = 0x1p-54;

    bool closed(std::size_t query) const {
        return partial_[query] < kNoMore || bound_[query] < kNoMore * kNoMore * (1.0 - 1e-5);
    }

    /// With A = 0 only copies are within it: they count as at no distance.
    double ratio(double distance) const { return within_ > 0.0 ? distance / within_ : 0.0; }

    double productOf(std::span<const double> ascending) const {
        double product = 1.0;
        for (std::size_t rank = 0; rank < ascending.size() && ascending[rank] <= within_; ++rank)
            product *= ratio(ascending[rank]);
        return product;
    }

    /// In ascending order, whatever order they were found in.
    double productOfAll(std::size_t query) {
        std::vector<Member>& members = members_[query];
        std::sort(members.begin(), members.end());
        double product = productOf(listed(queryRow[query]).distance);
        for (const Member& member : members)
            product *= ratio(member.distance);
        return product;
    }

    double within_;
    std::vector<double> partial_; ///< per query: product over the members known so far
    std::vector<double> bound_;   ///< per query: squared product over some members, at most
    std::vector<std::vector<Member>> members_;
    std::vector<double> score_; ///< per row
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
        scores.pPrecision = product(in_.pair.syntheticToReal, in_.real.radius, synthetic_, real_, 0.0);
        scores.pRecall = product(in_.pair.realToSynthetic, in_.pair.syntheticRadius, real_, synthetic_, 0.4);
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

    std::vector<double> product(const NeighborTable& table, std::span<const double> baseRadius, MatrixView queries,
                                MatrixView base, double begin) const {
        ProductQuest quest(table, base.rows, 1.2 * metrics::meanOf(baseRadius));
        pursue(quest, {queries, quest.queryRow, base, spread(base.rows), {}}, in_.job.part({}, begin, begin + 0.4));
        return quest.takeScores();
    }

    /// Every row once, consecutive ones far apart: sets are often sorted by class.
    static std::vector<std::uint32_t> spread(std::size_t rows) {
        std::size_t stride = std::max<std::size_t>(1, static_cast<std::size_t>(0.618 * static_cast<double>(rows)));
        while (std::gcd(stride, rows) != 1)
            ++stride;
        std::vector<std::uint32_t> order(rows);
        for (std::size_t r = 0, row = 0; r < rows; ++r, row = (row + stride) % rows)
            order[r] = static_cast<std::uint32_t>(row);
        return order;
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
