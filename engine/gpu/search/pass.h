#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/gpu/device/device_buffer.h"
#include "engine/gpu/search/plan.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace assay::cuda {

/// Input of a pass over all pairs of x and y, or within x.
struct PassInput {
    MatrixView x;
    MatrixView y; ///< no rows: pairs within x
    PassShape shape;
    const Frame& frame;
    std::span<const double> radiusX, innerRadiusX, radiusY;
};

/// Result of a pass over some pairs of blocks. A row with fewer than k pairs in them ends with kNoNeighbor.
struct PassOutput {
    NeighborTable xToY, yToX;
    std::vector<std::uint32_t> countersX, countersY; ///< kCounters x rows; empty without balls
};

/// Thrown by Pass::run when the first two blocks show that the bounds of integers exclude too few pairs, so that floats
/// are expected to take less time.
struct IntegersTooCoarse {};

/// Searches pairs of blocks on one device.
///
/// Each row has a reach, an upper bound of the distance of its k-th neighbour, which a sample initialises. The tiles of
/// a region append to each row's list the pairs that may be within its reach; after each region lists are pruned. If a
/// list overflows, it is restored to its state before the region, its reach lowered by the entries it held, and the
/// region repeated in smaller parts for these rows alone, down to single tiles, for which a list always has room: no
/// pair is lost or entered twice. Pairs for which the bounds decide on balls are counted; others are stored and
/// measured, in smaller parts where they do not fit.
class Pass {
public:
    /// @throws OutOfDeviceMemory
    Pass(Device& device, const PassPlan& plan, const PassInput& input);

    /// @param done called after each pair of blocks
    /// @throws Error{DeviceFailed}, Cancelled, IntegersTooCoarse
    PassOutput run(std::span<const BlockPair> pairs, const JobContext& job, const std::function<void()>& done);

private:
    /// One of the sets.
    struct Side {
        MatrixView set;
        SetState state;
        SetPlace place;
        Slots slots;
        unsigned firstSlot;        ///< number of its first slot among those of all sides
        std::vector<bool> lowered; ///< per block
    };
    /// Two blocks in device memory, and the pair to load while they are searched.
    struct BlockPairSearch {
        RegionJob job;
        BlockPair pair;
        std::uint32_t slotX, slotY; ///< numbered over both sides
        const BlockPair* next;
        bool first; ///< of all pairs of blocks
    };

    void setUp(Side& side, std::span<const double> radius, std::span<const double> inner, unsigned sampleSlot);
    PrepareJob prepareJob(const Side& side, const float* rows, std::uint32_t count) const;
    void loadSample(Side& side, unsigned slot);
    /// Loads a block unless it is in device memory. @return its slot, numbered over both sides
    std::uint32_t load(Side& side, std::uint32_t block, const std::vector<std::uint32_t>& keep);
    std::byte* operandAt(const Side& side, std::size_t slot) const;
    DeviceRows blockAt(const Side& side, std::uint32_t block) const;
    BlockPairSearch beginPair(const BlockPair& pair, const BlockPair* next, bool first);
    void prefetch(const BlockPair& pair, const BlockPair& next);
    void lowerReaches(Side& side, Side& other, std::uint32_t block);
    void requireFewCandidates(const RegionJob& regionJob, const Report& report) const;
    void searchRegion(BlockPairSearch& search, const Region& region, const Wanted& wanted, const JobContext& job);
    /// Measures entries of lists of the rows of one block among those of the other.
    MeasureJob measureJob(const SetState& state, const DeviceRows& own, const DeviceRows& other) const;
    void measureUndecidedPairs(BlockPairSearch& search, const RegionJob& regionJob, const Report& report,
                               const JobContext& job);
    void measureRegion(const RegionJob& regionJob, const Report& report);
    void repeatOverflowed(BlockPairSearch& search, const RegionJob& regionJob, const Report& report,
                          const JobContext& job);
    void measureAll(std::span<const BlockPair> pairs, const JobContext& job);
    void measureResident(const Side& side, const Side& other, const JobContext& job);
    void copyCounters(bool save);
    NeighborTable tableOf(const SetState& state);
    std::vector<std::uint32_t> countersOf(const SetState& state);
    Side& sideY() { return sides_.size() > 1 ? sides_[1] : sides_[0]; }

    Device& device_;
    PassPlan plan_;
    const PassInput& input_;
    DeviceBuffer buffer_;
    PassMemory memory_;
    std::vector<Side> sides_; ///< x, and y where it is another set
};

} // namespace assay::cuda
