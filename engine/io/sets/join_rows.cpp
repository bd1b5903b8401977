#include "engine/io/sets/join_rows.h"

#include "engine/io/files/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace assay {
namespace {

std::string_view fileName(std::string_view id) {
    const std::size_t slash = id.find_last_of("/\\"); // Windows writes the latter
    return slash == std::string_view::npos ? id : id.substr(slash + 1);
}

/// "a.b/7.png" becomes "a.b/7". A name that starts with its only dot, or ends like "3.25", is unchanged.
std::string_view withoutEnding(std::string_view id) {
    const std::string_view name = fileName(id);
    const std::size_t dot = name.find_last_of('.');
    const bool isEnding = dot != std::string_view::npos && dot > 0 && dot + 1 < name.size() &&
                          !std::ranges::all_of(name.substr(dot + 1), [](char c) { return c >= '0' && c <= '9'; });
    return isEnding ? id.substr(0, id.size() - (name.size() - dot)) : id;
}

std::string_view withoutZeros(std::string_view id) {
    const std::string_view name = fileName(withoutEnding(id));
    const std::size_t first = name.find_first_not_of('0');
    return first == std::string_view::npos ? name.substr(name.empty() ? 0 : name.size() - 1) : name.substr(first);
}

/// A comparison of ids by a key. The table is ordered from strict to loose.
struct IdComparison {
    std::string_view name;
    std::string_view (*key)(std::string_view id);
};

constexpr std::array kSamenesses{
    IdComparison{"id", [](std::string_view id) { return id; }},
    IdComparison{"id without ending", withoutEnding},
    IdComparison{"file name", fileName},
    IdComparison{"file name without ending", [](std::string_view id) { return fileName(withoutEnding(id)); }},
    IdComparison{"file name without ending and leading zeros", withoutZeros},
};

using Places = std::unordered_map<std::string_view, std::uint32_t>;

/// @return indices of two entries with equal keys
std::optional<std::pair<std::size_t, std::size_t>> collect(std::span<const std::string> ids, const IdComparison& same,
                                                           Places& places) {
    std::optional<std::pair<std::size_t, std::size_t>> doubled;
    places.reserve(ids.size());
    for (std::size_t at = 0; at < ids.size(); ++at) {
        const auto [place, isNew] = places.emplace(same.key(ids[at]), static_cast<std::uint32_t>(at));
        if (!isNew && !doubled)
            doubled = {place->second, at};
    }
    return doubled;
}

void requireDifferent(const JoinSide& side) {
    Places places;
    if (const auto doubled = collect(side.ids, kSamenesses.front(), places))
        refuse(side.name, "ids that differ, to join " + side.things + " by",
               fmt::format("'{}' twice, the {}. and the {}. of its {}", printable(side.ids[doubled->first]),
                           doubled->first + 1, doubled->second + 1, side.things));
}

/// @return empty when two rows or two partners have equal keys
std::optional<RowJoin> joinedBy(const IdComparison& same, const JoinSide& rows, const JoinSide& partners) {
    Places ofRows;
    Places ofPartners;
    if (collect(rows.ids, same, ofRows) || collect(partners.ids, same, ofPartners))
        return std::nullopt;
    RowJoin join{true, std::string(same.name), std::vector<std::uint32_t>(rows.count, RowJoin::kNone), {}, {}};
    std::vector<bool> taken(partners.count, false);
    for (std::size_t row = 0; row < rows.count; ++row) {
        const auto found = ofPartners.find(same.key(rows.ids[row]));
        if (found == ofPartners.end()) {
            join.without.push_back(static_cast<std::uint32_t>(row));
            continue;
        }
        join.partner[row] = found->second;
        taken[found->second] = true;
    }
    for (std::size_t at = 0; at < taken.size(); ++at)
        if (!taken[at])
            join.leftOver.push_back(static_cast<std::uint32_t>(at));
    return join;
}

/// Refuses two entries of `side` with equal keys when `other` has an entry with that key, too: the keys would decide if
/// they were unique.
void refuseAmbiguous(const JoinSide& side, const JoinSide& other, const std::string& expected) {
    for (const IdComparison& same : kSamenesses) {
        Places ofOther;
        Places places;
        collect(other.ids, same, ofOther);
        for (std::size_t at = 0; at < side.count; ++at) {
            const std::string_view key = same.key(side.ids[at]);
            const auto [place, isNew] = places.emplace(key, static_cast<std::uint32_t>(at));
            if (!isNew && ofOther.contains(key))
                refuse(side.name, expected,
                       fmt::format("'{}' and '{}', both '{}' by their {}", printable(side.ids[place->second]),
                                   printable(side.ids[at]), printable(std::string(key)), same.name));
        }
    }
}

RowJoin joinById(const JoinSide& rows, const JoinSide& partners) {
    for (const JoinSide* side : {&rows, &partners})
        if (side->ids.empty())
            refuse(side->name, "ids, to join " + partners.things + " by", "none; join by row, or give a table of ids");
    requireDifferent(rows);
    requireDifferent(partners);
    std::optional<RowJoin> best;
    for (const IdComparison& same : kSamenesses) {
        std::optional<RowJoin> join = joinedBy(same, rows, partners);
        if (join && (!best || join->without.size() < best->without.size()))
            best = std::move(join);
        if (best && best->without.empty())
            break;
    }
    if (best->without.size() == rows.count) {
        refuseAmbiguous(partners, rows, "one of its " + partners.things + " for each id of " + rows.name);
        refuseAmbiguous(rows, partners, "one of its rows for each id of " + partners.name);
        refuse(partners.name,
               partners.things + " with the ids of " + rows.name + ", such as '" + printable(rows.ids.front()) + "'",
               "others, such as '" + printable(partners.ids.front()) + "'; where their order is the same, join by row");
    }
    return std::move(*best);
}

RowJoin joinByRow(const JoinSide& rows, const JoinSide& partners) {
    if (rows.count != partners.count)
        refuse(partners.name, fmt::format("{} {}, one for each row of {}", rows.count, partners.things, rows.name),
               std::to_string(partners.count) +
                   (rows.ids.empty() ? "; with a table of ids they can be joined by these" : ""));
    RowJoin join;
    join.partner.resize(rows.count);
    std::iota(join.partner.begin(), join.partner.end(), 0U);
    return join;
}

std::string nameOf(const JoinSide& side, std::size_t at) {
    return side.ids.empty() ? std::to_string(at) : "'" + printable(side.ids[at]) + "'";
}

/// Text such as "; 3 pictures left over ('a', 'b', ...)".
std::string someOf(const JoinSide& side, const std::vector<std::uint32_t>& which, const std::string& what) {
    constexpr std::size_t kNamed = 3;
    if (which.empty())
        return {};
    const auto first = std::span(which).first(std::min(kNamed, which.size()));
    return fmt::format("; {} {} {} ({}{})", which.size(), side.things, what,
                       joined(first, ", ", [&](std::uint32_t at) { return nameOf(side, at); }),
                       which.size() > kNamed ? ", ..." : "");
}

} // namespace

std::array<std::string_view, 4> idKeys(std::string_view id) {
    std::array<std::string_view, 4> keys;
    for (std::size_t k = 0; k < keys.size(); ++k)
        keys[k] = kSamenesses[k].key(id);
    return keys;
}

RowJoin joinRows(const JoinSide& rows, const JoinSide& partners, JoinBy by) {
    if (by == JoinBy::Auto)
        by = rows.ids.empty() || partners.ids.empty() ? JoinBy::Row : JoinBy::Id;
    return by == JoinBy::Id ? joinById(rows, partners) : joinByRow(rows, partners);
}

std::string joinText(const RowJoin& join, const JoinSide& rows, const JoinSide& partners) {
    std::string text = fmt::format("{}: joined to {} by {}, {} {} for {} rows", partners.name, rows.name,
                                   (join.byId ? join.matchedBy : "row"), partners.count, partners.things, rows.count);
    if (join.byId)
        return text + someOf(rows, join.without, "without one") + someOf(partners, join.leftOver, "left over");
    if (partners.ids.empty() || rows.count == 0)
        return text;
    return text + ": the first with " + nameOf(partners, 0) + ", the last with " + nameOf(partners, rows.count - 1);
}

} // namespace assay
