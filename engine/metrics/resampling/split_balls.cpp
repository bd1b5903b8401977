#include "engine/metrics/resampling/split_balls.h"

#include "engine/base/parallel.h"
#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace assay {
namespace {

/// Unclipped radius of a row in one split.
double radiusIn(const NeighborTable& table, std::size_t row, std::size_t k, const std::vector<RowHalves>& halves,
                std::size_t split) {
    std::size_t found = 0;
    for (std::size_t rank = 0; rank < table.k; ++rank) {
        found += sameHalf(halves[row], halves[table.indexAt(row, rank)]) >> split & 1;
        if (found == k)
            return table.distanceAt(row, rank);
    }
    return table.distanceAt(row, table.k - 1);
}

/// Unclipped radii of the rows of one half in one split.
std::vector<double> radiiIn(const NeighborTable& table, std::size_t k, const std::vector<RowHalves>& halves,
                            std::size_t half, std::size_t split) {
    std::vector<double> radii;
    for (std::size_t row = 0; row < halves.size(); ++row)
        if ((halves[row].in(half) >> split & 1) != 0)
            radii.push_back(radiusIn(table, row, k, halves, split));
    return radii;
}

/// Range of radii that is searched for medians: [low, high).
struct Window {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    /// Window around the median of one split's radii, several times as wide as the scatter of the medians of other
    /// splits.
    static Window around(std::vector<double> radii) {
        Window window;
        const std::size_t middle = radii.size() / 2;
        const auto away = static_cast<std::size_t>(4.0 * std::sqrt(static_cast<double>(radii.size())));
        if (away >= middle)
            return window;
        window.low = orderStatistic(std::span(radii), middle - away);
        window.high = orderStatistic(std::span(radii), middle + away);
        return window;
    }
};

/// Collects radii per half and split: stores those inside the window and counts those below it.
class RadiiAround {
public:
    explicit RadiiAround(const Window& window) : window_(window) {}

    /// Adds a row's radius in some splits. Call endRow() after the row's last radius.
    void add(const RowHalves& row, double radius, Splits splits) {
        if (radius < window_.low)
            rowBelow_ |= splits;
        else if (radius == window_.low)
            rowAtLow_ |= splits; // may be that of many
        else if (radius < window_.high)
            for (; splits != 0; splits &= splits - 1) {
                const auto split = static_cast<std::size_t>(std::countr_zero(splits));
                inside_[row.second >> split & 1][split].push_back(radius);
            }
    }

    void endRow(const RowHalves& row) {
        for (std::size_t half = 0; half < 2; ++half) {
            below_[half].addOne(rowBelow_ & row.in(half));
            atLow_[half].addOne(rowAtLow_ & row.in(half));
        }
        rowBelow_ = 0;
        rowAtLow_ = 0;
    }

    /// Median over the radii of all workers; empty if it is not inside the window.
    static std::optional<double> medianOf(const std::vector<RadiiAround>& counts, std::size_t half, std::size_t split,
                                          std::size_t rows) {
        std::size_t below = 0;
        std::size_t atLow = 0;
        std::vector<double> inside;
        for (const RadiiAround& some : counts) {
            below += some.below_[half].of(split);
            atLow += some.atLow_[half].of(split);
            inside.insert(inside.end(), some.inside_[half][split].begin(), some.inside_[half][split].end());
        }
        const std::size_t upper = rows / 2;
        const std::size_t lower = (rows - 1) / 2;
        if (lower < below || upper >= below + atLow + inside.size())
            return std::nullopt;
        const auto at = [&](std::size_t position) {
            if (position < below + atLow)
                return counts.front().window_.low;
            return orderStatistic(std::span(inside), position - below - atLow);
        };
        return upper == lower ? at(upper) : (at(lower) + at(upper)) / 2.0;
    }

private:
    Window window_;
    Splits rowBelow_ = 0;
    Splits rowAtLow_ = 0;
    std::array<SplitSums, 2> below_;
    std::array<SplitSums, 2> atLow_;
    std::array<std::array<std::vector<double>, kSplits>, 2> inside_;
};

} // namespace

SplitLimits::SplitLimits(const std::array<double, kSplits>& limits) {
    for (std::size_t split = 0; split < kSplits; ++split)
        sorted_[split] = {limits[split], Splits{1} << split};
    std::sort(sorted_.begin(), sorted_.end());
    for (std::size_t at = kSplits - 1; at > 0; --at)
        sorted_[at - 1].second |= sorted_[at].second;
}

Splits SplitLimits::atLeast(double distance) const noexcept {
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), distance,
                                     [](const auto& limit, double value) { return limit.first < value; });
    return at == sorted_.end() ? Splits{0} : at->second;
}

SplitBalls::SplitBalls(const NeighborTable& table, std::size_t k, const std::vector<RowHalves>& halves,
                       unsigned threads, const JobContext& job)
    : table_(table), k_(k), halves_(halves), blocks_((halves.size() + kRowsPerBlock - 1) / kRowsPerBlock),
      reach_(halves.size()) {
    const std::vector<double> first = radiiIn(table, k, halves, 0, 0);
    std::vector<RadiiAround> radii(resolveThreads(threads), RadiiAround(Window::around(first)));
    parallelFor(blocks_.size(), threads, job, [&](std::size_t task, unsigned worker) {
        RadiiAround& around = radii[worker];
        const std::size_t end = std::min(halves.size(), (task + 1) * kRowsPerBlock);
        for (std::size_t row = task * kRowsPerBlock; row < end; ++row) {
            addRow(row, blocks_[task], [&](double radius, Splits splits) { around.add(halves[row], radius, splits); });
            around.endRow(halves[row]);
        }
        blocks_[task].first.push_back(static_cast<std::uint32_t>(blocks_[task].reaching.size()));
    });
    for (std::size_t half = 0; half < 2; ++half) {
        std::array<double, kSplits> medians{};
        for (std::size_t split = 0; split < kSplits; ++split) {
            job.throwIfStopped();
            const auto found = RadiiAround::medianOf(radii, half, split, halves.size() / 2);
            medians[split] = found ? *found : median(radiiIn(table, k, halves, half, split));
        }
        clips_[half] = SplitLimits(medians);
    }
    smallestClip_ = std::min(clips_[0].smallest(), clips_[1].smallest());
}

template <typename Note>
void SplitBalls::addRow(std::size_t row, Block& block, const Note& note) {
    block.first.push_back(static_cast<std::uint32_t>(block.reaching.size()));
    Countdowns missing(1, k_);
    const RowHalves own = halves_[row];
    Splits open = own.either;
    std::size_t rank = 0;
    for (; rank < table_.k && open != 0; ++rank) {
        if (rank >= k_)
            block.reaching.push_back(open);
        const Splits reached = missing.take(0, open & sameHalf(own, halves_[table_.indexAt(row, rank)]));
        if (reached != 0)
            note(table_.distanceAt(row, rank), reached);
        open &= ~reached;
    }
    if (open != 0)
        note(table_.distanceAt(row, table_.k - 1), open);
    reach_[row] = {table_.distanceAt(row, k_ - 1),
                   table_.distanceAt(row, open != 0 ? table_.k - 1 : std::max<std::size_t>(rank, 1) - 1)};
}

Splits SplitBalls::clippedReaching(std::size_t row, double distance) const noexcept {
    const Splits within = withinClip(row, distance);
    if (within == 0)
        return 0;
    const Reach& reach = reach_[row];
    if (distance <= reach.all)
        return within;
    if (distance > reach.any)
        return 0;
    std::size_t rank = k_;
    while (table_.distanceAt(row, rank) < distance)
        ++rank;
    return within & reaching(row, rank);
}

} // namespace assay
