#pragma once

#include "engine/subsets/order/sample_listing.h"
#include "widgets/link/view_state.h"
#include "widgets/ranking/ranking_order.h"

namespace assay {

/// A request for all samples of an order, with what a state says about them. @pre the state has a model
inline ListingRequest listingRequest(const ViewState& state, const RankingOrder& order) {
    return {.audit = state.audit,
            .model = state.model,
            .said = {state.kept, state.byHand, state.accepted, state.unsure, state.tags, state.notes},
            .shown = state.shown,
            .order = {order.column,
                      order.order == Qt::DescendingOrder ? SortDirection::Descending : SortDirection::Ascending,
                      order.side}};
}

/// The set that an order lists. @pre the state has a model
inline SetId listedSet(const ViewState& state, const RankingOrder& order) {
    return order.side == Side::Real ? SetId::Real : state.currentSet();
}

inline bool canGroupBy(RankingGrouping grouping, const ViewState& state, Side side) {
    return state.hasModel() ? canGroupBy(grouping, *state.audit, state.model, side) : grouping == RankingGrouping::None;
}

} // namespace assay
