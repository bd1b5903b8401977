#include "engine/layout/neighbor_layout.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/neighbors/backends/cpu_backends.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kRowsPerTask = 512;

/// The weights of one row's neighbours: exp(-(distance - nearest) / width).
class RowWeights {
public:
    /// @param meanDistance of the whole table; a thousandth of it is the least width of rows whose own distances are 0
    RowWeights(std::span<const double> distances, double meanDistance) : distances_(distances) {
        const auto positive = std::find_if(distances.begin(), distances.end(), [](double d) { return d > 0.0; });
        nearest_ = positive == distances.end() ? 0.0 : *positive;
        const double rowMean =
            std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(distances.size());
        width_ = std::max(widthFor(std::log2(static_cast<double>(distances.size()))),
                          1e-3 * (nearest_ > 0.0 ? rowMean : meanDistance));
    }

    double at(std::size_t rank) const { return weight(distances_[rank], width_); }

private:
    double weight(double distance, double width) const {
        return distance <= nearest_ || width <= 0.0 ? 1.0 : std::exp((nearest_ - distance) / width);
    }

    double sum(double width) const {
        double sum = 0.0;
        for (const double distance : distances_)
            sum += weight(distance, width);
        return sum;
    }

    /// The width at which the weights sum to `wanted`; 0 where the sum is larger for every width.
    double widthFor(double wanted) const {
        double low = 0.0;
        double high = distances_.back() - nearest_;
        if (!(high > 0.0))
            return 0.0;
        // For larger widths all weights are equal to rounding.
        for (int doubled = 0; doubled < 32 && sum(high) < wanted; ++doubled)
            high *= 2.0;
        for (int halved = 0; halved < 48; ++halved) {
            const double middle = 0.5 * (low + high);
            (sum(middle) > wanted ? high : low) = middle;
        }
        return high;
    }

    std::span<const double> distances_;
    double nearest_ = 0.0;
    double width_ = 0.0;
};

/// The weights of a table's entries, in its order.
std::vector<float> directedWeights(const NeighborTable& table, unsigned threads, const JobContext& job) {
    std::vector<float> weights(table.index.size());
    const double mean = std::accumulate(table.distance.begin(), table.distance.end(), 0.0) /
                        static_cast<double>(std::max<std::size_t>(1, table.distance.size()));
    parallelRanges(table.rows(), kRowsPerTask, threads, job, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t row = first; row < last; ++row) {
            const RowWeights of({table.distance.data() + row * table.k, table.k}, mean);
            for (std::size_t rank = 0; rank < table.k; ++rank)
                weights[row * table.k + rank] = static_cast<float>(of.at(rank));
        }
    });
    return weights;
}

struct Edge {
    std::uint32_t neighbor;
    float weight;
};

} // namespace

NeighborGraph neighborGraph(const NeighborTable& neighbors, unsigned threads, const JobContext& job) {
    const std::vector<float> weights = directedWeights(neighbors, threads, job);
    const std::size_t k = neighbors.k;
    // Of each row: the rows that list it, ascending.
    std::vector<std::size_t> begin(neighbors.rows() + 1, 0);
    for (const std::uint32_t neighbor : neighbors.index)
        ++begin[neighbor + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<Edge> listedBy(neighbors.index.size());
    std::vector<std::size_t> at(begin.begin(), begin.end() - 1);
    for (std::size_t e = 0; e < listedBy.size(); ++e)
        listedBy[at[neighbors.index[e]]++] = {static_cast<std::uint32_t>(e / k), weights[e]};
    NeighborGraph graph;
    graph.begin.push_back(0);
    std::vector<Edge> own(k);
    std::vector<Edge> both;
    for (std::size_t row = 0; row < neighbors.rows(); ++row) {
        if (row % kRowsPerTask == 0)
            job.throwIfStopped();
        for (std::size_t rank = 0; rank < k; ++rank)
            own[rank] = {neighbors.indexAt(row, rank), weights[row * k + rank]};
        std::ranges::sort(own, {}, &Edge::neighbor);
        both.clear();
        std::ranges::merge(own, std::span(listedBy).subspan(begin[row], begin[row + 1] - begin[row]),
                           std::back_inserter(both), {}, &Edge::neighbor, &Edge::neighbor);
        for (const Edge& edge : both) {
            if (graph.neighbor.size() > graph.begin.back() && graph.neighbor.back() == edge.neighbor) {
                float& weight = graph.weight.back();
                weight = weight + edge.weight - weight * edge.weight;
                continue;
            }
            graph.neighbor.push_back(edge.neighbor);
            graph.weight.push_back(edge.weight);
        }
        graph.begin.push_back(graph.neighbor.size());
    }
    return graph;
}

namespace {

/// Neighbour tables of one set: in the same set and in the other, as indices in the union.
struct Lists {
    const NeighborTable& toReal;
    const NeighborTable& toSynthetic;
    std::size_t realRows;
    std::size_t realOthers, syntheticOthers; ///< rows that can be neighbours

    /// Number of nearest neighbours that the tables determine: rows beyond the end of a truncated list are unknown.
    std::size_t known() const {
        const bool allReal = toReal.k == realOthers;
        const bool allSynthetic = toSynthetic.k == syntheticOthers;
        if (allReal && allSynthetic)
            return toReal.k + toSynthetic.k;
        return allReal ? toSynthetic.k : allSynthetic ? toReal.k : std::min(toReal.k, toSynthetic.k);
    }

    void merge(std::size_t row, std::size_t k, std::uint32_t* index, double* distance) const {
        std::size_t r = 0;
        std::size_t s = 0;
        for (std::size_t rank = 0; rank < k; ++rank) {
            // At equal distances the real sample comes first: its index is lower.
            const bool real =
                s == toSynthetic.k || (r < toReal.k && toReal.distanceAt(row, r) <= toSynthetic.distanceAt(row, s));
            index[rank] =
                real ? toReal.indexAt(row, r) : static_cast<std::uint32_t>(realRows + toSynthetic.indexAt(row, s));
            distance[rank] = real ? toReal.distanceAt(row, r) : toSynthetic.distanceAt(row, s);
            ++(real ? r : s);
        }
    }
};

} // namespace

NeighborTable jointNeighbors(const RealAnalysis& real, const PairTables& pair, std::size_t wanted) {
    const std::size_t n = pair.real.nearest.rows();
    const std::size_t m = pair.synthetic.nearest.rows();
    const Lists ofReal{real.neighbors, pair.real.nearest, n, n - 1, m};
    const Lists ofSynthetic{pair.synthetic.nearest, pair.syntheticToSynthetic, n, n, m - 1};
    NeighborTable joint = noNeighbors(n + m, std::min({wanted, ofReal.known(), ofSynthetic.known()}));
    for (std::size_t row = 0; row < n + m; ++row) {
        const std::size_t at = row * joint.k;
        const Lists& lists = row < n ? ofReal : ofSynthetic;
        lists.merge(row < n ? row : row - n, joint.k, joint.index.data() + at, joint.distance.data() + at);
    }
    return joint;
}

double keptNeighbors(const NeighborTable& neighbors, std::span<const std::array<float, 3>> positions, unsigned threads,
                     const JobContext& job) {
    if (positions.size() != neighbors.rows())
        throw Error(ErrorKind::InvalidArgument, "kept neighbours: expected " + std::to_string(neighbors.rows()) +
                                                    " positions, found " + std::to_string(positions.size()));
    if (positions.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const std::size_t k = neighbors.k;
    const NeighborTable placed = KdTreeSearch(threads).within({positions.front().data(), positions.size(), 3}, k, job);
    std::size_t kept = 0;
    for (std::size_t row = 0; row < neighbors.rows(); ++row) {
        const auto* first = placed.index.data() + row * k;
        for (std::size_t rank = 0; rank < k; ++rank)
            kept += std::find(first, first + k, neighbors.indexAt(row, rank)) == first + k ? 0U : 1U;
    }
    return static_cast<double>(kept) / static_cast<double>(neighbors.index.size());
}

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
