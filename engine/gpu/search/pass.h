#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/gpu/device/device_piece.h"
#include "engine/gpu/search/pass_memory.h"
#include "engine/gpu/search/plan.h"
#include "engine/gpu/search/slots.h"
#include "engine/neighbors/products/frame.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace assay::cuda {

/// What a pass over all pairs of x and y, or within x, is asked for.
struct PassInput {
    MatrixView x;
    MatrixView y; ///< no rows: pairs within x
    PassShape shape;
    const Frame& frame;
    std::span<const double> radiusX, innerRadiusX, radiusY;
};

/// What some of the pieces of a pass answer. Where those hold fewer than k pairs of a row, its neighbours end with
/// kNobody.
struct PassOutput {
    NeighborTable xToY, yToX;
    std::vector<std::uint32_t> countersX, countersY; ///< kCounters x rows; empty without balls
};

/// Runs pieces of a pass on one device.
///
/// Every region of tiles proposes, for each row, the pairs within its reach (what k rows are known to be within, first
/// from a sample). Lists are shortened after each region. One that was too short for a region is restored to what it
/// was before, its reach lowered by what it had caught, and the region run again in parts for the rows concerned: down
/// to single tiles, for which a list always has room. Nothing is lost, and nothing is entered twice. Balls are counted
/// where bounds decide; pairs in doubt are listed and measured, in parts where they do not fit.
class Pass {
public:
    /// @throws OutOfDevicePiece
    Pass(Device& device, const PassPlan& plan, const PassInput& input);

    /// @param done called after each piece
    /// @throws Error{DeviceFailed}, Cancelled
    PassOutput run(std::span<const Piece> pieces, const JobContext& job, const std::function<void()>& done);

private:
    /// One of the sets.
    struct Side {
        MatrixView set;
        SetState state;
        SetPlace place;
        Slots slots;
        unsigned firstSlot;       ///< number of its first slot among those of all sides
        std::vector<bool> primed; ///< per block
    };
    /// Two blocks in device memory, and which ones to load while they are worked on.
    struct PieceSearch {
        RegionJob job;
        Piece piece;
        const Piece* next;
    };

    void setUp(Side& side, std::span<const double> radius, std::span<const double> inner, unsigned sampleSlot);
    void loadSample(Side& side, unsigned slot);
    std::uint32_t load(Side& side, std::uint32_t block, const std::vector<std::uint32_t>& keep);
    Block blockAt(const Side& side, std::uint32_t block) const;
    PieceSearch beginPiece(const Piece& piece, const Piece* next);
    void prefetch(const Piece& piece, const Piece& next);
    void prime(Side& side, Side& other, std::uint32_t block);
    void explore(PieceSearch& search, const Region& region, const Wanted& wanted, const JobContext& job);
    void decideDoubts(PieceSearch& search, const RegionJob& regionJob, const Report& report, const JobContext& job);
    void settleRegion(const RegionJob& regionJob, const Report& report);
    void repeatOverflowed(PieceSearch& search, const RegionJob& regionJob, const Report& report, const JobContext& job);
    void settleAll(std::span<const Piece> pieces, const JobContext& job);
    void settleResident(const Side& side, const Side& other, const JobContext& job);
    void copyCounters(bool save);
    NeighborTable tableOf(const SetState& state);
    std::vector<std::uint32_t> countersOf(const SetState& state);
    Side& sideY() { return sides_.size() > 1 ? sides_[1] : sides_[0]; }

    Device& device_;
    PassPlan plan_;
    const PassInput& input_;
    DevicePiece piece_;
    PassMemory memory_;
    std::vector<Side> sides_; ///< x, and y where it is another set
};

} // namespace assay::cuda
