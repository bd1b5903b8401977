#include "engine/metrics/held_out/modes.h"

#include "engine/data/gather_rows.h"
#include "engine/math/statistics/bootstrap.h"

#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t kRowsToCut = 1000;

/// The nearest centre of every row, the lower one on ties.
std::vector<std::uint32_t> nearestCells(MatrixView set, const Cells& cells, const NeighborSearch& search,
                                        const JobContext& job) {
    return search.cross({set, {cells.centres.data(), cells.count(), cells.dim}, 1, 0, {}, {}, {}}, job).aToB.index;
}

} // namespace

std::size_t RealModes::countFor(std::size_t realRows) noexcept {
    return std::clamp<std::size_t>(realRows / 100, 2, 50);
}

RealModes findModes(MatrixView real, std::uint64_t seed, const NeighborSearch& search, unsigned threads,
                    const JobContext& job) {
    const std::vector<float> some = evenlySpaced(real, std::min(kRowsToCut, real.rows));
    RealModes modes;
    modes.cells = kMeans({some.data(), some.size() / real.dim, real.dim}, RealModes::countFor(real.rows),
                         {streamSeed(seed, "modes"), threads, job}, 1);
    modes.cells.cell = nearestCells(real, modes.cells, search, job);
    modes.counts = countsOf(modes.cells.cell, modes.cells.count());
    return modes;
}

std::vector<std::uint32_t> countModes(const RealModes& modes, MatrixView set, const NeighborSearch& search,
                                      const JobContext& job) {
    return countsOf(nearestCells(set, modes.cells, search, job), modes.cells.count());
}

} // namespace assay
