#include "engine/gpu/check/sampled_search.h"

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/gpu/check/difference.h"
#include "engine/neighbors/products/gemm_search.h"

#include <algorithm>
#include <span>
#include <utility>

namespace assay::cuda {
namespace {

/// Share of the progress of a pass.
constexpr double kSearched = 0.99;

using Entry = std::pair<double, std::uint32_t>; ///< distance and row, in the order of neighbours

/// Some rows of a set, copied, and the balls around them.
struct Sample {
    std::vector<float> values;
    std::vector<double> radius, innerRadius;
    std::size_t rows, dim;

    MatrixView view() const { return {values.data(), rows, dim}; }

    static Sample of(MatrixView set, std::span<const std::uint32_t> rows, std::span<const double> radius,
                     std::span<const double> innerRadius) {
        Sample sample{{}, {}, {}, rows.size(), set.dim};
        for (const std::uint32_t row : rows) {
            const auto values = set.row(row);
            sample.values.insert(sample.values.end(), values.begin(), values.end());
            if (!radius.empty())
                sample.radius.push_back(radius[row]);
            if (!innerRadius.empty())
                sample.innerRadius.push_back(innerRadius[row]);
        }
        return sample;
    }
};

/// Lists and counts of sampled rows over the blocks of the other set.
struct Collected {
    NeighborTable nearest;
    std::vector<std::uint32_t> inside, insideInner, holding, holdingInner;

    static void add(std::vector<std::uint32_t>& total, const std::vector<std::uint32_t>& part) {
        total.resize(std::max(total.size(), part.size()));
        for (std::size_t i = 0; i < part.size(); ++i)
            total[i] += part[i];
    }

    /// @param first row of the other set that the block begins with
    /// @param k neighbours kept of each row
    void addNeighbors(const NeighborTable& block, std::size_t first, std::size_t k) {
        const std::size_t rows = std::max(block.rows(), nearest.rows());
        NeighborTable merged;
        merged.k = std::min(k, nearest.k + block.k);
        for (std::size_t row = 0; row < rows; ++row) {
            std::vector<Entry> all;
            for (std::size_t rank = 0; rank < nearest.k; ++rank)
                all.emplace_back(nearest.distanceAt(row, rank), nearest.indexAt(row, rank));
            for (std::size_t rank = 0; rank < block.k; ++rank)
                all.emplace_back(block.distanceAt(row, rank),
                                 static_cast<std::uint32_t>(first + block.indexAt(row, rank)));
            std::sort(all.begin(), all.end());
            for (std::size_t rank = 0; rank < merged.k; ++rank) {
                merged.distance.push_back(all[rank].first);
                merged.index.push_back(all[rank].second);
            }
        }
        nearest = std::move(merged);
    }
};

/// Consecutive rows of a set.
struct RowBlock {
    std::size_t first;
    MatrixView rows;
};

std::span<const double> radiiOf(const RowBlock& block, std::span<const double> radius) {
    return radius.empty() ? radius : radius.subspan(block.first, block.rows.rows);
}

/// Calls `search(block, job)` for one block of rows after the other.
template <typename Search>
void forEachBlock(MatrixView set, std::size_t blockValues, const JobContext& job, const Search& search) {
    const std::size_t rows = std::max<std::size_t>(1, blockValues / set.dim);
    const auto share = [&](std::size_t row) { return static_cast<double>(row) / static_cast<double>(set.rows); };
    for (std::size_t first = 0; first < set.rows; first += rows) {
        const std::size_t count = std::min(rows, set.rows - first);
        search(RowBlock{first, {set.rowData(first), count, set.dim}}, job.part({}, share(first), share(first + count)));
    }
}

/// The CPU, and how many values of a set it searches at a time.
struct BlockSearch {
    GemmSearch cpu;
    std::size_t blockValues;
};

Collected searchRowsOfA(const BlockSearch& search, const CrossQuery& query, std::span<const std::uint32_t> rows,
                        const JobContext& job) {
    const Sample sample = Sample::of(query.a, rows, query.radiusA, query.innerRadiusA);
    Collected all;
    forEachBlock(query.b, search.blockValues, job, [&](const RowBlock& block, const JobContext& part) {
        const CrossResult found = search.cpu.cross({.a = sample.view(),
                                                    .b = block.rows,
                                                    .kAToB = std::min(query.kAToB, block.rows.rows),
                                                    .radiusA = sample.radius,
                                                    .innerRadiusA = sample.innerRadius,
                                                    .radiusB = radiiOf(block, query.radiusB)},
                                                   part);
        all.addNeighbors(found.aToB, block.first, query.kAToB);
        Collected::add(all.inside, found.insideBallA);
        Collected::add(all.insideInner, found.insideInnerBallA);
        Collected::add(all.holding, found.ballsBHolding);
    });
    return all;
}

Collected searchRowsOfB(const BlockSearch& search, const CrossQuery& query, std::span<const std::uint32_t> rows,
                        const JobContext& job) {
    const Sample sample = Sample::of(query.b, rows, query.radiusB, {});
    Collected all;
    forEachBlock(query.a, search.blockValues, job, [&](const RowBlock& block, const JobContext& part) {
        const CrossResult found = search.cpu.cross({.a = block.rows,
                                                    .b = sample.view(),
                                                    .kBToA = std::min(query.kBToA, block.rows.rows),
                                                    .radiusA = radiiOf(block, query.radiusA),
                                                    .innerRadiusA = radiiOf(block, query.innerRadiusA),
                                                    .radiusB = sample.radius},
                                                   part);
        all.addNeighbors(found.bToA, block.first, query.kBToA);
        Collected::add(all.inside, found.insideBallB);
        Collected::add(all.holding, found.ballsAHolding);
        Collected::add(all.holdingInner, found.innerBallsAHolding);
    });
    return all;
}

/// Each row's own entry left out, or its last where it has none.
NeighborTable withoutSelf(const NeighborTable& table, std::span<const std::uint32_t> rows) {
    NeighborTable others;
    others.k = table.k - 1;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::size_t kept = 0;
        for (std::size_t rank = 0; rank < table.k && kept < others.k; ++rank)
            if (table.indexAt(row, rank) != rows[row]) {
                others.index.push_back(table.indexAt(row, rank));
                others.distance.push_back(table.distanceAt(row, rank));
                ++kept;
            }
    }
    return others;
}

JobContext checking(const JobContext& job) {
    return job.part("Searching some rows again on the CPU", kSearched, 1.0);
}

} // namespace

std::vector<std::uint32_t> sampledRows(std::size_t rows, std::size_t dim) {
    const std::size_t count = std::min(rows, kSampledRows);
    Random random = Random::forItem(rows, dim);
    std::vector<std::uint32_t> sample;
    for (std::size_t s = 0; s < count; ++s) {
        const std::size_t begin = s * rows / count;
        const std::size_t end = (s + 1) * rows / count;
        sample.push_back(static_cast<std::uint32_t>(begin + random.below(end - begin)));
    }
    return sample;
}

SampledSearch::SampledSearch(std::unique_ptr<NeighborSearch> cards, unsigned threads, std::size_t blockValues)
    : cards_(std::move(cards)), threads_(threads), blockValues_(blockValues) {}

void SampledSearch::requireEqual(const std::string& difference) const {
    if (!difference.empty())
        throw Error(ErrorKind::DeviceFailed,
                    cards_->hardware() + " computed a wrong value: " + difference +
                        ". Its results cannot be relied on. Run the audit on the CPU: --backend gemm, or \"gemm\" "
                        "under Search in the window.");
}

NeighborTable SampledSearch::selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const {
    NeighborTable table = cards_->selfNeighbors(set, k, job.part({}, 0.0, kSearched));
    const std::vector<std::uint32_t> rows = sampledRows(set.rows, set.dim);
    const BlockSearch search{GemmSearch(threads_, true), blockValues_};
    const Collected expected = searchRowsOfA(search, {set, set, k + 1, 0, {}, {}, {}}, rows, checking(job));
    requireEqual(firstDifference(table, withoutSelf(expected.nearest, rows), rows));
    return table;
}

CrossResult SampledSearch::cross(const CrossQuery& query, const JobContext& job) const {
    CrossResult result = cards_->cross(query, job.part({}, 0.0, kSearched));
    if (query.a.rows == 0 || query.b.rows == 0)
        return result;
    const std::vector<std::uint32_t> rowsA = sampledRows(query.a.rows, query.a.dim);
    const std::vector<std::uint32_t> rowsB = sampledRows(query.b.rows, query.b.dim);
    const BlockSearch search{GemmSearch(threads_, true), blockValues_};
    Collected ofA = searchRowsOfA(search, query, rowsA, checking(job).part({}, 0.0, 0.5));
    Collected ofB = searchRowsOfB(search, query, rowsB, checking(job).part({}, 0.5, 1.0));
    const CrossResult expected{.aToB = std::move(ofA.nearest),
                               .bToA = std::move(ofB.nearest),
                               .insideBallA = std::move(ofA.inside),
                               .insideInnerBallA = std::move(ofA.insideInner),
                               .ballsAHolding = std::move(ofB.holding),
                               .innerBallsAHolding = std::move(ofB.holdingInner),
                               .insideBallB = std::move(ofB.inside),
                               .ballsBHolding = std::move(ofA.holding)};
    requireEqual(firstDifference(result, expected, {rowsA, rowsB}));
    return result;
}

} // namespace assay::cuda
