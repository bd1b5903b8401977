#pragma once

#include "tests/cuda/support/forwarding_device.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace assay::cuda::test {

/// One wrong value of one kernel.
enum class Fault {
    None,
    RowResidual,        ///< prepareKernel: a row's residual is too small
    BallBound,          ///< ballsKernel: a ball's outer bound is too small
    Product,            ///< sampleKernel: the bound of one pair is below its distance
    SampledReach,       ///< lowerReachesKernel: a row's reach is too small
    MissedNeighbor,     ///< selectKernel: the nearest entry of a list is missing
    CertainBallCount,   ///< selectKernel: a ball holds one row more
    ListReach,          ///< pruneKernel: reaches are too small
    LongestList,        ///< longestKernel: one entry less
    DistanceUlp,        ///< measureKernel: a distance is off by its last bit
    TieOrder,           ///< measureKernel: two neighbours at the same distance are swapped
    UndecidedBallCount, ///< undecidedKernel: a ball holds one row more
    ListedPair,         ///< listPairsKernel: an estimate is off by its last bit
    GramProduct,        ///< a product of columns is off in its tenth digit
    LayoutStep,         ///< one coordinate is off by its last bit
};

/// A device with one fault.
class FaultyDevice : public ForwardingDevice {
public:
    /// @param row that has the wrong value, where the fault is of a row
    FaultyDevice(std::unique_ptr<Device> device, Fault fault, std::uint32_t row = 3)
        : ForwardingDevice(std::move(device)), fault_(fault), row_(row) {}

    void load(unsigned slot, const float* stored, float* rows, const PrepareJob& job) override;
    void setBallBounds(const SetState& set, double scale) override;
    void lowerReaches(const ReachJob& job) override;
    void startRegion(const RegionJob& job) override;
    std::uint32_t longestList(const SetState& set, Report* report) override;
    void measureLists(const MeasureJob& job) override;
    void measureUndecided(const RegionJob& job, std::uint32_t count) override;
    void listPairs(const PairJob& job) override;
    void addToGram(const GramJob& job) override;
    void moveRows(const LayoutJob& job) override;

private:
    template <typename T, typename Change>
    void change(T* value, const Change& changed);
    void dropNearest(const SetState& set);
    void countOneMore(const SetState& set);

    Fault fault_;
    std::uint32_t row_;
};

} // namespace assay::cuda::test
