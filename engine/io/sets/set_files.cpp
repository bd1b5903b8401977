#include "engine/io/sets/set_files.h"

#include "engine/data/image_store.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/group_source.h"
#include "engine/io/sets/read_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

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
               partners.things + " with the ids of " + rows.name + ", such as " + inQuotes(rows.ids.front()),
               "others, such as " + inQuotes(partners.ids.front()) + "; where their order is the same, join by row");
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
    return side.ids.empty() ? std::to_string(at) : inQuotes(side.ids[at]);
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
namespace {

bool isInOrder(const std::vector<std::uint32_t>& partner, std::size_t count) {
    for (std::size_t row = 0; row < partner.size(); ++row)
        if (partner[row] != row)
            return false;
    return partner.size() == count;
}

std::string nameOf(JoinBy by) {
    return by == JoinBy::Id ? "id" : by == JoinBy::Row ? "row" : "";
}

JoinSide rowsOf(const EmbeddingParts& parts) {
    return {parts.source.file, "rows", parts.rows, parts.ids};
}

/// Names of files and folders may be any bytes.
void escapeNames(std::vector<std::string>& names) {
    for (std::string& name : names)
        if (!isUtf8(name))
            name = utf8OrEscaped(name);
}

/// Brings what a file says of samples into the order of the rows; their ids as well, where the rows have none.
/// @param file for messages
ClassLabels joinedLabels(EmbeddingParts& parts, SampleLabels read, const std::string& file, JoinBy by) {
    const JoinSide rows = rowsOf(parts);
    const JoinSide partners{file, "entries", read.rows, read.ids};
    const RowJoin join = joinRows(rows, partners, by);
    if (!join.without.empty())
        refuse(file, "an entry for each row of " + rows.name,
               "none for " + std::to_string(join.without.size()) + ", such as " +
                   inQuotes(parts.ids[join.without.front()]));
    parts.source.notes.push_back(joinText(join, rows, partners));
    parts.source.join = nameOf(by);
    ClassLabels labels;
    if (isInOrder(join.partner, read.rows)) {
        labels = std::move(read.labels);
    } else if (!read.labels.code.empty()) {
        std::vector<std::string> names(parts.rows);
        for (std::size_t row = 0; row < parts.rows; ++row)
            names[row] = read.labels.names[read.labels.code[join.partner[row]]];
        labels = labelsFromText(names);
    }
    if (parts.ids.empty() && !read.ids.empty())
        parts.ids = std::move(read.ids);
    return labels;
}

/// Ids by which the entries of another file may be found.
/// @param pictures names of the pictures that are joined afterwards; may be empty
std::span<const std::string> wantedIds(const EmbeddingParts& parts, const SetFiles& files,
                                       std::span<const std::string> pictures) {
    if (files.join == JoinBy::Row)
        return {};
    return parts.ids.empty() ? pictures : parts.ids;
}

void joinLabels(EmbeddingParts& parts, const SetFiles& files, std::span<const std::string> pictures,
                const JobContext& job) {
    SampleLabels read = readLabels(files.labels, job, wantedIds(parts, files, pictures));
    std::string hash = std::move(read.sha256);
    ClassLabels labels = joinedLabels(parts, std::move(read), files.labels, files.join);
    parts.source.labels = files.labels;
    parts.source.labelsSha256 = std::move(hash);
    if (!labels.code.empty())
        parts.labels = std::move(labels);
}

void joinGroups(EmbeddingParts& parts, const SetFiles& files, std::span<const std::string> pictures,
                const JobContext& job) {
    const GroupSource from = groupSourceOf(files, parts.source.file);
    parts.source.groups = files.groups;
    if (from.isOwnColumn) {
        if (parts.groups.code.empty())
            refuse(parts.source.file, "names of groups in column " + inQuotes(files.groups), "only missing fields");
        return;
    }
    if (from.isIds)
        return; // once it is known which ids there are
    SampleLabels read = readGroups(from.file, job, wantedIds(parts, files, pictures));
    if (from.file.file == parseFileSpec(files.groups).file) // and no column of the labels
        parts.source.groupsSha256 = read.sha256;
    ClassLabels groups = joinedLabels(parts, std::move(read), from.file.file, files.join);
    setGroups(parts, std::move(groups), placeOf(from.file.file, printable(from.file.key)));
}

void joinPictures(EmbeddingParts& parts, const SetFiles& files, EmbeddingParts read) {
    const JoinSide rows = rowsOf(parts);
    const JoinSide partners{files.pictures, "pictures", read.images->rows(), read.ids};
    RowJoin join = joinRows(rows, partners, files.join);
    parts.source.notes.push_back(joinText(join, rows, partners));
    std::ranges::move(read.source.notes, std::back_inserter(parts.source.notes));
    parts.source.pictures = files.pictures;
    parts.source.picturesByParts = files.order == PictureOrder::Parts;
    parts.source.join = nameOf(files.join);
    const auto inRows = [&](const auto& ofPicture) {
        std::vector<std::string> ofRow(parts.rows);
        for (std::size_t row = 0; row < parts.rows; ++row)
            ofRow[row] = ofPicture(join.partner[row]);
        return ofRow;
    };
    if (parts.labels.code.empty() && !read.labels.code.empty() && join.without.empty())
        parts.labels =
            labelsFromText(inRows([&](std::uint32_t at) { return read.labels.names[read.labels.code[at]]; }));
    if (parts.groups.code.empty() && !read.groups.code.empty() && join.without.empty())
        parts.groups =
            labelsFromText(inRows([&](std::uint32_t at) { return read.groups.names[read.groups.code[at]]; }));
    if (parts.ids.empty() && !read.ids.empty())
        parts.ids = inRows([&](std::uint32_t at) { return read.ids[at]; });
    if (isInOrder(join.partner, read.images->rows())) {
        parts.images = std::move(read.images);
        return;
    }
    static_assert(RowJoin::kNone == kNoPicture);
    parts.images = chosenPictures(std::move(read.images), std::move(join.partner));
}

/// Groups by the ids, where these are what names the groups. Pictures may have brought the ids.
void groupByIds(EmbeddingParts& parts, const SetFiles& files) {
    if (!groupSourceOf(files, parts.source.file).isIds)
        return;
    ClassLabels groups = groupsOfIds(parts.ids);
    if (groups.code.empty())
        refuse(parts.source.file, "ids that say which samples belong together, such as patient12_slice3",
               parts.ids.empty() ? std::string("no ids") : inQuotes(parts.ids.front(), 40));
    setGroups(parts, std::move(groups), placeOf(parts.source.file, std::string(kGroupsOfIds)));
}

} // namespace

void joinBeside(EmbeddingParts& parts, const SetFiles& files, const JobContext& job) {
    escapeNames(parts.ids);
    escapeNames(parts.labels.names);
    escapeNames(parts.groups.names);
    if (!files.note.empty())
        parts.source.notes.push_back(files.note);
    EmbeddingParts pictures;
    if (!files.pictures.empty())
        pictures = readPictureParts(files.pictures, files.order, job);
    escapeNames(pictures.ids);
    escapeNames(pictures.labels.names);
    escapeNames(pictures.groups.names);
    if (!files.labels.empty())
        joinLabels(parts, files, pictures.ids, job);
    if (!files.groups.empty())
        joinGroups(parts, files, pictures.ids, job);
    if (!files.pictures.empty())
        joinPictures(parts, files, std::move(pictures));
    if (files.groups == kGroupsOfIds)
        groupByIds(parts, files);
}

std::string SetFiles::inWordsOfOriginal(std::string text) const {
    const std::string file = parseFileSpec(embeddings).file;
    const std::size_t at = original.empty() ? std::string::npos : text.find(file);
    if (at == std::string::npos || (!note.empty() && text == note))
        return text;
    // Lines are those of a table that was made of it.
    const bool isLine = text.substr(at + file.size()).starts_with(", line ");
    return text.replace(at, file.size(), printable(original, 200) + (isLine ? " (as CSV)" : ""));
}

SetFiles filesOf(const SourceInfo& source) {
    SetFiles files{source.file, source.pictures, source.labels};
    files.groups = source.groups;
    files.join = source.join == "id" ? JoinBy::Id : source.join == "row" ? JoinBy::Row : JoinBy::Auto;
    if (source.picturesByParts)
        files.order = PictureOrder::Parts;
    return files;
}

} // namespace assay
