#include "engine/gpu/search/sampled_search.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/random.h"
#include "engine/data/gather_rows.h"
#include "engine/neighbors/products/block_search.h"
#include "engine/neighbors/products/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace assay::cuda {
namespace {

/// Share of the progress of a pass.
constexpr double kSearched = 0.99;

/// One side of a pass: a set, the neighbours of each row that are wanted, and the balls around the rows.
struct Side {
    MatrixView set;
    std::size_t k = 0;
    std::span<const double> radius = {}, innerRadius = {};
};

/// How the CPU searches.
struct CpuSearch {
    unsigned threads;
    std::size_t blockValues; ///< values of the other set that are searched at a time
};

/// Searches some rows of a set among all rows of another. @return lists and counts of these rows; `rows` has ended
SearchBlock searchAgain(const CpuSearch& cpu, const Side& side, std::span<const std::uint32_t> rows, const Side& others,
                        const JobContext& job) {
    const std::size_t dim = side.set.dim;
    const std::vector<float> values = gatherRows(side.set, rows);
    SearchBlock sample;
    sample.rows = {values.data(), rows.size(), dim};
    sample.nearest = noNeighbors(rows.size(), side.k);
    for (const std::uint32_t row : rows) {
        if (!side.radius.empty())
            sample.radius.push_back(side.radius[row]);
        if (!side.innerRadius.empty())
            sample.innerRadius.push_back(side.innerRadius[row]);
    }
    const std::size_t most = std::max<std::size_t>(1, cpu.blockValues / dim);
    const auto share = [&](std::size_t row) { return static_cast<double>(row) / static_cast<double>(others.set.rows); };
    for (std::size_t first = 0; first < others.set.rows; first += most) {
        const std::size_t count = std::min(most, others.set.rows - first);
        const auto ofBlock = [&](std::span<const double> radius) {
            const auto some = radius.empty() ? radius : radius.subspan(first, count);
            return std::vector<double>(some.begin(), some.end());
        };
        SearchBlock block;
        block.first = first;
        block.rows = {others.set.rowData(first), count, dim};
        block.radius = ofBlock(others.radius);
        block.innerRadius = ofBlock(others.innerRadius);
        const JobContext part = job.part({}, share(first), share(first + count));
        const Frame frame = Frame::of(sample.rows, {sample.rows, block.rows}, cpu.threads, part.part({}, 0.0, 0.015));
        const ProductPlan plan = planProducts(sample, block, {.frame = frame, .threads = cpu.threads, .lean = true},
                                              part.part({}, 0.015, 0.04));
        searchBetween(sample, block, plan, cpu.threads, part.part({}, 0.04, 1.0));
    }
    sample.rows = {};
    return sample;
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

std::string sizeDifference(const char* what, std::size_t found, std::size_t expected) {
    return fmt::format("{}: expected {} values, found {}", what, expected, found);
}

std::string neighborText(const NeighborTable& table, std::size_t row, std::size_t rank) {
    return fmt::format("row {} at distance {}", table.indexAt(row, rank), numberText(table.distanceAt(row, rank)));
}

/// One kind of count of a pass, and what it is called.
struct Count {
    std::vector<std::uint32_t> CrossResult::*values;
    const char* title;
    bool ofA; ///< counted per row of the first set
};

constexpr std::array kCounts{
    Count{&CrossResult::insideBallA, "rows of the second set in its ball", true},
    Count{&CrossResult::insideInnerBallA, "rows of the second set in its inner ball", true},
    Count{&CrossResult::ballsBHolding, "balls of the second set that hold it", true},
    Count{&CrossResult::ballsAHolding, "balls of the first set that hold it", false},
    Count{&CrossResult::innerBallsAHolding, "inner balls of the first set that hold it", false},
    Count{&CrossResult::insideBallB, "rows of the first set in its ball", false},
};

std::string countDifference(const CrossResult& found, const CrossResult& expected, const Count& count,
                            std::span<const std::uint32_t> rows) {
    const std::vector<std::uint32_t>& values = found.*count.values;
    const std::vector<std::uint32_t>& right = expected.*count.values;
    for (std::size_t entry = 0; entry < right.size(); ++entry) {
        const std::size_t row = rows[entry];
        if (row >= values.size())
            return sizeDifference(count.title, values.size(), right.size());
        if (values[row] != right[entry])
            return fmt::format("row {} of the {} set, {}: expected {}, found {}", row, count.ofA ? "first" : "second",
                               count.title, right[entry], values[row]);
    }
    return {};
}

/// The first difference in words ("row 3, neighbour 2: expected row 17 at distance 1.25, found row 18 at
/// distance 1.25"), bit for bit; empty where there is none.
/// @param found neighbours of all rows
/// @param expected neighbours of some rows
/// @param rows row of `found` that each row of `expected` belongs to
std::string firstDifference(const NeighborTable& found, const NeighborTable& expected,
                            std::span<const std::uint32_t> rows) {
    if (found.k != expected.k)
        return sizeDifference("neighbours of a row", found.k, expected.k);
    for (std::size_t entry = 0; entry < expected.rows(); ++entry) {
        const std::size_t row = rows[entry];
        if (row >= found.rows())
            return sizeDifference("rows with neighbours", found.rows(), expected.rows());
        for (std::size_t rank = 0; rank < expected.k; ++rank)
            if (found.indexAt(row, rank) != expected.indexAt(entry, rank) ||
                found.distanceAt(row, rank) != expected.distanceAt(entry, rank))
                return fmt::format("row {}, neighbour {}: expected {}, found {}", row, rank + 1,
                                   neighborText(expected, entry, rank), neighborText(found, row, rank));
    }
    return {};
}

/// Rows of both sets that expected values are of.
struct ComparedRows {
    std::span<const std::uint32_t> a, b;
};

/// The same for the lists and counts of one pass over two sets.
std::string firstDifference(const CrossResult& found, const CrossResult& expected, const ComparedRows& rows) {
    if (const std::string fault = firstDifference(found.aToB, expected.aToB, rows.a); !fault.empty())
        return "first set, " + fault;
    if (const std::string fault = firstDifference(found.bToA, expected.bToA, rows.b); !fault.empty())
        return "second set, " + fault;
    for (const Count& count : kCounts)
        if (std::string fault = countDifference(found, expected, count, count.ofA ? rows.a : rows.b); !fault.empty())
            return fault;
    return {};
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
    const SearchBlock expected = searchAgain({threads_, blockValues_}, {set, k + 1}, rows, {set}, checking(job));
    requireEqual(firstDifference(table, withoutSelf(expected.nearest, rows), rows));
    return table;
}

CrossResult SampledSearch::cross(const CrossQuery& query, const JobContext& job) const {
    CrossResult result = cards_->cross(query, job.part({}, 0.0, kSearched));
    if (query.a.rows == 0 || query.b.rows == 0)
        return result;
    const std::vector<std::uint32_t> rowsA = sampledRows(query.a.rows, query.a.dim);
    const std::vector<std::uint32_t> rowsB = sampledRows(query.b.rows, query.b.dim);
    const CpuSearch cpu{threads_, blockValues_};
    const Side a{query.a, query.kAToB, query.radiusA, query.innerRadiusA};
    const Side b{query.b, query.kBToA, query.radiusB};
    SearchBlock ofA = searchAgain(cpu, a, rowsA, b, checking(job).part({}, 0.0, 0.5));
    SearchBlock ofB = searchAgain(cpu, b, rowsB, a, checking(job).part({}, 0.5, 1.0));
    requireEqual(firstDifference(result, takeResult(std::move(ofA), std::move(ofB)), {rowsA, rowsB}));
    return result;
}

} // namespace assay::cuda
