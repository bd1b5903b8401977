#include "engine/io/sets/join_beside.h"

#include "engine/data/image_store.h"
#include "engine/io/files/file_hash.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/numpy/npz_archive.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/file_spec.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/readers/formats.h"
#include "engine/io/sets/join_rows.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/tables/table_fields.h"
#include "engine/io/tables/table_header.h"
#include "engine/io/tables/table_lines.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMaxNamed = 12;        ///< columns in a message
constexpr std::size_t kComparedLines = 1000; ///< enough to tell which column has the wanted ids

/// Roles of a table's columns.
struct LabelColumns {
    std::optional<std::size_t> ids, labels;
    bool header = true;
};

/// Usual names of classes beside those of tables of features, in which they may be features.
bool isClassName(const std::string& name) {
    return isLabelColumn(name) || mayBeLabelColumn(name) || name == "category" || name == "categories";
}

/// Whether the first line of a single column is a header although it is named neither id nor label: text above numbers
/// alone.
bool isOverNumbers(const std::string& name, const RowsBelow& below) {
    return !numberOf(name) && !isMissing(name) && below[0].numbers && !below[0].texts && !below[0].missing;
}

/// How well the fields of a column are among the wanted ids.
struct Match {
    /// Those that were found, by each of idKeys(), from strict to loose. Classes repeat, so each counts once.
    std::array<std::unordered_set<std::string_view>, 4> found;
    bool first = false; ///< the first line's field is one of them

    std::array<std::size_t, 4> counts() const {
        return {found[0].size(), found[1].size(), found[2].size(), found[3].size()};
    }
};

/// Compares the columns of a table with ids.
class WantedIds {
public:
    explicit WantedIds(std::span<const std::string> ids) {
        for (const std::string& id : ids)
            for (std::size_t k = 0; k < keys_.size(); ++k)
                keys_[k].insert(idKeys(id)[k]);
    }

    /// Examines a field in the given line, counted from 0.
    void add(Match& match, std::string_view field, std::size_t line) const {
        const auto own = idKeys(trimmed(field));
        for (std::size_t k = 0; k < keys_.size(); ++k)
            if (const auto at = keys_[k].find(own[k]); at != keys_[k].end() && !at->empty()) {
                match.first = match.first || line == 0;
                match.found[k].insert(*at);
            }
    }

private:
    std::array<std::unordered_set<std::string_view>, 4> keys_;
};

/// The column with most of the wanted ids, where it has at least half as many as it could; with its match.
std::optional<std::pair<std::size_t, Match>> wantedColumn(const InputFile& input, const TableDialect& dialect,
                                                          std::span<const std::string> wanted, const JobContext& job) {
    if (wanted.empty())
        return std::nullopt;
    const WantedIds ids(wanted);
    std::vector<Match> columns;
    TableLines lines(input, dialect);
    std::size_t line = 0;
    for (; line < kComparedLines && lines.next(); ++line) {
        job.throwIfStopped();
        columns.resize(std::max(columns.size(), lines.asWritten().size()));
        for (std::size_t c = 0; c < lines.asWritten().size(); ++c)
            ids.add(columns[c], lines.asWritten()[c], line);
    }
    const auto best = std::ranges::max_element(columns, {}, &Match::counts);
    if (best == columns.end() || 2 * std::ranges::max(best->counts()) < std::min(line, wanted.size()))
        return std::nullopt;
    return std::pair(static_cast<std::size_t>(best - columns.begin()), *best);
}

LabelColumns columnsByName(const std::vector<std::string_view>& first, const RowsBelow& below) {
    LabelColumns columns;
    for (std::size_t c = 0; c < first.size(); ++c) {
        const std::string name = lowerCase(first[c]);
        const bool isId = isIdColumn(name, c) || (mayBeIdColumn(name) && below[c].texts);
        if (!columns.ids && isId)
            columns.ids = c;
        else if (!columns.labels && isClassName(name))
            columns.labels = c;
    }
    return columns;
}

[[noreturn]] void refuseNames(const std::vector<std::string_view>& first, const std::string& file) {
    const auto quoted = [](std::string_view name) { return "'" + printable(name, 40) + "'"; };
    refuse(
        file,
        "a column named id, filename, file, path, image_path, label or class in the first line, or one with the names "
        "of the pictures",
        joined(first, ", ", quoted, kMaxNamed));
}

/// @param key the column with the wanted ids, if any
LabelColumns columnsOf(const std::vector<std::string_view>& first, const RowsBelow& below,
                       const std::optional<std::pair<std::size_t, Match>>& key, const std::string& file) {
    if (key && key->second.first) { // a sample, no header
        if (first.size() > 2)
            refuse(file, "a first line that names the columns",
                   "the sample '" + printable(first[key->first], 40) + "'");
        return {key->first, first.size() == 2 ? std::optional(1 - key->first) : std::nullopt, false};
    }
    LabelColumns columns = columnsByName(first, below);
    if (key)
        columns.ids = key->first;
    if (columns.labels == columns.ids)
        columns.labels.reset();
    if (!columns.ids && !columns.labels && first.size() == 1)
        return {std::nullopt, 0, isOverNumbers(lowerCase(first[0]), below)};
    if (!columns.ids && !columns.labels)
        refuseNames(first, file);
    return columns;
}

SampleLabels labelsOfTable(const InputFile& input, std::span<const std::string> wanted, const JobContext& job) {
    const TableDialect dialect = dialectOf(input);
    TableLines lines(input, dialect);
    if (!lines.next())
        refuse(input.name(), "lines with classes or ids", "none");
    const std::vector<std::string_view>& first = lines.asWritten();
    const std::size_t count = first.size();
    const LabelColumns columns =
        columnsOf(first, readRowsBelow(input, first, dialect), wantedColumn(input, dialect, wanted, job), input.name());
    SampleLabels result;
    std::vector<std::string> labels;
    const auto add = [&](const std::vector<std::string_view>& fields) {
        if (fields.size() != count)
            refuse(input.name() + ", line " + std::to_string(lines.line()),
                   std::to_string(count) + " fields, as in the first line", std::to_string(fields.size()));
        if (columns.ids)
            result.ids.push_back(utf8OrEscaped(fields[*columns.ids]));
        if (columns.labels)
            labels.push_back(utf8OrEscaped(fields[*columns.labels]));
        if (++result.rows % 1024 == 0)
            job.checkpoint(static_cast<double>(lines.bytesDone()) / static_cast<double>(input.size()));
    };
    if (!columns.header)
        add(first);
    while (lines.next())
        add(lines.asWritten());
    if (result.rows == 0)
        refuse(input.name(), "at least one line with classes or ids", "only a header");
    if (!labels.empty())
        result.labels = labelsFromFields(std::move(labels));
    return result;
}

SampleLabels labelsOfNpz(const InputFile& input, const std::string& key, const JobContext& job) {
    const NpzArchive archive(input, job);
    const std::string wanted = key.empty() ? "labels" : key;
    const NpzEntry* labels = archive.find(wanted);
    const NpzEntry* ids = archive.find("ids");
    const NpzEntry* either = labels != nullptr ? labels : ids;
    if (either == nullptr || (!key.empty() && labels == nullptr))
        refuse(input.name(), "'" + printable(wanted) + "'" + (key.empty() ? " or 'ids'" : ""), archive.listing());
    const std::size_t axes = either->header ? asList(*either->header).shape.size() : 0;
    const bool mayBeOneHot = either == labels && axes == 2;
    if (axes != 1 && !mayBeOneHot)
        refuse(archive.where(*either), "a 1-D array of whole numbers or text",
               either->header ? either->header->text() : either->problem);
    SampleLabels result;
    result.rows = static_cast<std::size_t>(asList(*either->header).shape[0]);
    result.labels = readLabelList(archive, wanted, kLabelList, result.rows, job);
    result.ids = readIdList(archive, "ids", result.rows, job);
    return result;
}

/// The format of a file that holds embeddings or pictures, of which no labels alone are read; else null.
const Format* formatWithoutLabels(const InputFile& input) {
    const auto found = std::ranges::find_if(formatTable(), [&](const Format& format) {
        return format.read != readTable && format.read != readNpy && format.recognises(input);
    });
    return found != formatTable().end() ? &*found : nullptr;
}

} // namespace

SampleLabels readLabels(const std::string& file, const JobContext& job, std::span<const std::string> wanted) {
    const FileSpec spec = parseFileSpec(file);
    const InputFile input = InputFile::onDisk(spec.file);
    if (input.isDirectory())
        refuse(input.name(), "a table or array of classes", "a folder");
    SampleLabels result;
    if (recognisesNpz(input)) {
        result = labelsOfNpz(input, spec.key, job);
    } else if (const Format* other = formatWithoutLabels(input)) {
        refuse(input.name(),
               "a table or list (.csv, .tsv, .txt), or NumPy's array (.npy) or archive (.npz) of classes or ids",
               std::string(other->description));
    } else if (!spec.key.empty()) {
        refuse(input.name(), "an archive with a key '" + printable(spec.key) + "'", "a file without keys");
    } else if (recognisesNpy(input)) {
        result.labels = readClassList(*input.open(), input.name(), kLabelList, job);
        result.rows = result.labels.code.size();
    } else {
        result = labelsOfTable(input, wanted, job);
    }
    result.sha256 = sha256OfFile(input.name(), job);
    return result;
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
