#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/metrics/tables/row_mask.h"
#include "engine/subsets/what_if/what_if_tables.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Builds the pair tables of an audit of the kept synthetic rows, as far as the catalogue's aggregates read them, and
/// computes these aggregates.
///
/// The tables differ from those of a full audit in three ways that no aggregate depends on: neighbour tables are
/// shorter; the count of synthetic samples in a real sample's ball stops at k; holding of the real side is 1 for any
/// positive number of balls.
class SubsetAudit {
public:
    /// @param tables kept by reference; run() reads them and extends their lists
    /// @param threads 0: all cores
    SubsetAudit(WhatIfTables& tables, unsigned threads);

    /// Computes the metrics of the tables' `scores` for the kept rows.
    /// @param kept more than k synthetic rows
    /// @return values in catalogue order
    /// @throws Cancelled
    std::vector<MetricValue> run(const RowMask& kept, const JobContext& job);

private:
    void resize(const RowMask& kept);
    void fillTables(const RowMask& kept, const JobContext& job);
    bool fillList(NeighborTable& table, std::size_t at, const SubsetNeighbors& lists, std::size_t row,
                  const RowMask& kept) const;
    bool fillSynthetic(std::size_t keptRow, const RowMask& kept);
    bool fillReal(std::size_t row, const RowMask& kept);
    void searchAgain(const RowMask& kept, const std::vector<std::uint32_t>& missingSynthetic,
                     const std::vector<std::uint32_t>& missingReal, const JobContext& job);
    void coverReal(const RowMask& kept, const JobContext& job);
    std::vector<CentredBall> markMembers(std::span<const CentredBall> balls, const JobContext& job);
    std::vector<CentredBall> keptBalls() const;
    std::vector<std::uint32_t> uncoveredReal() const;
    void countBalls(std::span<const CentredBall> balls, const JobContext& job);
    std::vector<MetricValue> computeMetrics(const JobContext& job);
    std::vector<MetricValue> computeFrom(const MetricInputs& inputs, const JobContext& job) const;

    WhatIfTables& tables_;
    unsigned threads_;
    std::vector<std::uint32_t> rows_;          ///< kept synthetic rows, ascending
    std::vector<std::uint32_t> newRow_;        ///< per synthetic row: its index among the kept rows
    PairTables pair_;                          ///< reused between runs to avoid allocations
    std::shared_ptr<const RealCentre> centre_; ///< computed on first use if the audit has none
};

} // namespace assay
