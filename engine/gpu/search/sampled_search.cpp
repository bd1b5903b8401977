#include "engine/gpu/search/sampled_search.h"

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/gpu/search/difference.h"
#include "engine/neighbors/products/block_search.h"
#include "engine/neighbors/products/pass_side.h"

#include <algorithm>
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
