#pragma once

#include "widgets/link/view_state.h"
#include "widgets/tables/table_content.h"

namespace assay {

/// Columns of the tables below.
namespace feature_columns {
enum Features { Feature, Distance, ByChance, RealMean, RealDeviation, SyntheticMean, SyntheticDeviation };
enum Pairs { First, Second, Difference, RealCorrelation, SyntheticCorrelation };
enum Categories { CategoryDistance = 1, MissingCategories = 3, InventedCategories };
enum MissingValues { RealRate = 1, SyntheticRate };
} // namespace feature_columns

/// What FeaturesPanel lists of the current model, what differs most first; rows as they are in the audit.

/// Features: how far the two distributions are apart, how far chance alone would put them, mean and standard deviation
/// of each.
TableContent featureTable(const ViewState& state);

/// Pairs of features by their correlation.
TableContent pairTable(const ViewState& state);

/// Categories of columns of text.
TableContent categoryTable(const ViewState& state);

/// Rates of missing values.
TableContent missingTable(const ViewState& state);

} // namespace assay
