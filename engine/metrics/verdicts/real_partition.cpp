#include "engine/metrics/verdicts/real_partition.h"

#include "engine/base/parallel.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/quantile.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/tables/subset_neighbors.h"
#include "engine/metrics/verdicts/equal_rows.h"
#include "engine/metrics/verdicts/sample_units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace assay {
namespace {

constexpr std::size_t kInner = 5; // ranks of the two neighbours that the dimension is told from
constexpr std::size_t kOuter = 10;
constexpr std::size_t kFewestThings = 20;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Distribution function of Beta(5, 5).
double beta55(double x) {
    constexpr std::array<double, 5> kChoose{126.0, 84.0, 36.0, 9.0, 1.0}; // 9 over 5 .. 9
    double sum = 0.0;
    for (std::size_t i = 0; i < kChoose.size(); ++i)
        sum += kChoose[i] * std::pow(x, 5.0 + static_cast<double>(i)) * std::pow(1.0 - x, 4.0 - static_cast<double>(i));
    return sum;
}

/// Largest distance of the empirical distribution, from below, to the uniform one.
double unevenness(std::vector<double> values) {
    std::ranges::sort(values);
    const auto n = static_cast<double>(values.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
        largest = std::max(largest, std::abs(values[i] - static_cast<double>(i) / n));
    return largest;
}

/// Groups that links join.
class Links {
public:
    explicit Links(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }

    void join(std::uint32_t a, std::uint32_t b) {
        a = rootOf(a);
        b = rootOf(b);
        if (a != b)
            parent_[std::max(a, b)] = std::min(a, b);
    }
    std::uint32_t rootOf(std::uint32_t one) {
        while (parent_[one] != one)
            one = parent_[one] = parent_[parent_[one]];
        return one;
    }
    std::vector<std::uint32_t> roots() {
        std::vector<std::uint32_t> roots(parent_.size());
        for (std::uint32_t i = 0; i < roots.size(); ++i)
            roots[i] = rootOf(i);
        return roots;
    }

private:
    std::vector<std::uint32_t> parent_;
};

/// Up to kOuter nearest neighbours of some rows among these rows themselves.
struct NearestAmong {
    std::size_t k = 0;
    std::vector<std::uint32_t> index;
    std::vector<double> distance;

    double at(std::size_t place, std::size_t rank) const { return distance[place * k + rank]; }
};

/// Rows in which links are searched.
struct RealRows {
    MatrixView matrix;
    const NeighborTable& neighbors;
    const NeighborSearch& search;
    const ComputeContext& context;
};

NearestAmong nearestAmong(const RealRows& real, const std::vector<std::uint32_t>& rows) {
    NearestAmong found;
    found.k = std::min(kOuter, rows.size() - 1);
    found.index.resize(rows.size() * found.k);
    found.distance.resize(rows.size() * found.k);
    RowMask kept(real.matrix.rows);
    for (const std::uint32_t row : rows)
        kept.add(row);
    SubsetNeighbors lists(real.matrix, real.matrix, QueryRows::OwnSet, real.neighbors, found.k);
    lists.choose(kept);
    const auto take = [&](std::size_t place) {
        return lists.nearestKept(rows[place], kept, found.k, found.index.data() + place * found.k,
                                 found.distance.data() + place * found.k);
    };
    std::vector<std::uint32_t> again;
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        if (place % 4096 == 0)
            real.context.job.throwIfStopped();
        if (take(place) < found.k) {
            again.push_back(rows[place]);
            places.push_back(place);
        }
    }
    if (!again.empty()) {
        lists.search(kept, again, real.search, real.context.job.silent());
        lists.choose(kept);
        for (const std::size_t place : places)
            take(place);
    }
    return found;
}

/// Dimension m by the median of the ratios of the inner to the outer distance; 0 if it cannot be told.
struct Geometry {
    double dimension = 0.0;
    double unevenness = 1.0;
};

Geometry geometryOf(const NearestAmong& near) {
    std::vector<double> ratios(near.distance.size() / near.k);
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        const double outer = near.at(i, near.k - 1);
        ratios[i] = outer > 0.0 ? near.at(i, kInner - 1) / outer : 1.0;
    }
    const double middle = median(ratios);
    if (!(middle > 0.0 && middle < 1.0))
        return {};
    const double dimension = std::log(0.5) / std::log(middle);
    for (double& ratio : ratios)
        ratio = beta55(std::pow(ratio, dimension));
    return {dimension, unevenness(std::move(ratios))};
}

std::vector<std::uint32_t> linked(const NearestAmong& near, std::span<const std::uint32_t> rows, std::size_t all,
                                  double reach) {
    std::vector<std::uint32_t> placeOf(all);
    for (std::uint32_t place = 0; place < rows.size(); ++place)
        placeOf[rows[place]] = place;
    Links links(rows.size());
    for (std::uint32_t place = 0; place < rows.size(); ++place)
        for (std::size_t rank = 0; rank < near.k; ++rank)
            if (near.at(place, rank) < reach * near.at(place, kInner - 1))
                links.join(place, placeOf[near.index[place * near.k + rank]]);
    return renumbered(links.roots());
}

/// Whether nearest neighbours are as near as the geometry says, where it matters: at most so many of the rows whose
/// nearest neighbour is among the least likely.
bool nearestAreNatural(const NearestAmong& near) {
    const double dimension = geometryOf(near).dimension;
    const std::size_t rows = near.distance.size() / near.k;
    struct Limit {
        double expected;
        std::size_t most;
    };
    for (const Limit limit : {Limit{4.0, 11}, Limit{10.0, 25}, Limit{40.0, 65}}) {
        std::size_t found = 0;
        for (std::size_t i = 0; i < rows; ++i) {
            const double ratio = near.at(i, 0) / near.at(i, kInner - 1);
            const double chance = 1.0 - std::pow(1.0 - std::pow(ratio, dimension), 4.0);
            found += chance <= limit.expected / static_cast<double>(rows) ? 1 : 0;
        }
        if (found > limit.most)
            return false;
    }
    return true;
}

/// Near repeats among distinct rows: the group of each, and the reach of links; reach 0 and every row by itself where
/// the geometry of the set does not hold.
struct Repeats {
    std::vector<std::uint32_t> group;
    double reach = 0.0;
    std::vector<std::uint32_t> links; ///< the group of each row by links alone, whatever they mean; or empty
};

Repeats findRepeats(const RealRows& real, const std::vector<std::uint32_t>& distinct,
                    std::span<const std::uint32_t> contentOrder) {
    const std::size_t n = distinct.size();
    Repeats none{std::vector<std::uint32_t>(n), 0.0, {}};
    std::iota(none.group.begin(), none.group.end(), 0U);
    if (n < kFewestThings)
        return none;
    const NearestAmong near = nearestAmong(real, distinct);
    const Geometry geometry = geometryOf(near);
    constexpr double kMaxUneven = 0.15;
    if (!(geometry.dimension > 0.0) || geometry.unevenness > kMaxUneven)
        return none;
    const double chance = 1.0 - std::pow(1.0 - 0.5 / static_cast<double>(n), 0.25);
    Repeats found{{}, std::pow(chance, 1.0 / geometry.dimension), {}};
    found.group = linked(near, distinct, real.matrix.rows, found.reach);
    // Few: only those that are clearly nearer than the nearest natural pair.
    const auto few = [&] { return static_cast<double>(n - groupsIn(found.group)) < 0.1 * static_cast<double>(n); };
    if (few()) {
        found.reach /= 2.0;
        found.group = linked(near, distinct, real.matrix.rows, found.reach);
    }
    none.links = found.links = found.group;
    const std::size_t things = groupsIn(found.group);
    std::vector<std::uint32_t> groupOfRow(real.matrix.rows, 0);
    std::vector<bool> isDistinct(real.matrix.rows, false);
    for (std::size_t place = 0; place < n; ++place) {
        groupOfRow[distinct[place]] = found.group[place];
        isDistinct[distinct[place]] = true;
    }
    std::vector<std::uint32_t> order;
    std::ranges::copy_if(contentOrder, std::back_inserter(order), [&](std::uint32_t row) { return isDistinct[row]; });
    if (things < kFewestThings)
        return found;
    const NearestAmong left = things == n ? near : nearestAmong(real, oneOfEach(groupOfRow, order));
    if (things < n && geometryOf(left).unevenness > std::max(0.05, 1.6 / std::sqrt(static_cast<double>(things))))
        return none;
    if (few() && !nearestAreNatural(left))
        return none;
    return found;
}

/// Whether most near repeats fill whole classes: then they are the classes of the law.
bool areClasses(const ClassLabels& labels, std::span<const std::uint32_t> thing) {
    const std::vector<std::uint32_t> sizes = sizesOf(thing);
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> thingOf(labels.names.size(), kNone);
    std::vector<bool> whole(labels.names.size(), true);
    for (std::uint32_t label = 0; label < whole.size(); ++label)
        whole[label] = labels.isClass(label);
    for (std::size_t row = 0; row < thing.size(); ++row) {
        std::uint32_t& first = thingOf[labels.code[row]];
        if (first == kNone)
            first = thing[row];
        else if (first != thing[row])
            whole[labels.code[row]] = false;
    }
    std::size_t sisters = 0;
    std::size_t inWhole = 0;
    for (std::size_t row = 0; row < thing.size(); ++row)
        if (sizes[thing[row]] > 1) {
            ++sisters;
            inWhole += whole[labels.code[row]] ? 1 : 0;
        }
    return 2 * inWhole > sisters;
}

double shareWithSister(std::span<const std::uint32_t> thing) {
    const std::vector<std::uint32_t> sizes = sizesOf(thing);
    const auto sisters = std::ranges::count_if(thing, [&](std::uint32_t one) { return sizes[one] > 1; });
    return static_cast<double>(sisters) / static_cast<double>(thing.size());
}

/// Pairs of equal rows among some rows, in a range of columns.
double equalPairs(MatrixView rows, std::size_t first, std::size_t last, const ComputeContext& context) {
    std::vector<std::uint32_t> columns(last - first);
    std::iota(columns.begin(), columns.end(), static_cast<std::uint32_t>(first));
    double pairs = 0.0;
    for (const std::uint32_t count : groupEqualRows(std::array{rows}, context, columns).countsOf(0))
        pairs += static_cast<double>(count) * (static_cast<double>(count) - 1.0) / 2.0;
    return pairs;
}

/// 2 A B / (N (N - 1)), A and B the pairs that are equal in either half of the columns.
double expectedEqualPairs(MatrixView all, const std::vector<std::uint32_t>& rows, const ComputeContext& context) {
    const std::size_t half = all.dim / 2;
    const auto n = static_cast<double>(rows.size());
    if (half == 0 || rows.size() < 2)
        return 0.0;
    std::vector<float> gathered;
    MatrixView some = all;
    if (rows.size() < all.rows) {
        gathered = gatherRows(all, rows);
        some = {gathered.data(), rows.size(), all.dim};
    }
    const double inFirst = equalPairs(some, 0, half, context);
    return inFirst > 0.0 ? 2.0 * inFirst * equalPairs(some, half, all.dim, context) / (n * (n - 1.0)) : 0.0;
}

/// Distances of one sample, as far as its list tells them; NaN where the list ends early.
struct ListedDistances {
    std::uint32_t nearestRow = 0;
    double nearest = std::nan("");
    double secondThing = std::nan("");
    double kth = std::nan("");
    double density = std::nan("");
};

ListedDistances listed(const NeighborTable& table, std::size_t sample, std::optional<std::uint32_t> ownUnit,
                       const BaseRows& base, std::size_t k, std::size_t neighbors) {
    ListedDistances found;
    if (base.thing.empty())
        found.secondThing = kInfinity;
    std::size_t seen = 0;
    std::uint32_t first = 0;
    for (std::size_t rank = 0; rank < table.k; ++rank) {
        const std::uint32_t row = table.indexAt(sample, rank);
        if (ownUnit && base.unit[row] == *ownUnit)
            continue;
        const double distance = table.distanceAt(sample, rank);
        if (++seen == 1) {
            found.nearest = distance;
            found.nearestRow = row;
            first = base.thing.empty() ? 0 : base.thing[row];
        } else if (std::isnan(found.secondThing) && base.thing[row] != first) {
            found.secondThing = distance;
        }
        if (seen == k)
            found.kth = distance;
        if (seen == neighbors)
            found.density = distance;
        if (seen >= std::max(k, neighbors) && !std::isnan(found.secondThing))
            break;
    }
    return found;
}

std::uint32_t largest(std::span<const std::uint32_t> sizes) {
    return sizes.empty() ? 0 : *std::ranges::max_element(sizes);
}

/// Rows of a set by equal values: the kind of each row, rows of each kind, and all rows in content order.
struct EqualKinds {
    const std::vector<std::uint32_t>& kind;
    const std::vector<std::uint32_t>& rowsOf;
    const std::vector<std::uint32_t>& order;
};

/// Finds things and units by the geometry of the set.
void findThings(RealPartition& partition, const EmbeddingSet& set, const RealRows& real, const EqualKinds& equal) {
    const std::size_t n = equal.kind.size();
    const std::vector<std::uint32_t> distinct = oneOfEach(equal.kind, equal.order);
    Repeats repeats = findRepeats(real, distinct, equal.order);
    std::vector<std::uint32_t> thingOfKind(equal.rowsOf.size());
    for (std::size_t place = 0; place < distinct.size(); ++place)
        thingOfKind[equal.kind[distinct[place]]] = repeats.group[place];
    for (std::size_t row = 0; row < n; ++row)
        partition.thing[row] = thingOfKind[equal.kind[row]];
    partition.repeats = distinct.size() - groupsIn(repeats.group);
    if (!repeats.links.empty()) {
        const std::vector<std::uint32_t> sizes = sizesOf(repeats.links);
        for (std::size_t place = 0; place < distinct.size(); ++place)
            partition.linked += sizes[repeats.links[place]] > 1 ? equal.rowsOf[equal.kind[distinct[place]]] : 0;
    }
    constexpr double kManySisters = 0.1;
    if (partition.repeats > 0 &&
        ((shareWithSister(partition.thing) > kManySisters && mayBeDrawnAgain(sizesOf(partition.thing))) ||
         (set.hasLabels() && areClasses(set.labels(), partition.thing))))
        repeats.reach = 0.0;
    partition.reach = repeats.reach;
    if (!(partition.reach > 0.0)) {
        partition.thing = equal.kind;
        partition.repeats = 0;
    }
    // Equal rows are natural: each stands for itself, unless it has near repeats as well.
    partition.unit = partition.thing;
    if (!(partition.reach > 0.0) || mayBeDrawnAgain(equal.rowsOf)) {
        const std::vector<std::uint32_t> rowsIn = sizesOf(partition.thing);
        auto next = static_cast<std::uint32_t>(rowsIn.size());
        for (std::size_t row = 0; row < n; ++row)
            if (rowsIn[partition.thing[row]] == equal.rowsOf[equal.kind[row]]) // all of its thing equal it
                partition.unit[row] = next++;
    }
    partition.unit = renumbered(partition.unit);
}

/// Per kind of equal rows: whether they are of several units.
std::vector<bool> kindsInSeveralUnits(std::span<const std::uint32_t> kind, std::size_t kinds,
                                      std::span<const std::uint32_t> unit) {
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> first(kinds, kNone);
    std::vector<bool> several(kinds, false);
    for (std::size_t row = 0; row < kind.size(); ++row) {
        std::uint32_t& one = first[kind[row]];
        if (one == kNone)
            one = unit[row];
        else if (one != unit[row])
            several[kind[row]] = true;
    }
    return several;
}

} // namespace

bool mayBeDrawnAgain(std::span<const std::uint32_t> sizes) {
    std::vector<double> number(largest(sizes) + std::size_t{3}, 0.0); // of groups by their size
    for (const std::uint32_t size : sizes)
        ++number[size];
    for (std::size_t size = 2; size + 1 < number.size(); ++size) {
        const double low = std::max(0.0, number[size] - 2.0 * std::sqrt(number[size]));
        const double high = number[size - 1] + 2.0 * std::sqrt(number[size - 1]) + 2.0;
        const auto j = static_cast<double>(size);
        const double expected = j / (j + 1.0) * low * low / high;
        constexpr double kContradicts = 0.001;
        if (expected > 0.0 && poissonAtMost(static_cast<std::size_t>(number[size + 1]), expected) <= kContradicts)
            return false;
    }
    return true;
}

BaseRows RealPartition::base(const EmbeddingSet& real) const {
    return {real.isWhole() ? real.matrix() : MatrixView{nullptr, unit.size(), real.dim()}, unit, thing};
}

UnitDistances distancesOutside(const SeeingRows& from, const BaseRows& base, std::size_t k, std::size_t neighbors,
                               const NeighborSearch* search, const ComputeContext& context) {
    const std::size_t samples = from.nearest.rows();
    UnitDistances result;
    for (std::vector<double>* column : {&result.nearest, &result.secondThing, &result.kth, &result.density})
        column->resize(samples);
    result.nearestRow.resize(samples);
    const auto take = [&](const NeighborTable& table, std::size_t place, std::size_t sample) {
        const auto own = from.ownUnit.empty() ? std::optional<std::uint32_t>() : from.ownUnit[sample];
        const ListedDistances found = listed(table, place, own, base, k, neighbors);
        result.nearest[sample] = found.nearest;
        result.nearestRow[sample] = found.nearestRow;
        result.secondThing[sample] = found.secondThing;
        result.kth[sample] = found.kth;
        result.density[sample] = found.density;
    };
    constexpr std::size_t kRowsAtOnce = 2048;
    parallelRanges(samples, kRowsAtOnce, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       for (std::size_t sample = first; sample < last; ++sample)
                           take(from.nearest, sample, sample);
                   });
    const auto endsEarly = [&](std::size_t sample) {
        return std::isnan(result.nearest[sample] + result.secondThing[sample] + result.kth[sample] +
                          result.density[sample]);
    };
    std::vector<std::uint32_t> again = rowsWhere(samples, endsEarly);
    if (!again.empty() && search != nullptr && from.nearest.k < base.matrix.rows) {
        // No more rows than these can stand before the last one that is wanted.
        const std::size_t things = largest(sizesOf(base.thing));
        const std::size_t units = from.ownUnit.empty() ? 0 : largest(sizesOf(base.unit));
        const std::size_t depth = std::min(base.matrix.rows, units + std::max({k, neighbors, things + 1}));
        // Equal samples of one set are searched once.
        const std::vector<float> values = gatherRows(from.samples, again);
        const MatrixView queries{values.data(), again.size(), base.matrix.dim};
        const EqualRows equal = groupEqualRows(std::array{queries}, {0, context.threads, context.job.silent()});
        std::vector<std::uint32_t> firstOf(equal.groups, ~std::uint32_t{0});
        std::vector<std::uint32_t> distinct;
        for (std::uint32_t place = 0; place < again.size(); ++place)
            if (std::uint32_t& first = firstOf[equal.group[0][place]]; first == ~std::uint32_t{0}) {
                first = static_cast<std::uint32_t>(distinct.size());
                distinct.push_back(place);
            }
        constexpr std::size_t kMaxEntries = std::size_t{1} << 24; // of neighbour lists at a time
        const std::size_t perChunk = std::max<std::size_t>(1, kMaxEntries / depth);
        for (std::size_t begin = 0; begin < distinct.size(); begin += perChunk) {
            const std::size_t end = std::min(distinct.size(), begin + perChunk);
            const std::vector<float> chunk = gatherRows(queries, std::span(distinct).subspan(begin, end - begin));
            const NeighborTable table =
                search->nearest({chunk.data(), end - begin, base.matrix.dim}, base.matrix, depth, context.job.silent());
            for (std::size_t place = 0; place < again.size(); ++place)
                if (const std::uint32_t at = firstOf[equal.group[0][place]]; at >= begin && at < end)
                    take(table, at - begin, again[place]);
        }
    }
    for (const std::uint32_t sample : again) { // no other row there
        const double last = search == nullptr && from.nearest.k < base.matrix.rows
                                ? from.nearest.distanceAt(sample, from.nearest.k - 1)
                                : kInfinity;
        for (std::vector<double>* column : {&result.nearest, &result.secondThing, &result.kth, &result.density})
            if (std::isnan((*column)[sample]))
                (*column)[sample] = last;
    }
    return result;
}

RealPartition partitionReal(const EmbeddingSet& real, const NeighborTable& neighbors, std::size_t k,
                            const NeighborSearch* search, const ComputeContext& context) {
    const std::size_t n = neighbors.rows();
    RealPartition partition;
    partition.unit.resize(n);
    std::iota(partition.unit.begin(), partition.unit.end(), 0U);
    partition.thing = partition.unit;
    partition.rows = partition.unit;
    if (search != nullptr) {
        const MatrixView matrix = real.matrix();
        const ComputeContext quiet{context.seed, context.threads, context.job.silent()};
        const std::vector<std::uint32_t> order = inContentOrder(matrix, {}, context.seed, context.threads).rows;
        const EqualRows equal = groupEqualRows(std::array{matrix}, quiet);
        const std::vector<std::uint32_t>& kind = equal.group.front();
        const std::vector<std::uint32_t> kinds = equal.countsOf(0);
        if (real.hasGroups()) {
            partition.byGroup = true;
            partition.unit = partition.thing = unitsByGroup(real.groups());
        } else {
            findThings(partition, real, {matrix, neighbors, *search, context}, {kind, kinds, order});
        }
        partition.rows = oneOfEach(partition.unit, order);
        partition.expectedEqualPairs = expectedEqualPairs(matrix, partition.rows, quiet);
        const std::vector<bool> inSeveral = kindsInSeveralUnits(kind, kinds.size(), partition.unit);
        for (const std::uint32_t row : partition.rows)
            partition.equalsAnother.push_back(inSeveral[kind[row]] ? 1 : 0);
    } else {
        for (std::size_t row = 0; row < n; ++row)
            partition.equalsAnother.push_back(neighbors.distanceAt(row, 0) == 0.0 ? 1 : 0);
    }
    partition.equalRows = static_cast<std::size_t>(std::ranges::count(partition.equalsAnother, 1));
    constexpr std::size_t kDensityNeighbors = 20;
    const std::size_t units = partition.rows.size();
    partition.densityNeighbors = std::max<std::size_t>(1, std::min(kDensityNeighbors, units > 2 ? units - 2 : 1));
    partition.distances = distancesOutside({real.isWhole() ? real.matrix() : MatrixView{}, neighbors, partition.unit},
                                           partition.base(real), k, partition.densityNeighbors, search, context);
    return partition;
}

} // namespace assay
