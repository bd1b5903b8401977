#pragma once

#include "engine/base/compute_context.h"
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <vector>

namespace assay {

struct PairTables;
struct RealAnalysis;

/// Statistics if the labels "real" and "synthetic" meant nothing: draws of as many real labels over the
/// pooled rows of both sets, one row of each unit. Statistics of the given labels are compared with those of the draws.
struct Relabelling {
    /// N: d log(b / a), a and b the distances of a real sample to its k-th nearest real and synthetic one; where both
    /// are 0, shares of equal rows are compared. Finite. Rows of one unit have one value.
    std::vector<double> coverageRatio;
    std::vector<double> pValue; ///< N: rank of that value among those of the draws and of the given labels
    /// Whether as many values are extreme in fewer than 1 % of the draws: else nothing is missed.
    bool missesMore = false;
    bool missesSurely = false; ///< whether no draw has as many extreme values
    /// Distances among synthetic samples over those among real ones, as geometric means, less what draws give.
    double spreadRatio = 1.0;
    double spreadDeviations = 0.0; ///< how many deviations of the draws log(spreadRatio) is from them

    /// This, made of one row of each unit in ascending order, with the values of every row.
    Relabelling ofRows(const RealPartition& partition) const;
};

/// Draws 200 labellings of up to 1,500 pooled rows, else 40. Of large or very unequal sets the draws look at some of
/// the rows. O(draws x rows x k), and a search of the rows whose neighbour lists end before their k-th of a label.
/// @return empty columns if a set has too few rows
/// @throws Cancelled
Relabelling drawLabels(const RealAnalysis& real, const RealPartition& partition, MatrixView synthetic,
                       const PairTables& tables, const NeighborSearch& search, const ComputeContext& context);

} // namespace assay
