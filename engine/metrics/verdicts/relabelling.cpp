#include "engine/metrics/verdicts/relabelling.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/quantile.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/equal_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay {
namespace {

constexpr std::size_t kDraws = 40;
constexpr std::size_t kDrawsOfFew = 200;
constexpr std::size_t kFewRows = 1500;
constexpr std::size_t kMaxRows = 8000;     ///< rows whose statistics the draws look at
constexpr std::size_t kMaxLonger = 4096;   ///< the same where longer lists are searched for them
constexpr std::size_t kMaxSearched = 2048; ///< the same where every draw searches its smaller side
constexpr std::size_t kLongestList = 600;
constexpr double kUnknown = -1.0;

using Label = std::vector<std::uint8_t>; ///< per pooled row: 1 for real

/// Distance to the k-th nearest row of either label; kUnknown where the lists end early.
struct Pair {
    double toReal = kUnknown;
    double toSynthetic = kUnknown;
};

/// The pooled rows: first one row of each unit of the real set, then the synthetic rows, each set in content order.
class Pool {
public:
    Pool(const RealAnalysis& real, const RealPartition& partition, MatrixView synthetic, const PairTables& tables,
         const NeighborSearch& search, const ComputeContext& context)
        : k_(real.k), real_(inContentOrder(real.set->matrix(), partition.rows, context.seed, context.threads)),
          synthetic_(inContentOrder(synthetic, {}, context.seed, context.threads)), search_(search),
          context_(context), lists_{{{&real.neighbors, &tables.real.nearest},
                                     {&tables.synthetic.nearest, &tables.syntheticToSynthetic}}} {
        constexpr std::uint32_t kNone = ~std::uint32_t{0};
        placeOfReal_.assign(real.set->rows(), kNone);
        placeOfSynthetic_.resize(synthetic.rows);
        for (std::uint32_t place = 0; place < reals(); ++place)
            placeOfReal_[real_.rows[place]] = place;
        for (std::uint32_t place = 0; place < synthetics(); ++place)
            placeOfSynthetic_[synthetic_.rows[place]] = static_cast<std::uint32_t>(reals()) + place;
        chooseRows();
    }

    std::size_t reals() const { return real_.size(); }
    std::size_t synthetics() const { return synthetic_.size(); }
    std::size_t size() const { return reals() + synthetics(); }
    /// The pooled rows that draws look at.
    const std::vector<std::uint32_t>& looked() const { return looked_; }
    std::uint32_t realRow(std::size_t place) const { return real_.rows[place]; }
    std::size_t dim() const { return real_.set.dim; }

    Label givenLabels() const {
        Label label(size(), 0);
        std::fill_n(label.begin(), reals(), std::uint8_t{1});
        return label;
    }

    Label drawn(std::size_t draw) const {
        Label label(size(), 0);
        Random random = Random::forItem(streamSeed(context_.seed, "labels"), draw);
        // As many labels as real rows are handed out: every row gets one with the share that is left.
        std::size_t left = reals();
        for (std::size_t at = 0; at < size(); ++at)
            if (random.below(size() - at) < left) {
                label[at] = 1;
                --left;
            }
        return label;
    }

    /// Distances of a pooled row, as far as its lists tell them.
    Pair listed(std::uint32_t at, const Label& label) const {
        const std::array<NeighborList, 2> lists = listsOf(at);
        std::array<std::size_t, 2> rank{};
        std::array<std::size_t, 2> seen{};
        Pair found;
        const double limit = std::min(lists[0].limit, lists[1].limit);
        while (found.toReal < 0.0 || found.toSynthetic < 0.0) {
            const double inReal = lists[0].distance(rank[0]);
            const double inSynthetic = lists[1].distance(rank[1]);
            const std::size_t side = inReal <= inSynthetic ? 0 : 1;
            const double distance = std::min(inReal, inSynthetic);
            if (!(distance <= limit) || std::isinf(distance))
                break;
            const std::uint32_t row = lists[side].index[rank[side]++];
            const std::uint32_t place = side == 0 ? placeOfReal_[row] : placeOfSynthetic_[row];
            if (place >= size()) // another row stands for its unit
                continue;
            const bool isReal = label[place] != 0;
            if (++seen[isReal ? 1 : 0] == k_)
                (isReal ? found.toReal : found.toSynthetic) = distance;
        }
        return found;
    }

    /// Distances of a pooled row to the k-th nearest row of each set.
    Pair given(std::uint32_t at) const {
        Pair found;
        for (const std::size_t side : {0U, 1U}) {
            const NeighborTable& table = *lists_[at < reals() ? 0 : 1][side];
            const std::size_t row = at < reals() ? real_.rows[at] : synthetic_.rows[at - reals()];
            std::size_t seen = 0;
            for (std::size_t rank = 0; rank < table.k && seen < k_; ++rank)
                if (side == 1 || placeOfReal_[table.indexAt(row, rank)] < size())
                    if (++seen == k_)
                        (side == 0 ? found.toReal : found.toSynthetic) = table.distanceAt(row, rank);
        }
        return found;
    }

    /// Replaces the unknown distances of some rows.
    /// @param pairs one per entry of `rows`
    void search(std::span<const std::uint32_t> rows, std::vector<Pair>& pairs, const Label& label) const {
        for (const bool toReal : {true, false}) {
            const auto wanted = [&](std::size_t i) -> double& {
                return toReal ? pairs[i].toReal : pairs[i].toSynthetic;
            };
            std::vector<std::size_t> late;
            std::vector<std::uint32_t> places;
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (wanted(i) < 0.0) {
                    late.push_back(i);
                    places.push_back(rows[i]);
                }
            if (late.empty())
                continue;
            std::vector<std::uint32_t> members;
            for (std::uint32_t at = 0; at < size(); ++at)
                if ((label[at] != 0) == toReal)
                    members.push_back(at);
            const std::vector<float> queries = gathered(places);
            const std::vector<float> base = gathered(members);
            const std::size_t depth = std::min(k_ + 1, members.size()); // itself may be among them
            const NeighborTable found =
                search_.nearest({queries.data(), late.size(), dim()}, {base.data(), members.size(), dim()}, depth,
                                context_.job.silent());
            for (std::size_t i = 0; i < late.size(); ++i) {
                const bool isMember = (label[places[i]] != 0) == toReal;
                wanted(late[i]) = found.distanceAt(i, std::min(depth - 1, isMember ? k_ : k_ - 1));
            }
        }
    }

    /// Listed distances above 0 of the rows that draws look at.
    std::vector<double> positiveDistances() const {
        std::vector<double> distances;
        for (const std::uint32_t at : looked_)
            for (const NeighborList& list : listsOf(at))
                for (std::size_t rank = 0; rank < std::min<std::size_t>(list.count, 2 * k_ + 8); ++rank)
                    if (list.distances[rank] > 0.0)
                        distances.push_back(list.distances[rank]);
        return distances;
    }

    /// Whether one of the rows that draws look at, or a real one, equals another row.
    bool hasEqualRows() const {
        for (std::uint32_t at = 0; at < size(); ++at)
            for (const NeighborTable* table : lists_[at < reals() ? 0 : 1])
                if (table->distanceAt(at < reals() ? real_.rows[at] : synthetic_.rows[at - reals()], 0) == 0.0)
                    return true;
        return false;
    }

    /// Group of equal rows of every pooled row.
    std::vector<std::uint32_t> groups() const {
        const EqualRows equal =
            groupEqualRows(std::array{real_.set, synthetic_.set}, {0, context_.threads, context_.job.silent()});
        std::vector<std::uint32_t> groups(size());
        for (std::size_t at = 0; at < size(); ++at)
            groups[at] = at < reals() ? equal.group[0][real_.rows[at]] : equal.group[1][synthetic_.rows[at - reals()]];
        return groups;
    }

private:
    struct NeighborList {
        const std::uint32_t* index;
        const double* distances;
        std::size_t count;
        double limit; ///< the list has every row that is nearer; infinite if it has all rows

        double distance(std::size_t rank) const {
            return rank < count ? distances[rank] : std::numeric_limits<double>::infinity();
        }
    };

    std::array<NeighborList, 2> listsOf(std::uint32_t at) const {
        const bool isReal = at < reals();
        const std::size_t row = isReal ? real_.rows[at] : synthetic_.rows[at - reals()];
        std::array<NeighborList, 2> lists{};
        for (const std::size_t side : {0U, 1U}) {
            const NeighborTable* table = lists_[isReal ? 0 : 1][side];
            std::size_t slot = row;
            if (!longer_[isReal ? 0 : 1][side].index.empty()) {
                table = &longer_[isReal ? 0 : 1][side];
                slot = slotOf_[at];
            }
            const std::size_t whole = (side == 0 ? real_ : synthetic_).set.rows - (isReal == (side == 0) ? 1 : 0);
            lists[side] = {table->index.data() + slot * table->k, table->distance.data() + slot * table->k, table->k,
                           table->k >= whole ? std::numeric_limits<double>::infinity()
                                             : table->distanceAt(slot, table->k - 1)};
        }
        return lists;
    }

    std::vector<float> gathered(std::span<const std::uint32_t> places) const {
        std::vector<float> values;
        values.reserve(places.size() * dim());
        for (const std::uint32_t at : places) {
            const auto row = at < reals() ? real_.row(at) : synthetic_.row(at - reals());
            values.insert(values.end(), row.begin(), row.end());
        }
        return values;
    }

    /// Chooses the rows that draws look at, evenly among both sets, and finds longer lists where the stored ones end
    /// before the k-th row of the rarer label.
    void chooseRows() {
        const auto all = static_cast<double>(size());
        const auto rarer = static_cast<double>(std::min(reals(), synthetics()));
        const double wanted = 2.5 * static_cast<double>(k_) * all / rarer + 12.0; // rows of the list
        const auto needed = [&](std::size_t rows) {
            return static_cast<std::size_t>(std::ceil(wanted * static_cast<double>(rows) / all));
        };
        bool isLonger = false;
        for (const auto& ofSet : lists_)
            for (const std::size_t side : {0U, 1U}) {
                const std::size_t rows = side == 0 ? reals() : synthetics();
                isLonger = isLonger || ofSet[side]->k < std::min(needed(rows), rows - 1);
            }
        const bool isTooLong = wanted > static_cast<double>(kLongestList);
        const std::size_t most = !isLonger ? kMaxRows : isTooLong ? kMaxSearched : kMaxLonger;
        slotOf_.assign(size(), 0);
        std::array<std::vector<std::uint32_t>, 2> places;
        for (const std::uint32_t step : evenlySpacedRows(size(), std::min(size(), most))) {
            looked_.push_back(step);
            std::vector<std::uint32_t>& of = places[step < reals() ? 0 : 1];
            slotOf_[step] = static_cast<std::uint32_t>(of.size());
            of.push_back(step);
        }
        if (!isLonger || isTooLong)
            return;
        for (const std::size_t set : {0U, 1U})
            for (const std::size_t side : {0U, 1U}) {
                const MatrixView base = side == 0 ? real_.set : synthetic_.set;
                const std::size_t rows = side == 0 ? reals() : synthetics();
                const std::size_t own = set == side ? 1 : 0;
                // Rows that another one of their unit stands for are in the lists, too.
                const std::size_t depth = std::min(needed(rows) * base.rows / rows + 4, base.rows - own);
                if (lists_[set][side]->k >= depth || places[set].empty())
                    continue;
                const std::vector<float> queries = gathered(places[set]);
                NeighborTable found = search_.nearest({queries.data(), places[set].size(), dim()}, base, depth + own,
                                                      context_.job.silent());
                longer_[set][side] = own == 0 ? std::move(found) : withoutSelf(found, places[set], set);
            }
    }

    NeighborTable withoutSelf(const NeighborTable& found, const std::vector<std::uint32_t>& places,
                              std::size_t set) const {
        NeighborTable table = noNeighbors(places.size(), found.k - 1);
        for (std::size_t slot = 0; slot < places.size(); ++slot) {
            const std::uint32_t self = set == 0 ? real_.rows[places[slot]] : synthetic_.rows[places[slot] - reals()];
            std::size_t taken = 0;
            for (std::size_t rank = 0; rank < found.k && taken < table.k; ++rank)
                if (found.indexAt(slot, rank) != self) {
                    table.index[slot * table.k + taken] = found.indexAt(slot, rank);
                    table.distance[slot * table.k + taken++] = found.distanceAt(slot, rank);
                }
        }
        return table;
    }

    std::size_t k_;
    ComparedRows real_;
    ComparedRows synthetic_;
    const NeighborSearch& search_;
    const ComputeContext& context_;
    std::array<std::array<const NeighborTable*, 2>, 2> lists_;  ///< by the row's set and the neighbours' set
    std::array<std::array<NeighborTable, 2>, 2> longer_;        ///< of the rows looked at; empty: lists_ serve
    std::vector<std::uint32_t> slotOf_;                         ///< per pooled row: its row in longer_
    std::vector<std::uint32_t> placeOfReal_, placeOfSynthetic_; ///< pooled row of each row
    std::vector<std::uint32_t> looked_;
};

/// Values of one labelling.
struct Labelled {
    std::vector<double> ratios; ///< of the rows that are labelled real
    double logSpread = 0.0;
};

/// Turns distances into values.
class Valuation {
public:
    explicit Valuation(const Pool& pool) : pool_(pool) {
        std::vector<double> positive = pool.positiveDistances();
        constexpr double kMin = 0.01;
        if (!positive.empty())
            least_ = quantile(std::span(positive), kMin);
        if (pool.hasEqualRows())
            groups_ = pool.groups();
    }

    /// @param rows pooled rows, one pair each
    Labelled of(std::span<const std::uint32_t> rows, const std::vector<Pair>& pairs, const Label& label) const {
        Labelled values;
        Counts counts;
        double own[2] = {0.0, 0.0};
        std::size_t number[2] = {0, 0};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool isReal = label[rows[i]] != 0;
            own[isReal ? 1 : 0] += std::log(std::max(isReal ? pairs[i].toReal : pairs[i].toSynthetic, least_));
            ++number[isReal ? 1 : 0];
            if (isReal)
                values.ratios.push_back(ratioOf(rows[i], pairs[i], label, counts));
        }
        values.logSpread = own[0] / static_cast<double>(std::max<std::size_t>(number[0], 1)) -
                           own[1] / static_cast<double>(std::max<std::size_t>(number[1], 1));
        return values;
    }

private:
    /// Number of equal rows of each group and label, counted when they are needed.
    struct Counts {
        std::vector<std::uint32_t> real, all;
    };

    double ratioOf(std::uint32_t at, const Pair& pair, const Label& label, Counts& counts) const {
        if (pair.toReal == 0.0 && pair.toSynthetic == 0.0) {
            if (counts.all.empty()) {
                const std::size_t groups = *std::ranges::max_element(groups_) + std::size_t{1};
                counts.all = countsOf(groups_, groups);
                counts.real.resize(groups);
                for (std::size_t row = 0; row < groups_.size(); ++row)
                    counts.real[groups_[row]] += label[row];
            }
            const double real = counts.real[groups_[at]] - 1.0; // without itself
            const double synthetic = static_cast<double>(counts.all[groups_[at]]) - real - 1.0;
            return rounded(std::log(real / static_cast<double>(pool_.reals() - 1)) -
                           std::log(synthetic / static_cast<double>(pool_.synthetics())));
        }
        return rounded(static_cast<double>(pool_.dim()) * (std::log(pair.toSynthetic) - std::log(pair.toReal)));
    }

    /// Ties stay ties, and infinite values are far out.
    static double rounded(double value) {
        constexpr double kFar = 1e9;
        constexpr double kDigits = 1e9;
        return std::isnan(value) ? 0.0 : std::clamp(std::round(value * kDigits) / kDigits, -kFar, kFar);
    }

    const Pool& pool_;
    double least_ = 1e-300;
    std::vector<std::uint32_t> groups_;
};

double shareBeyond(const std::vector<double>& values, double limit) {
    const auto beyond = std::ranges::count_if(values, [&](double value) { return value > limit; });
    return static_cast<double>(beyond) / static_cast<double>(std::max<std::size_t>(values.size(), 1));
}

} // namespace

Relabelling Relabelling::ofRows(const RealPartition& partition) const {
    Relabelling all = *this;
    if (coverageRatio.empty())
        return all;
    std::vector<std::uint32_t> placeOfUnit(partition.rows.size());
    for (std::uint32_t place = 0; place < partition.rows.size(); ++place)
        placeOfUnit[partition.unit[partition.rows[place]]] = place;
    all.coverageRatio.clear();
    all.pValue.clear();
    for (const std::uint32_t unit : partition.unit) {
        all.coverageRatio.push_back(coverageRatio[placeOfUnit[unit]]);
        all.pValue.push_back(pValue[placeOfUnit[unit]]);
    }
    return all;
}

Relabelling drawLabels(const RealAnalysis& real, const RealPartition& partition, MatrixView synthetic,
                       const PairTables& tables, const NeighborSearch& search, const ComputeContext& context) {
    Relabelling result;
    if (partition.rows.size() <= real.k + 1 || synthetic.rows <= real.k)
        return result;
    const Pool pool(real, partition, synthetic, tables, search, context);
    const std::vector<std::uint32_t>& looked = pool.looked();
    const std::size_t draws = pool.size() <= kFewRows ? kDrawsOfFew : kDraws;
    const Valuation valuation(pool);
    std::vector<std::vector<Pair>> late(draws); // distances of draws in which a list ends early
    std::vector<Labelled> tablesOfDraws(draws);
    parallelFor(draws, context.threads, context.job, [&](std::size_t draw, unsigned) {
        const Label label = pool.drawn(draw);
        std::vector<Pair> pairs(looked.size());
        for (std::size_t i = 0; i < looked.size(); ++i)
            pairs[i] = pool.listed(looked[i], label);
        if (std::ranges::any_of(pairs, [](const Pair& pair) { return pair.toReal < 0.0 || pair.toSynthetic < 0.0; }))
            late[draw] = std::move(pairs);
        else
            tablesOfDraws[draw] = valuation.of(looked, pairs, label);
    });
    for (std::size_t draw = 0; draw < draws; ++draw) {
        if (late[draw].empty())
            continue;
        context.job.throwIfStopped();
        const Label label = pool.drawn(draw);
        pool.search(looked, late[draw], label);
        tablesOfDraws[draw] = valuation.of(looked, late[draw], label);
        late[draw] = {};
    }
    // The given labels, of every real row; the spread needs synthetic rows as well.
    const Label label = pool.givenLabels();
    std::vector<std::uint32_t> rows(pool.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::vector<Pair> pairs(rows.size());
    constexpr std::size_t kRowsAtOnce = 2048;
    parallelRanges(rows.size(), kRowsAtOnce, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       for (std::size_t at = first; at < last; ++at)
                           pairs[at] = pool.given(rows[at]);
                   });
    pool.search(rows, pairs, label);
    const Labelled given = valuation.of(rows, pairs, label);

    // The given labels weigh as much as one draw: where many real samples are missed, they would hide each other.
    std::vector<double> all;
    for (const std::uint32_t at : looked)
        if (at < pool.reals())
            all.push_back(given.ratios[at]);
    for (const Labelled& of : tablesOfDraws)
        all.insert(all.end(), of.ratios.begin(), of.ratios.end());
    const std::vector<double> p = conformalPValues(given.ratios, all, Extreme::High);
    constexpr double kExtreme = 0.975;
    const double limit = quantile(std::span(all), kExtreme);
    const double beyond = shareBeyond(given.ratios, limit);
    const auto asMany = static_cast<double>(std::ranges::count_if(
        tablesOfDraws, [&](const Labelled& of) { return shareBeyond(of.ratios, limit) >= beyond; }));
    constexpr double kRare = 0.005;
    result.missesMore = asMany <= kRare * static_cast<double>(draws);
    result.missesSurely = asMany == 0.0;
    std::vector<double> spreads;
    spreads.reserve(draws);
    for (const Labelled& of : tablesOfDraws)
        spreads.push_back(of.logSpread);
    const double mean = metrics::meanOf(spreads);
    double variance = 0.0;
    for (const double spread : spreads)
        variance += (spread - mean) * (spread - mean) / static_cast<double>(draws);
    result.spreadRatio = std::exp(given.logSpread - mean);
    result.spreadDeviations = (given.logSpread - mean) / std::max(std::sqrt(variance), 1e-9);
    // Every row of a unit has the values of the one that stands for it.
    std::vector<std::uint32_t> placeOfUnit(pool.reals());
    for (std::uint32_t place = 0; place < pool.reals(); ++place)
        placeOfUnit[partition.unit[pool.realRow(place)]] = place;
    for (const std::uint32_t unit : partition.unit) {
        result.coverageRatio.push_back(given.ratios[placeOfUnit[unit]]);
        result.pValue.push_back(p[placeOfUnit[unit]]);
    }
    return result;
}

} // namespace assay
