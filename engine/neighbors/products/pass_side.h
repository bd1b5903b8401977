#pragma once

#include "engine/base/job_context.h"
#include "engine/base/large_array.h"
#include "engine/neighbors/products/candidate_measurement.h"
#include "engine/neighbors/products/candidates.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/products/subspace_projection.h"
#include "engine/neighbors/search/ball_counter.h"
#include "engine/neighbors/search/nearest_measured.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace assay {

/// One set's half of a pass over all pairs: its neighbours in the other set and its balls.
class PassSide {
public:
    /// @param side the rows of `search`, with the neighbours and balls that are wanted
    PassSide(const SearchSide& search, const SideQuery& side, std::size_t capacity);

    const ProductOperand& operand() const noexcept { return *operand_; }
    const float* reach() const noexcept { return reach_.data(); }
    const float* level() const noexcept { return level_.data(); }

    /// From now on pairs are looked at through a projection first. Call before anything else.
    void use(const Shortcut& shortcut);
    /// None where pairs are not looked at through a projection.
    const std::optional<Shortcut>& shortcut() const noexcept { return shortcut_; }
    const float* nearReach() const noexcept { return nearReach_.data(); }
    const float* nearLevel() const noexcept { return nearLevel_.data(); }

    /// Begins with neighbours that are known from other rows (NearestMeasured::start), so that only nearer ones are
    /// collected.
    void start(NeighborTable known);

    /// Lowers every row's limit by evenly spaced rows of the other set, before anything is collected.
    /// @param self whether the other set is this one
    void lowerLimitsBySample(bool self, unsigned threads, const JobContext& job);

    /// Takes in a pair that the row's limits admit: row of this set, row of the other set.
    void take(std::size_t row, std::size_t other, float estimate, const JobContext& job) {
        if (ballAtOnce(row)) {
            takeBoth(row, other, estimate, job);
            return;
        }
        if (lists.add(row, {estimate, static_cast<std::uint32_t>(other)}))
            compact(row, job);
    }

    /// Takes in pairs of one row with the other set's rows `first` + column.
    void take(std::size_t row, const TileHits& hits, std::size_t first, const JobContext& job);

    /// Measures what is left, of all rows; nearest holds the final table afterwards.
    void settle(unsigned threads, const JobContext& job);

    CandidateLists lists;
    BallCounter balls;
    NearestMeasured nearest;
    CandidateMeasurement measurement;

private:
    void lowerLimitsDirectly(std::size_t rank, unsigned threads, const JobContext& job);
    void lowerLimitsThroughProjection(std::size_t rank, unsigned threads, const JobContext& job);
    /// Whether a pair of this row has to be shown to the ball counter as it comes; elsewhere the list decides.
    bool ballAtOnce(std::size_t row) const noexcept { return balls.any() && !lists.keepsBeyondLimit(row); }
    void takeBoth(std::size_t row, std::size_t other, float estimate, const JobContext& job);
    void compact(std::size_t row, const JobContext& job);
    void onLimitLowered(std::size_t row);
    void refresh(std::size_t row);

    SearchSide search_;
    const ProductOperand* operand_;
    const ProductOperand* other_;
    LineVector<float> reach_, level_; ///< of the larger of both limits
    /// Scaled squared distance up to which a row's ball reaches, minus infinity for none; only where there are balls.
    std::vector<float> ballDistance_;
    std::vector<PruningLimit> ballLimit_; ///< likewise
    std::optional<Shortcut> shortcut_;
    LineVector<float> nearReach_, nearLevel_; ///< the same limits on projected rows
};

} // namespace assay
