#include "engine/subsets/order/sample_listing.h"

#include "engine/audit/result/audit_result.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace assay {
namespace {

SetId setOf(const ListingRequest& request) {
    return request.order.side == Side::Real ? SetId::Real : syntheticSet(request.model);
}

bool isKeptSample(const ListingRequest& request, std::uint32_t row) {
    return request.order.side == Side::Real || !request.said.kept ||
           (*request.said.kept)[row]; // a real sample is not decided about
}

bool isIn(const std::shared_ptr<const SampleSet>& samples, SampleId sample) {
    return samples && samples->contains(sample);
}

bool isRejectedByHand(const ListingRequest& request, std::uint32_t row) {
    const auto& rows = request.said.rejectedByHand;
    return request.order.side == Side::Synthetic && rows && std::ranges::binary_search(*rows, row);
}

bool isReviewed(const ListingRequest& request, SampleId sample) {
    return request.order.side == Side::Synthetic &&
           (isRejectedByHand(request, sample.row) || isIn(request.said.accepted, sample) ||
            isIn(request.said.unsure, sample));
}

/// How far from rejection a sample is: rejected by hand, by the rules, unsure, kept, kept by hand.
double decisionRank(const ListingRequest& request, std::uint32_t row) {
    if (isRejectedByHand(request, row))
        return 0.0;
    if (!isKeptSample(request, row))
        return 1.0;
    const SampleId sample{setOf(request), row};
    return isIn(request.said.unsure, sample) ? 2.0 : isIn(request.said.accepted, sample) ? 4.0 : 3.0;
}

bool hasNote(const ListingRequest& request, SampleId sample) {
    return request.said.notes && request.said.notes->contains(sample);
}

const std::vector<double>* valuesOf(const ListingRequest& request, std::string_view id) {
    return columnOfSide(*request.audit, request.model, id, request.order.side);
}

std::vector<double> fixedKeys(const ListingRequest& request) {
    const SetId listed = setOf(request);
    const EmbeddingSet& set = request.audit->setOf(listed);
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
                keys[row] = request.said.tags ? request.said.tags->of({listed, row}) : TagSet{0};
            else if (column == "note")
                keys[row] = hasNote(request, {listed, row}) ? 1.0 : 0.0;
        }
    return keys;
}

std::shared_ptr<const std::vector<std::uint32_t>> sortedRows(const ListingRequest& request) {
    const SampleOrder& order = request.order;
    const std::vector<double>* values = valuesOf(request, order.column);
    const std::vector<double> made = values != nullptr ? std::vector<double>() : fixedKeys(request);
    const std::span<const double> keys = values != nullptr ? *values : made;
    auto rows = std::make_shared<std::vector<std::uint32_t>>(keys.size());
    std::iota(rows->begin(), rows->end(), 0U);
    // The last key decides: each pass keeps what the one before has made of equal values.
    const TieOrder tie = tieOrder(order);
    if (const std::vector<double>* ties = valuesOf(request, tie.column))
        sortByKey(*rows, *ties, tie.direction);
    sortByKey(*rows, keys, order.direction);
    return rows;
}

/// Values other than 0 accuse; null without verdicts.
const std::vector<double>* verdictsOf(const ListingRequest& request) {
    return valuesOf(request, request.order.side == Side::Real ? "coverage_verdict" : "verdict");
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
        return !isReviewed(request, sample);
    case RankingShow::Reviewed:
        return isReviewed(request, sample);
    case RankingShow::All:
        break;
    }
    return true;
}

std::vector<std::uint32_t> shownRows(const ListingRequest& request, const std::vector<std::uint32_t>& sorted) {
    const SetId set = setOf(request);
    const auto& filter = request.shown;
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
    const EmbeddingSet& set = request.audit->setOf(setOf(request));
    if (request.grouping == RankingGrouping::Class)
        return {set.labels().code.begin(), set.labels().code.end()};
    std::vector<std::uint32_t> keys(set.rows());
    const std::vector<double>* values = nullptr;
    if (request.grouping == RankingGrouping::Verdict)
        values = verdictsOf(request);
    else if (request.order.side == Side::Synthetic)
        values = valuesOf(request, "nearest_real");
    if (values != nullptr)
        std::ranges::transform(*values, keys.begin(), [](double value) { return static_cast<std::uint32_t>(value); });
    else
        for (std::uint32_t row = 0; row < keys.size(); ++row)
            keys[row] = request.audit->models[request.model]->tables->real.nearest.indexAt(row, 0);
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

const std::vector<double>* columnOfSide(const AuditResult& audit, std::size_t model, std::string_view id, Side side) {
    for (const ColumnValues& values : audit.models[model]->columns)
        if (values.id == id)
            return columnOf(values).side == side ? &values.values.get() : nullptr;
    return nullptr;
}

bool canGroupBy(RankingGrouping grouping, const AuditResult& audit, std::size_t model, Side side) {
    const bool real = side == Side::Real;
    switch (grouping) {
    case RankingGrouping::Verdict:
        return columnOfSide(audit, model, real ? "coverage_verdict" : "verdict", side) != nullptr;
    case RankingGrouping::Class:
        return audit.setOf(real ? SetId::Real : syntheticSet(model)).hasLabels();
    case RankingGrouping::Nearest:
        return real ? audit.models[model]->tables->real.nearest.rows() > 0
                    : columnOfSide(audit, model, "nearest_real", side) != nullptr;
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
    if (request.grouping != RankingGrouping::None &&
        canGroupBy(request.grouping, *request.audit, request.model, request.order.side))
        listing->groups = group(listing->shown, groupKeys(request));
    listing->positions.assign(listing->sorted->size(), -1);
    for (std::size_t at = 0; at < listing->shown.size(); ++at)
        listing->positions[listing->shown[at]] = static_cast<std::int32_t>(at);
    return listing;
}

} // namespace assay
