#include "engine/metrics/held_out/copy_test.h"

#include "engine/data/matrix_view.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/neighbors/backends/cpu_backends.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

/// A region counts only if it has more synthetic samples than this, as in the FLD package.
constexpr double kFewest = 20.0;
constexpr std::size_t kRowsAtOnce = 4096;

/// Searches the nearest training sample within the region, for samples whose listed neighbours all lie in other
/// regions.
void search(RegionDistances& found, std::span<const std::uint32_t> open, MatrixView samples, MatrixView base,
            const ComputeContext& context) {
    if (open.empty() || base.rows == 0)
        return;
    for (std::size_t first = 0; first < open.size(); first += kRowsAtOnce) {
        const auto rows = open.subspan(first, std::min(kRowsAtOnce, open.size() - first));
        const std::vector<float> queries = gatherRows(samples, rows);
        const NeighborTable table =
            GemmSearch(context.threads)
                .nearest({queries.data(), rows.size(), samples.dim}, base, 1, context.job.part({}, 0.0, 0.0));
        for (std::size_t r = 0; r < rows.size(); ++r)
            found.nearest[rows[r]] = table.distanceAt(r, 0);
    }
}

std::vector<std::vector<double>> byRegion(const RegionDistances& samples, std::size_t regions) {
    std::vector<std::vector<double>> parts(regions);
    for (std::size_t s = 0; s < samples.region.size(); ++s)
        parts[samples.region[s]].push_back(samples.nearest[s]);
    return parts;
}

} // namespace

RegionDistances regionDistances(MatrixView training, const Cells& cells, MatrixView samples,
                                const NeighborTable& nearest, const ComputeContext& context) {
    RegionDistances found{cellsOf(samples, cells, context.threads, context.job),
                          std::vector<double>(samples.rows, std::numeric_limits<double>::infinity())};
    std::vector<std::vector<std::uint32_t>> open(cells.count());
    for (std::size_t row = 0; row < samples.rows; ++row) {
        std::size_t rank = 0;
        while (rank < nearest.k && cells.cell[nearest.indexAt(row, rank)] != found.region[row])
            ++rank;
        if (rank < nearest.k)
            found.nearest[row] = nearest.distanceAt(row, rank);
        else
            open[found.region[row]].push_back(static_cast<std::uint32_t>(row));
    }
    std::vector<std::vector<std::uint32_t>> members(cells.count());
    for (std::size_t row = 0; row < training.rows; ++row)
        members[cells.cell[row]].push_back(static_cast<std::uint32_t>(row));
    for (std::size_t region = 0; region < open.size(); ++region) {
        const std::vector<float> base = gatherRows(training, members[region]);
        search(found, open[region], samples, {base.data(), members[region].size(), training.dim}, context);
    }
    return found;
}

CopyTestRegions copyTestRegions(MatrixView training, MatrixView heldOut, const NeighborTable& nearest,
                                const ComputeContext& context) {
    CopyTestRegions regions;
    constexpr std::size_t kStarts = 10;
    const std::vector<std::uint32_t> order = contentOrder(training, {}, context.seed, context.threads);
    regions.cells = kMeans(training, CopyTestRegions::kRegions, context, kStarts, order);
    regions.heldOut = regionDistances(training, regions.cells, heldOut, nearest, context);
    return regions;
}

namespace metrics {

double mannWhitneyZ(std::span<const double> first, std::span<const double> second) {
    if (first.empty() || second.empty())
        return kNaN;
    std::vector<double> others(second.begin(), second.end());
    std::sort(others.begin(), others.end());
    double u = 0.0;
    for (const double value : first) {
        const auto below = std::lower_bound(others.begin(), others.end(), value);
        const auto above = std::upper_bound(below, others.end(), value);
        u += static_cast<double>(below - others.begin()) + 0.5 * static_cast<double>(above - below);
    }
    const auto n = static_cast<double>(second.size());
    const auto m = static_cast<double>(first.size());
    return (u - (n * m / 2.0 - 0.5)) / std::sqrt(n * m * (n + m + 1.0) / 12.0);
}

double copyTestScore(const RegionDistances& synthetic, const RegionDistances& heldOut, std::size_t regions,
                     double least) {
    const auto own = byRegion(synthetic, regions);
    const auto others = byRegion(heldOut, regions);
    const auto all = static_cast<double>(synthetic.region.size());
    double sum = 0.0;
    double weight = 0.0;
    for (std::size_t r = 0; r < regions; ++r) {
        // Where no training sample lies every distance is infinite.
        if (static_cast<double>(own[r].size()) / all <= least || others[r].empty() || std::isinf(others[r].front()))
            continue;
        sum += static_cast<double>(others[r].size()) * mannWhitneyZ(own[r], others[r]);
        weight += static_cast<double>(others[r].size());
    }
    return weight > 0.0 ? sum / weight : kNaN;
}

double ctScore(const MetricInputs& in) {
    const CopyTestRegions& regions = *in.get<HeldOutBasis>().regions;
    const MatrixView samples = in.get<SyntheticRows>().matrix;
    const RegionDistances synthetic =
        regionDistances(in.real.set->matrix(), regions.cells, samples, in.pair.synthetic.nearest,
                        {.threads = in.threads, .job = in.job});
    return copyTestScore(synthetic, regions.heldOut, regions.cells.count(),
                         kFewest / static_cast<double>(samples.rows));
}

double ctScoreGlobal(const MetricInputs& in) {
    return mannWhitneyZ(in.pair.synthetic.nearest.distancesAt(1), in.get<HeldOutBasis>().nearestReal);
}

} // namespace metrics
} // namespace assay
