#pragma once

#include "engine/data/sample_set.h"
#include "widgets/link/view_state.h"
#include "widgets/ranking/ranking_order.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace assay {

/// Samples of a listing that belong together, one after another.
struct RankingGroup {
    std::uint32_t key; ///< verdict as a number, class code, or row of the nearest sample of the other set
    std::size_t first; ///< position of its best-ranked sample
    std::size_t count; ///< above zero
};

/// What to list. A plain value that shares the data it points to, for any thread.
struct ListingRequest {
    ViewState state; ///< has a model
    RankingOrder order;
    RankingShow show = RankingShow::All;
    RankingGrouping grouping = RankingGrouping::None;
    SampleSet selection{};                                      ///< for RankingShow::Selected
    std::shared_ptr<const std::vector<std::uint32_t>> sorted{}; ///< every row in the order, if it is known
    std::uint64_t number = 0;                                   ///< of the request
};

/// A ranking: rows of the listed set in an order, filtered and grouped.
struct RankingListing {
    std::shared_ptr<const std::vector<std::uint32_t>> sorted; ///< every row in the order
    std::vector<std::uint32_t> shown;                         ///< rows that are listed, group by group
    std::vector<std::int32_t> positions;                      ///< per row: its index in `shown`, -1 when not listed
    /// By size, the largest first, and those of one size by their best-ranked sample; empty without a grouping.
    std::vector<RankingGroup> groups;
    RankingGrouping grouping = RankingGrouping::None; ///< what these have in common
    std::uint64_t number = 0;                         ///< of the request
};

/// Sorts, filters and groups. Samples of equal value are ordered by their evidence, worst first, then by row; samples
/// without a value come last. A million take about 0.1 s, by id about 1 s.
std::shared_ptr<const RankingListing> listSamples(const ListingRequest& request);

/// The set that an order lists. @pre the state has a model
SetId listedSet(const ViewState& state, const RankingOrder& order);
/// Whether an audit knows what the samples of a side are grouped by.
bool canGroupBy(RankingGrouping grouping, const ViewState& state, Side side);
/// Values of a column of the current model; null when it was not computed, or is of the other side.
const std::vector<double>* valuesOf(const ViewState& state, std::string_view column, Side side);

} // namespace assay
