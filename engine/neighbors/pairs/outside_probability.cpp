#include "engine/neighbors/pairs/outside_probability.h"

#include "engine/base/parallel.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/pairs/outside_probability_kernels.h"
#include "engine/neighbors/pairs/pair_proposer.h"
#include "engine/neighbors/pairs/pair_scans.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>

namespace assay {
namespace {

using Rows = std::vector<std::uint32_t>;

/// A set and the probabilities of its rows.
struct Side {
    const OutsideQuery& given;
    std::vector<ProbabilityInSteps> probability; ///< per row of the set
    Rows open;                                   ///< that ask and whose probability may not be negligible
    std::int64_t within;                         ///< logarithm of the squared distance

    explicit Side(const OutsideQuery& query)
        : given(query), probability(query.set.rows), open(query.asked),
          within(ProbabilityInSteps::logarithm(query.within * query.within)) {}

    /// Rows that are not open.
    Rows others() const {
        std::vector<bool> isOpen(given.set.rows, false);
        for (const std::uint32_t row : open)
            isOpen[row] = true;
        return rowsWhere(isOpen.size(), [&](std::size_t row) { return !isOpen[row]; });
    }

    std::vector<double> results() const {
        std::vector<double> of;
        of.reserve(given.asked.size());
        for (const std::uint32_t row : given.asked)
            of.push_back(probability[row].probability());
        return of;
    }
};

/// Every row once, consecutive ones far apart: sets are often sorted by class.
Rows spread(std::size_t rows) {
    std::size_t stride = std::max<std::size_t>(1, static_cast<std::size_t>(0.618 * static_cast<double>(rows)));
    while (std::gcd(stride, rows) != 1)
        ++stride;
    Rows order(rows);
    for (std::size_t r = 0, row = 0; r < rows; ++r, row = (row + stride) % rows)
        order[r] = static_cast<std::uint32_t>(row);
    return order;
}

/// Multiplies upper bounds of the distances, measuring none: many queries have so many rows within the distance that
/// some of these show the probability to be negligible. A query is left alone once the others promise too little.
class MultipliedBounds : public PairHandler {
public:
    MultipliedBounds(const PairRows& rows, double within)
        : within_(within), unit_((1.0 + 1e-6) / (within * within)), // more than what rounding takes off a factor
          columns_(rows.baseRow.size()), octaves_(rows.query.size(), 0.0) {}

    double farthest(std::size_t query, const PlaceRange& base) const override {
        constexpr double kWorthIt = 0.8; // a query that is settled only by the last rows is better measured
        const double seen = static_cast<double>(base.first) / static_cast<double>(columns_);
        const bool matters =
            !isNegligible(query) && octaves_[query] >= seen / kWorthIt * ProbabilityInSteps::kClosedOctaves;
        return matters ? within_ : -1.0;
    }

    void take(const ProposedPairs& pairs, const JobContext&) override {
        double product = 1.0;
        for (std::size_t pair = 0; pair < pairs.place.size(); ++pair)
            product *= std::clamp(pairs.atMost(pair) * unit_, 0.0, 1.0);
        octaves_[pairs.query] -= std::log2(product);
    }

    bool isNegligible(std::size_t query) const { return octaves_[query] > ProbabilityInSteps::kClosedOctaves; }

private:
    double within_;
    double unit_; ///< what makes factors of squared distances
    std::size_t columns_;
    std::vector<double> octaves_; ///< halvings that the bounds of a query seen so far multiply to
};

/// Settles rows of a side by bounds.
void closeByBounds(const PairProposer& proposer, Side& side, const Side& other, const JobContext& job) {
    const Rows order = spread(other.given.set.rows);
    const PairRows rows{side.given.set, side.open, other.given.set, order};
    MultipliedBounds bounds(rows, side.given.within);
    proposer.propose(rows, bounds, job);
    Rows open;
    for (std::size_t query = 0; query < side.open.size(); ++query) {
        if (bounds.isNegligible(query))
            side.probability[side.open[query]].close();
        else
            open.push_back(side.open[query]);
    }
    side.open = std::move(open);
}

/// Which sides a pair's distance counts for.
enum class Counts { OneSide, BothSides };

/// Measures the pairs within the distance and multiplies what they give.
class MultipliedPairs : public PairHandler {
public:
    MultipliedPairs(const PairRows& rows, Side& queries, Side& base, Counts counts, unsigned threads)
        : rows_(rows), queries_(queries), base_(base), counts_(counts),
          within_(counts == Counts::BothSides ? std::max(queries.given.within, base.given.within)
                                              : queries.given.within),
          openInTile_(rows.baseRow.size() / kTile + 1), buffers_(resolveThreads(threads)) {
        if (counts == Counts::OneSide)
            return;
        for (std::size_t place = 0; place < rows.baseRow.size(); ++place)
            if (!base.probability[rows.baseRow[place]].isNegligible()) {
                ++openInTile_[place / kTile];
                ++open_;
            }
    }

    double farthest(std::size_t query, const PlaceRange& base) const override {
        const bool isOneTile = base.last - base.first <= kTile && base.first % kTile == 0;
        const std::size_t open = isOneTile ? openInTile_[base.first / kTile] : open_;
        return queryIsOpen(query) || open > 0 ? within_ : -1.0;
    }

    void take(const ProposedPairs& pairs, const JobContext& job) override {
        job.throwIfStopped();
        const bool both = counts_ == Counts::BothSides;
        const bool open = queryIsOpen(pairs.query);
        Buffers& buffers = buffers_[pairs.worker];
        buffers.place.clear();
        buffers.values.clear();
        for (const std::uint32_t place : pairs.place) {
            if (!open && !(both && !base_.probability[rows_.baseRow[place]].isNegligible()))
                continue;
            buffers.place.push_back(place);
            buffers.values.push_back(rows_.base.rowData(rows_.baseRow[place]));
        }
        buffers.squared.resize(buffers.place.size());
        const std::uint32_t row = rows_.query[pairs.query];
        squaredDistancesNear(rows_.queries.rowData(row), buffers.values.data(), buffers.values.size(),
                             rows_.queries.dim, buffers.squared.data());
        std::int64_t sum = 0;
        for (std::size_t p = 0; p < buffers.place.size(); ++p) {
            const std::int64_t distance = ProbabilityInSteps::logarithm(buffers.squared[p]);
            sum = ProbabilityInSteps::sum(ProbabilityInSteps::factor(queries_.within, distance), sum);
            if (both)
                takeForBase(buffers.place[p], ProbabilityInSteps::factor(base_.within, distance));
        }
        queries_.probability[row].take(sum);
    }

private:
    static constexpr std::size_t kTile = ProductScan::kTileColumns;

    struct Buffers {
        Rows place; ///< of base rows
        std::vector<const float*> values;
        std::vector<double> squared;
    };

    bool queryIsOpen(std::size_t query) const { return !queries_.probability[rows_.query[query]].isNegligible(); }

    void takeForBase(std::size_t place, std::int64_t factor) {
        if (!base_.probability[rows_.baseRow[place]].take(factor))
            return;
        --openInTile_[place / kTile];
        --open_;
    }

    const PairRows& rows_;
    Side& queries_;
    Side& base_;
    Counts counts_;
    double within_;
    std::vector<std::atomic<std::size_t>> openInTile_; ///< base rows whose probability is not negligible yet
    std::atomic<std::size_t> open_ = 0;
    std::vector<Buffers> buffers_; ///< per worker
};

} // namespace

OutsideProbabilities outsideProbabilities(PairSearch search, const OutsideQuery& a, const OutsideQuery& b,
                                          unsigned threads, const JobContext& job, const Accelerator* accelerator) {
    if (a.asked.empty() && b.asked.empty())
        return {};
    const PairProposer proposer(search, a.set, b.set, threads, job.part({}, 0.0, 0.0), accelerator);
    Side sideA(a);
    Side sideB(b);
    if (search == PairSearch::ByProducts) { // a tree hands over pairs that are near first, and is soon done with them
        closeByBounds(proposer, sideA, sideB, job.part({}, 0.0, 0.1));
        closeByBounds(proposer, sideB, sideA, job.part({}, 0.1, 0.2));
    }
    const Rows othersA = sideA.others();
    const Rows othersB = sideB.others();
    struct Step {
        Side& queries;
        Side& base;
        const Rows& baseRow;
        Counts counts;
        double pairs() const { return static_cast<double>(queries.open.size()) * static_cast<double>(baseRow.size()); }
    };
    const std::array<Step, 3> steps{Step{sideA, sideB, sideB.open, Counts::BothSides},
                                    Step{sideA, sideB, othersB, Counts::OneSide},
                                    Step{sideB, sideA, othersA, Counts::OneSide}};
    const double all = std::max(1.0, steps[0].pairs() + steps[1].pairs() + steps[2].pairs());
    double done = 0.2;
    for (const Step& step : steps) {
        const double share = 0.8 * step.pairs() / all;
        const JobContext part = job.part({}, done, std::min(1.0, done + share));
        done += share;
        const PairRows rows{step.queries.given.set, step.queries.open, step.base.given.set, step.baseRow};
        MultipliedPairs multiplied(rows, step.queries, step.base, step.counts, threads);
        proposer.propose(rows, multiplied, part);
    }
    return {sideA.results(), sideB.results()};
}

} // namespace assay
