#include "engine/layout/neighbor_layout.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kRowsPerStep = 256;
constexpr std::size_t kFewRows = 10'000;
constexpr std::size_t kRoundsOfFew = 500;
constexpr std::size_t kRoundsOfMany = 200;
constexpr double kStartRadius = 10.0;
constexpr double kJitter = 1e-3; ///< separates rows with equal start positions, which could not repel each other
constexpr std::uint64_t kStream = 0x6c61796f7574; // distinguishes these draws from others of the same seed

std::vector<LayoutPosition> startingFrom(std::span<const std::array<float, 3>> start, const LayoutOptions& options) {
    float largest = 0.0F;
    for (const auto& point : start)
        for (const float x : point)
            largest = std::max(largest, std::abs(x));
    const double scale = largest > 0.0F ? kStartRadius / static_cast<double>(largest) : 0.0;
    Random random = Random::forItem(options.seed ^ kStream, 0);
    std::vector<LayoutPosition> positions(start.size());
    for (std::size_t row = 0; row < start.size(); ++row)
        for (std::size_t c = 0; c < options.dimensions; ++c) // no force leaves the plane
            positions[row].at[c] =
                static_cast<float>(static_cast<double>(start[row][c]) * scale + kJitter * random.bell());
    return positions;
}

} // namespace

std::vector<LayoutPosition> layoutOnCpu(const NeighborGraph& graph, std::vector<LayoutPosition> from,
                                        const LayoutPlan& plan, unsigned threads, const JobContext& job) {
    const std::size_t rows = from.size();
    std::vector<LayoutPosition> to(rows);
    for (std::size_t number = 0; number < plan.rounds; ++number) {
        job.checkpoint(static_cast<double>(number) / static_cast<double>(plan.rounds));
        LayoutRound round = plan.round(number, rows);
        round.begin = graph.begin.data();
        round.neighbor = graph.neighbor.data();
        round.weight = graph.weight.data();
        round.from = from.data();
        parallelRanges(rows, kRowsPerStep, threads, job.silent(), [&](std::size_t first, std::size_t last, unsigned) {
            for (std::size_t r = first; r < last; ++r)
                to[r] = round.moved(static_cast<std::uint32_t>(r));
        });
        from.swap(to);
    }
    return from;
}

std::vector<std::array<float, 3>> neighborLayout(const NeighborGraph& graph,
                                                 std::span<const std::array<float, 3>> start,
                                                 const LayoutOptions& options, const JobContext& job,
                                                 const Accelerator* accelerator) {
    const std::size_t rows = graph.rows();
    if (start.size() != rows)
        throw Error(ErrorKind::InvalidArgument, "layout: expected " + std::to_string(rows) +
                                                    " positions to start from, found " + std::to_string(start.size()));
    const LayoutPlan plan{options.rounds > 0 ? options.rounds
                          : rows <= kFewRows ? kRoundsOfFew
                                             : kRoundsOfMany,
                          options.seed ^ kStream};
    std::vector<LayoutPosition> placed = startingFrom(start, options);
    std::optional<std::vector<LayoutPosition>> onCard;
    const auto* card = abilityOf<LayoutAccelerator>(accelerator);
    if (card != nullptr)
        onCard = card->layout(graph, placed, plan, job);
    placed =
        onCard ? std::move(*onCard) : layoutOnCpu(graph, std::move(placed), plan, options.threads, onTheCpu(job, card));
    std::vector<std::array<float, 3>> positions(rows);
    for (std::size_t row = 0; row < rows; ++row)
        positions[row] = {placed[row].at[0], placed[row].at[1], placed[row].at[2]};
    return positions;
}

} // namespace assay
