#include "engine/io/sets/join_beside.h"

#include "engine/data/chosen_pictures.h"
#include "engine/io/files/file_spec.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/readers/picture_parts.h"
#include "engine/io/sets/label_file.h"

#include <algorithm>
#include <span>
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

/// @param pictures names of the pictures that are joined afterwards; may be empty
void joinLabels(EmbeddingParts& parts, const SetFiles& files, std::span<const std::string> pictures,
                const JobContext& job) {
    const std::span<const std::string> wanted = parts.ids.empty() ? pictures : parts.ids;
    SampleLabels read =
        readLabels(files.labels, job, files.join == JoinBy::Row ? std::span<const std::string>() : wanted);
    const JoinSide rows = rowsOf(parts);
    const JoinSide partners{files.labels, "entries", read.rows, read.ids};
    const RowJoin join = joinRows(rows, partners, files.join);
    if (!join.without.empty())
        refuse(files.labels, "an entry for each row of " + rows.name,
               "none for " + std::to_string(join.without.size()) + ", such as '" +
                   printable(parts.ids[join.without.front()]) + "'");
    parts.source.notes.push_back(joinText(join, rows, partners));
    parts.source.labels = files.labels;
    parts.source.labelsSha256 = std::move(read.sha256);
    parts.source.join = nameOf(files.join);
    if (!read.labels.code.empty()) {
        std::vector<std::string> names(parts.rows);
        for (std::size_t row = 0; row < parts.rows; ++row)
            names[row] = read.labels.names[read.labels.code[join.partner[row]]];
        parts.labels = isInOrder(join.partner, read.rows) ? std::move(read.labels) : labelsFromText(names);
    }
    if (parts.ids.empty() && !read.ids.empty())
        parts.ids = std::move(read.ids);
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
    if (parts.ids.empty() && !read.ids.empty())
        parts.ids = inRows([&](std::uint32_t at) { return read.ids[at]; });
    if (isInOrder(join.partner, read.images->rows())) {
        parts.images = std::move(read.images);
        return;
    }
    static_assert(RowJoin::kNone == kNoPicture);
    parts.images = chosenPictures(std::move(read.images), std::move(join.partner));
}

} // namespace

void joinBeside(EmbeddingParts& parts, const SetFiles& files, const JobContext& job) {
    escapeNames(parts.ids);
    escapeNames(parts.labels.names);
    if (!files.note.empty())
        parts.source.notes.push_back(files.note);
    PictureParts pictures;
    if (!files.pictures.empty())
        pictures = readPictureParts(files.pictures, files.order, job);
    escapeNames(pictures.ids);
    escapeNames(pictures.labels.names);
    if (!files.labels.empty())
        joinLabels(parts, files, pictures.ids, job);
    if (!files.pictures.empty())
        joinPictures(parts, files, std::move(pictures));
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
    files.join = source.join == "id" ? JoinBy::Id : source.join == "row" ? JoinBy::Row : JoinBy::Auto;
    if (source.picturesByParts)
        files.order = PictureOrder::Parts;
    return files;
}

} // namespace assay
