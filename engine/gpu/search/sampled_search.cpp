#include "engine/gpu/search/sampled_search.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/block_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace assay::cuda {
namespace {

/// Share of the progress of a pass.
constexpr double kSearched = 0.99;

/// How the CPU searches.
struct CpuSearch {
    unsigned threads;
    std::size_t blockValues; ///< values of the other set that are searched at a time
};

/// Searches some rows of a set among all rows of another.
SideResult searchAgain(const CpuSearch& cpu, const SideQuery& side, std::span<const std::uint32_t> rows,
                       const SideQuery& others, const JobContext& job) {
    const std::size_t dim = side.rows.dim;
    const std::vector<float> values = gatherRows(side.rows, rows);
    SearchBlock sample{.rows = {values.data(), rows.size(), dim},
                       .found = {.nearest = noNeighbors(rows.size(), side.k)}};
    for (const std::uint32_t row : rows) {
        if (!side.radius.empty())
            sample.radius.push_back(side.radius[row]);
        if (!side.innerRadius.empty())
            sample.innerRadius.push_back(side.innerRadius[row]);
    }
    const std::size_t most = std::max<std::size_t>(1, cpu.blockValues / dim);
    const auto share = [&](std::size_t row) {
        return static_cast<double>(row) / static_cast<double>(others.rows.rows);
    };
    for (std::size_t first = 0; first < others.rows.rows; first += most) {
        const std::size_t count = std::min(most, others.rows.rows - first);
        const auto ofBlock = [&](std::span<const double> radius) {
            const auto some = radius.empty() ? radius : radius.subspan(first, count);
            return std::vector<double>(some.begin(), some.end());
        };
        SearchBlock block;
        block.first = first;
        block.rows = {others.rows.rowData(first), count, dim};
        block.radius = ofBlock(others.radius);
        block.innerRadius = ofBlock(others.innerRadius);
        const JobContext part = job.part({}, share(first), share(first + count));
        const Frame frame = Frame::of(sample.rows, {sample.rows, block.rows}, cpu.threads, part.part({}, 0.0, 0.015));
        const ProductPlan plan = planProducts(sample, block, {.frame = frame, .threads = cpu.threads, .lean = true},
                                              part.part({}, 0.015, 0.04));
        searchBetween(sample, block, plan, cpu.threads, part.part({}, 0.04, 1.0));
    }
    return sample.found;
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

/// One kind of count of a side, and its title.
struct Count {
    std::vector<std::uint32_t> SideResult::*values;
    const char* title;
};

constexpr std::array kCounts{Count{&SideResult::inside, "rows of the other set in its ball"},
                             Count{&SideResult::insideInner, "rows of the other set in its inner ball"},
                             Count{&SideResult::holding, "balls of the other set that hold it"},
                             Count{&SideResult::innerHolding, "inner balls of the other set that hold it"}};

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

std::string sideDifference(const SideResult& found, const SideResult& expected, std::span<const std::uint32_t> rows) {
    if (std::string fault = firstDifference(found.nearest, expected.nearest, rows); !fault.empty())
        return fault;
    for (const Count& count : kCounts) {
        const std::vector<std::uint32_t>& values = found.*count.values;
        const std::vector<std::uint32_t>& right = expected.*count.values;
        for (std::size_t entry = 0; entry < right.size(); ++entry) {
            const std::size_t row = rows[entry];
            if (row >= values.size())
                return sizeDifference(count.title, values.size(), right.size());
            if (values[row] != right[entry])
                return fmt::format("row {}, {}: expected {}, found {}", row, count.title, right[entry], values[row]);
        }
    }
    return {};
}

/// Rows of both sets that expected values are of.
struct ComparedRows {
    std::span<const std::uint32_t> a, b;
};

/// The same for the lists and counts of one pass over two sets.
std::string firstDifference(const PassResult& found, const PassResult& expected, const ComparedRows& rows) {
    if (const std::string fault = sideDifference(found.a, expected.a, rows.a); !fault.empty())
        return "first set, " + fault;
    if (const std::string fault = sideDifference(found.b, expected.b, rows.b); !fault.empty())
        return "second set, " + fault;
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

NeighborTable SampledSearch::within(MatrixView set, std::size_t k, const JobContext& job) const {
    NeighborTable table = cards_->within(set, k, job.part({}, 0.0, kSearched));
    const std::vector<std::uint32_t> rows = sampledRows(set.rows, set.dim);
    const SideResult expected = searchAgain({threads_, blockValues_}, {set, k + 1}, rows, {set}, checking(job));
    requireEqual(firstDifference(table, withoutSelf(expected.nearest, rows), rows));
    return table;
}

PassResult SampledSearch::between(const SideQuery& a, const SideQuery& b, const JobContext& job) const {
    PassResult result = cards_->between(a, b, job.part({}, 0.0, kSearched));
    if (a.rows.rows == 0 || b.rows.rows == 0)
        return result;
    const std::vector<std::uint32_t> rowsA = sampledRows(a.rows.rows, a.rows.dim);
    const std::vector<std::uint32_t> rowsB = sampledRows(b.rows.rows, b.rows.dim);
    const CpuSearch cpu{threads_, blockValues_};
    const PassResult expected{searchAgain(cpu, a, rowsA, b, checking(job).part({}, 0.0, 0.5)),
                              searchAgain(cpu, b, rowsB, a, checking(job).part({}, 0.5, 1.0))};
    requireEqual(firstDifference(result, expected, {rowsA, rowsB}));
    return result;
}

} // namespace assay::cuda
