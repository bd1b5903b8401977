#include "widgets/ranking/ranking_listing.h"

#include "widgets/link/decision_text.h"
#include "widgets/ranking/ranking_keys.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

namespace assay {
namespace {

bool isKeptSample(const ListingRequest& request, std::uint32_t row) {
    return request.order.side == Side::Real || request.state.isKept(row); // a real sample is not decided about
}

/// How far from rejection a sample is: rejected by hand, by the rules, unsure, kept, kept by hand.
double decisionRank(const ListingRequest& request, std::uint32_t row) {
    const ViewState& state = request.state;
    const SampleId sample{listedSet(state, request.order), row};
    if (request.order.side == Side::Synthetic && state.isRejectedByHand(row))
        return 0.0;
    if (!isKeptSample(request, row))
        return 1.0;
    return state.isUnsure(sample) ? 2.0 : state.isAccepted(sample) ? 4.0 : 3.0;
}

std::vector<double> fixedKeys(const ListingRequest& request) {
    const ViewState& state = request.state;
    const SetId listed = listedSet(state, request.order);
    const EmbeddingSet& set = state.audit->setOf(listed);
    const std::string& column = request.order.column;
    if (column == "id")
        return set.hasIds() ? idRanks(set) : rowNumbers(set.rows());
    std::vector<double> keys(set.rows());
    if (column == "class" && set.hasLabels())
        std::copy(set.labels().code.begin(), set.labels().code.end(), keys.begin());
    else
        for (std::uint32_t row = 0; row < keys.size(); ++row) {
            if (column == "kept")
                keys[row] = decisionRank(request, row);
            else if (column == "tags")
                keys[row] = state.tagsOf({listed, row});
            else if (column == "note")
                keys[row] = state.noteOf({listed, row}).empty() ? 0.0 : 1.0;
        }
    return keys;
}

std::shared_ptr<const std::vector<std::uint32_t>> sortedRows(const ListingRequest& request) {
    const RankingOrder& order = request.order;
    const std::vector<double>* values = valuesOf(request.state, order.column, order.side);
    const std::vector<double> made = values != nullptr ? std::vector<double>() : fixedKeys(request);
    const std::span<const double> keys = values != nullptr ? *values : made;
    auto rows = std::make_shared<std::vector<std::uint32_t>>(keys.size());
    std::iota(rows->begin(), rows->end(), 0U);
    const bool falling = order.order == Qt::DescendingOrder;
    // The last key decides: each pass keeps what the one before has made of equal values.
    const TieOrder tie = tieOrder(order);
    if (const std::vector<double>* ties = valuesOf(request.state, tie.column, order.side))
        sortByKey(*rows, *ties, tie.falling);
    sortByKey(*rows, keys, falling);
    return rows;
}

/// Values other than 0 accuse; null without verdicts.
const std::vector<double>* verdictsOf(const ListingRequest& request) {
    const Side side = request.order.side;
    return valuesOf(request.state, side == Side::Real ? "coverage_verdict" : "verdict", side);
}

bool passes(const ListingRequest& request, const std::vector<double>* verdicts, SampleId sample) {
    switch (request.show) {
    case RankingShow::Selected:
        return request.selection.contains(sample);
    case RankingShow::Kept:
        return isKeptSample(request, sample.row);
    case RankingShow::Rejected:
        return !isKeptSample(request, sample.row);
    case RankingShow::Accused:
        return verdicts != nullptr && (*verdicts)[sample.row] != 0.0;
    case RankingShow::Undecided:
        return !isReviewed(request.state, sample);
    case RankingShow::Reviewed:
        return isReviewed(request.state, sample);
    case RankingShow::All:
        break;
    }
    return true;
}

std::vector<std::uint32_t> shownRows(const ListingRequest& request, const std::vector<std::uint32_t>& sorted) {
    const SetId set = listedSet(request.state, request.order);
    const auto& filter = request.state.shown;
    std::vector<bool> shown(sorted.size(), !filter);
    if (filter)
        for (const SampleId sample : filter->in(set))
            shown[sample.row] = true;
    const std::vector<double>* verdicts = verdictsOf(request);
    std::vector<std::uint32_t> rows;
    rows.reserve(sorted.size());
    for (const std::uint32_t row : sorted)
        if (shown[row] && passes(request, verdicts, {set, row}))
            rows.push_back(row);
    return rows;
}

/// Per row of the listed set: the key of its group.
std::vector<std::uint32_t> groupKeys(const ListingRequest& request) {
    const ViewState& state = request.state;
    const Side side = request.order.side;
    const EmbeddingSet& set = state.audit->setOf(listedSet(state, request.order));
    if (request.grouping == RankingGrouping::Class)
        return {set.labels().code.begin(), set.labels().code.end()};
    std::vector<std::uint32_t> keys(set.rows());
    const std::vector<double>* values = nullptr;
    if (request.grouping == RankingGrouping::Verdict)
        values = verdictsOf(request);
    else if (side == Side::Synthetic)
        values = valuesOf(state, "nearest_real", side);
    if (values != nullptr)
        std::ranges::transform(*values, keys.begin(), [](double value) { return static_cast<std::uint32_t>(value); });
    else
        for (std::uint32_t row = 0; row < keys.size(); ++row)
            keys[row] = state.current().tables->realToSynthetic.indexAt(row, 0);
    return keys;
}

/// Brings the rows of each group together and keeps their order within it.
std::vector<SampleGroup> group(std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& keyOf) {
    if (rows.empty())
        return {};
    constexpr auto kNone = static_cast<std::uint32_t>(-1);
    const std::uint32_t keys = *std::ranges::max_element(keyOf) + 1;
    std::vector<std::uint32_t> groupOf(keys, kNone);
    std::vector<SampleGroup> groups; // by the best-ranked sample
    for (const std::uint32_t row : rows) {
        const std::uint32_t key = keyOf[row];
        if (groupOf[key] == kNone) {
            groupOf[key] = static_cast<std::uint32_t>(groups.size());
            groups.push_back({key, 0, 0});
        }
        ++groups[groupOf[key]].count;
    }
    std::ranges::stable_sort(groups, std::ranges::greater(), &SampleGroup::count);
    std::size_t first = 0;
    for (std::uint32_t at = 0; at < groups.size(); ++at) {
        groupOf[groups[at].key] = at;
        groups[at].first = std::exchange(first, first + groups[at].count);
    }
    std::vector<std::size_t> next(groups.size());
    std::ranges::transform(groups, next.begin(), &SampleGroup::first);
    std::vector<std::uint32_t> grouped(rows.size());
    for (const std::uint32_t row : rows)
        grouped[next[groupOf[keyOf[row]]]++] = row;
    rows = std::move(grouped);
    return groups;
}

} // namespace

SetId listedSet(const ViewState& state, const RankingOrder& order) {
    return order.side == Side::Real ? SetId::Real : state.currentSet();
}

const std::vector<double>* valuesOf(const ViewState& state, std::string_view id, Side side) {
    const Column* column = state.findColumn(id);
    if (column == nullptr || column->side != side || !state.hasModel())
        return nullptr;
    for (const ColumnValues& values : state.current().columns)
        if (values.id == id)
            return &values.values.get();
    return nullptr;
}

bool canGroupBy(RankingGrouping grouping, const ViewState& state, Side side) {
    if (!state.hasModel())
        return grouping == RankingGrouping::None;
    switch (grouping) {
    case RankingGrouping::Verdict:
        return valuesOf(state, side == Side::Real ? "coverage_verdict" : "verdict", side) != nullptr;
    case RankingGrouping::Class:
        return state.audit->setOf(listedSet(state, {{}, {}, side})).hasLabels();
    case RankingGrouping::Nearest:
        return side == Side::Synthetic ? valuesOf(state, "nearest_real", side) != nullptr
                                       : state.current().tables->realToSynthetic.rows() > 0;
    case RankingGrouping::None:
        break;
    }
    return true;
}

std::shared_ptr<const RankingListing> listSamples(const ListingRequest& request) {
    auto listing = std::make_shared<RankingListing>();
    listing->number = request.number;
    listing->grouping = request.grouping;
    listing->sorted = request.sorted ? request.sorted : sortedRows(request);
    listing->shown = shownRows(request, *listing->sorted);
    if (request.grouping != RankingGrouping::None && canGroupBy(request.grouping, request.state, request.order.side))
        listing->groups = group(listing->shown, groupKeys(request));
    listing->positions.assign(listing->sorted->size(), -1);
    for (std::size_t at = 0; at < listing->shown.size(); ++at)
        listing->positions[listing->shown[at]] = static_cast<std::int32_t>(at);
    return listing;
}

} // namespace assay
