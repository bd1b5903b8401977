#include "engine/io/sets/set_files.h"

#include "engine/data/image_store.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/group_source.h"
#include "engine/io/sets/join_rows.h"
#include "engine/io/sets/read_labels.h"

#include <algorithm>
#include <utility>

namespace assay {
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
               "none for " + std::to_string(join.without.size()) + ", such as '" +
                   printable(parts.ids[join.without.front()]) + "'");
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
            refuse(parts.source.file, "names of groups in column '" + printable(files.groups) + "'",
                   "only missing fields");
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

void joinPictures(EmbeddingParts& parts, const SetFiles& files, PictureParts read) {
    const JoinSide rows = rowsOf(parts);
    const JoinSide partners{files.pictures, "pictures", read.images->rows(), read.ids};
    RowJoin join = joinRows(rows, partners, files.join);
    parts.source.notes.push_back(joinText(join, rows, partners));
    std::ranges::move(read.notes, std::back_inserter(parts.source.notes));
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
               parts.ids.empty() ? std::string("no ids") : "'" + printable(parts.ids.front(), 40) + "'");
    setGroups(parts, std::move(groups), placeOf(parts.source.file, std::string(kGroupsOfIds)));
}

} // namespace

void joinBeside(EmbeddingParts& parts, const SetFiles& files, const JobContext& job) {
    escapeNames(parts.ids);
    escapeNames(parts.labels.names);
    escapeNames(parts.groups.names);
    if (!files.note.empty())
        parts.source.notes.push_back(files.note);
    PictureParts pictures;
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
