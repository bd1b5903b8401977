#include "engine/subsets/order/sample_listing.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace assay {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Runs of digits compare as numbers, so that "img-9" comes before "img-10".
bool naturallyLess(const std::string& a, const std::string& b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return a[i] < b[j];
            ++i;
            ++j;
            continue;
        }
        const auto run = [](const std::string& s, std::size_t& at) {
            while (at + 1 < s.size() && s[at] == '0' && isDigit(s[at + 1]))
                ++at;
            const std::size_t begin = at;
            while (at < s.size() && isDigit(s[at]))
                ++at;
            return std::string_view(s).substr(begin, at - begin);
        };
        const std::string_view left = run(a, i);
        const std::string_view right = run(b, j);
        if (left.size() != right.size())
            return left.size() < right.size();
        if (left != right)
            return left < right;
    }
    return a.size() - i < b.size() - j;
}

/// Numbers in the order of a key: ascending or descending, what is not a number last.
std::uint64_t orderedBits(double key, bool falling) {
    if (std::isnan(key))
        return std::numeric_limits<std::uint64_t>::max();
    const double value = falling ? -key : key;
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0); // one zero
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// Order of samples with equal values.
struct TieOrder {
    std::string_view column; ///< empty: nothing does
    SortDirection direction = SortDirection::Ascending;
};

/// Rank of every row when ordered by id, runs of digits as numbers; equal ids share a rank.
std::vector<double> idRanks(const EmbeddingSet& set) {
    std::vector<std::string> ids(set.rows());
    for (std::size_t row = 0; row < ids.size(); ++row)
        ids[row] = set.idText(row);
    std::vector<std::uint32_t> order(ids.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return naturallyLess(ids[a], ids[b]); });
    std::vector<double> ranks(ids.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        ranks[order[at]] =
            at > 0 && ids[order[at]] == ids[order[at - 1]] ? ranks[order[at - 1]] : static_cast<double>(at);
    return ranks;
}

/// Evidence orders ties: the statistic of the test that the order is about, else of the sample's verdict; worst first
/// where the order is.
TieOrder tieOrder(const SampleOrder& order) {
    // A p-value has few steps, and the statistic behind it has many. PCE rises with the distance that
    // `p_unrealistic` is about.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kStatistics{
        {{"p_copy", "copy_ratio"},
         {"p_over_represented", "log_density_ratio"},
         {"p_unrealistic", "pce"},
         {"evidence", "copy_ratio"}, // equal copies are infinitely evident
         {"coverage_ratio", "nearest_synthetic_distance"}}};
    const Column* column = findColumn(order.column);
    const auto* statistic = std::ranges::find(kStatistics, order.column, &decltype(kStatistics)::value_type::first);
    TieOrder tie{order.side == Side::Real ? "coverage_ratio" : "evidence"};
    if (statistic != kStatistics.end())
        tie.column = statistic->second;
    else if (column != nullptr && !column->thenBy.empty())
        tie.column = column->thenBy;
    const bool falling = order.direction == SortDirection::Descending;
    const bool worstFirst =
        column == nullptr || column->better == Direction::Neutral || (column->better == Direction::Higher) != falling;
    const Column* ties = findColumn(tie.column);
    if (ties != nullptr && (ties->better == Direction::Lower) == worstFirst)
        tie.direction = SortDirection::Descending;
    return tie;
}

} // namespace

std::vector<double> rowNumbers(std::size_t rows) {
    std::vector<double> numbers(rows);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    return numbers;
}

namespace {

// The upper halves of the keys by digits, and then what shares an upper half.
void sortByKey(std::vector<std::uint32_t>& rows, std::span<const double> keys, SortDirection direction) {
    const bool falling = direction == SortDirection::Descending;
    struct Entry {
        std::uint32_t high;
        std::uint32_t row;
    };
    constexpr int kBits = 11;
    constexpr int kPasses = 3; // of 32 bits
    constexpr std::size_t kDigits = std::size_t{1} << kBits;
    const auto digit = [](std::uint32_t high, int pass) { return high >> (pass * kBits) & (kDigits - 1); };
    std::vector<Entry> entries;
    entries.reserve(rows.size());
    std::array<std::array<std::uint32_t, kDigits>, kPasses> counts{};
    for (const std::uint32_t row : rows) {
        const auto high = static_cast<std::uint32_t>(orderedBits(keys[row], falling) >> 32);
        entries.push_back({high, row});
        for (int pass = 0; pass < kPasses; ++pass)
            ++counts[static_cast<std::size_t>(pass)][digit(high, pass)];
    }
    std::vector<Entry> sorted(entries.size());
    for (int pass = 0; pass < kPasses; ++pass) {
        auto& begins = counts[static_cast<std::size_t>(pass)];
        if (std::ranges::find(begins, entries.size()) != begins.end())
            continue; // all have the same digit
        std::uint32_t at = 0;
        for (std::uint32_t& begin : begins)
            at += std::exchange(begin, at);
        for (const Entry& entry : entries)
            sorted[begins[digit(entry.high, pass)]++] = entry;
        entries.swap(sorted);
    }
    const auto before = [&](const Entry& a, const Entry& b) {
        return orderedBits(keys[a.row], falling) < orderedBits(keys[b.row], falling);
    };
    for (auto from = entries.begin(); from != entries.end();) {
        const auto to = std::find_if(from, entries.end(), [&](const Entry& e) { return e.high != from->high; });
        if (!std::is_sorted(from, to, before))
            std::stable_sort(from, to, before);
        from = to;
    }
    for (std::size_t at = 0; at < rows.size(); ++at)
        rows[at] = entries[at].row;
}

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
