#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/metrics/tables/row_mask.h"
#include "engine/subsets/what_if/what_if_tables.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Builds the pair tables that an audit of the kept synthetic rows alone would find, as far as the catalogue's
/// aggregates read them, and hands them to the catalogue.
///
/// They differ from an audit's own in three ways that no aggregate sees: neighbour tables are shorter; of a real
/// sample's ball the count of synthetic samples stops at k; syntheticBallsHolding says 1 for any number of balls.
class SubsetAudit {
public:
    /// @param tables read and deepened; kept by reference
    /// @param threads 0 for every core
    SubsetAudit(WhatIfTables& tables, unsigned threads);

    /// The metrics of the tables' `scores`. @param kept more than k rows @throws Cancelled
    std::vector<MetricValue> run(const RowMask& kept, const JobContext& job);

private:
    void resize(const RowMask& kept);
    void fillTables(const RowMask& kept, const JobContext& job);
    bool fillSynthetic(std::size_t keptRow, const RowMask& kept);
    bool fillReal(std::size_t row, const RowMask& kept);
    void searchAgain(const RowMask& kept, const std::vector<std::uint32_t>& missingSynthetic,
                     const std::vector<std::uint32_t>& missingReal, const JobContext& job);
    void coverReal(const RowMask& kept, const JobContext& job);
    std::vector<CentredBall> markMembers(std::span<const CentredBall> balls, const JobContext& job);
    std::vector<CentredBall> keptBalls() const;
    std::vector<std::uint32_t> uncoveredReal() const;
    void measure(std::vector<CentredBall> balls, const JobContext& job);
    void countBalls(std::span<const CentredBall> balls, const JobContext& job);
    std::vector<MetricValue> computeMetrics(const JobContext& job);
    std::vector<MetricValue> computeFrom(const MetricInputs& inputs, const JobContext& job) const;

    WhatIfTables& tables_;
    unsigned threads_;
    std::vector<std::uint32_t> rows_;          ///< of the kept samples
    std::vector<std::uint32_t> newRow_;        ///< per synthetic row: its place among the kept ones
    PairTables pair_;                          ///< kept between runs for its memory
    std::shared_ptr<const RealCentre> centre_; ///< found when first needed, where the audit has none
};

} // namespace assay
