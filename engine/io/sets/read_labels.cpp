#include "engine/io/sets/read_labels.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/numpy/npz_archive.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/set_files.h"
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

/// What is read from a file: classes, or groups.
struct ListRequest {
    std::string what = kLabelList; ///< or kGroupList
    std::string column{};          ///< of a table; empty: the one that is named so
    bool areGroups() const { return what == kGroupList; }
    /// For messages.
    std::string noun() const { return areGroups() ? "groups" : "classes or ids"; }
};

/// Roles of a table's columns.
struct LabelColumns {
    std::optional<std::size_t> ids, labels;
    bool header = true;
};

/// Usual names of classes beside those of tables of features, in which they may be features.
bool isClassName(const std::string& name) {
    return isLabelColumn(name) || mayBeLabelColumn(name) || name == "category" || name == "categories";
}

/// Usual names of groups in a file of their own.
bool isGroupName(std::string_view name) {
    constexpr std::array<std::string_view, 12> kNames{"group", "patient", "subject", "person", "identity", "speaker",
                                                      "video", "clip",    "series",  "scene",  "sequence", "study"};
    for (const std::string_view ending : {"_ids", "_id", "s"})
        if (name.ends_with(ending)) {
            name.remove_suffix(ending.size());
            break;
        }
    return name == "identitie" || name == "serie" || std::ranges::find(kNames, name) != kNames.end();
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

LabelColumns columnsByName(const std::vector<std::string_view>& first, const RowsBelow& below,
                           const ListRequest& request) {
    LabelColumns columns;
    const auto isWanted = [&](std::string_view field, const std::string& name) {
        return !request.column.empty() ? trimmed(field) == trimmed(request.column)
               : request.areGroups()   ? isGroupName(name)
                                       : isClassName(name);
    };
    for (std::size_t c = 0; c < first.size(); ++c) {
        const std::string name = lowerCase(first[c]);
        const bool isId = isIdColumn(name, c) || (mayBeIdColumn(name) && below[c].texts);
        const bool isSaid = !request.column.empty() && isWanted(first[c], name);
        if (!columns.ids && isId && !isSaid)
            columns.ids = c;
        else if (!columns.labels && isWanted(first[c], name))
            columns.labels = c;
    }
    return columns;
}

[[noreturn]] void refuseNames(const std::vector<std::string_view>& first, const ListRequest& request,
                              const std::string& file) {
    std::string expected =
        "a column named id, filename, file, path, image_path, label or class in the first line, or one with the names "
        "of the pictures";
    if (!request.column.empty())
        expected = "a column " + inQuotes(request.column, 40) + " in the first line";
    else if (request.areGroups())
        expected = "a column named group, patient, subject, person, identity or video in the first line, or the "
                   "column's name as in '" +
                   file + ":NAME'";
    refuse(file, expected, joinedInQuotes(first, kMaxNamed));
}

/// @param key the column with the wanted ids, if any
LabelColumns columnsOf(const std::vector<std::string_view>& first, const RowsBelow& below,
                       const std::optional<std::pair<std::size_t, Match>>& key, const ListRequest& request,
                       const std::string& file) {
    if (key && key->second.first) { // a sample, no header
        if (first.size() > 2 || !request.column.empty())
            refuse(file, "a first line that names the columns", "the sample " + inQuotes(first[key->first], 40));
        return {key->first, first.size() == 2 ? std::optional(1 - key->first) : std::nullopt, false};
    }
    LabelColumns columns = columnsByName(first, below, request);
    if (key)
        columns.ids = key->first;
    if (columns.labels == columns.ids)
        columns.labels.reset();
    if (!columns.ids && !columns.labels && first.size() == 1 && request.column.empty())
        return {std::nullopt, 0, isOverNumbers(lowerCase(first[0]), below)};
    const bool hasOther = request.areGroups() && request.column.empty() && columns.ids && first.size() == 2;
    if (hasOther && !columns.labels)
        columns.labels = 1 - *columns.ids;
    if (!columns.labels && (!columns.ids || request.areGroups()))
        refuseNames(first, request, file);
    return columns;
}

SampleLabels labelsOfTable(const InputFile& input, const ListRequest& request, std::span<const std::string> wanted,
                           const JobContext& job) {
    const TableDialect dialect = dialectOf(input);
    TableLines lines(input, dialect);
    if (!lines.next())
        refuse(input.name(), "lines with " + request.noun(), "none");
    const std::vector<std::string_view>& first = lines.asWritten();
    const std::size_t count = first.size();
    const LabelColumns columns = columnsOf(first, readRowsBelow(input, first, dialect),
                                           wantedColumn(input, dialect, wanted, job), request, input.name());
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
        refuse(input.name(), "at least one line with " + request.noun(), "only a header");
    if (!labels.empty())
        result.labels = labelsFromFields(std::move(labels));
    return result;
}

SampleLabels labelsOfNpz(const InputFile& input, const ListRequest& request, const JobContext& job) {
    const NpzArchive archive(input, job);
    const std::string& key = request.column;
    const std::string wanted = key.empty() ? request.what : key;
    const NpzEntry* labels = archive.find(wanted);
    const NpzEntry* ids = archive.find("ids");
    const NpzEntry* either = labels != nullptr ? labels : ids;
    const bool idsAreEnough = key.empty() && !request.areGroups();
    if (either == nullptr || (!idsAreEnough && labels == nullptr))
        refuse(input.name(), inQuotes(wanted) + (idsAreEnough ? " or 'ids'" : ""), archive.listing());
    const std::size_t axes = either->header ? asList(*either->header).shape.size() : 0;
    const bool mayBeOneHot = either == labels && axes == 2 && !request.areGroups();
    if (axes != 1 && !mayBeOneHot)
        refuse(archive.where(*either), "a 1-D array of whole numbers or text",
               either->header ? either->header->text() : either->problem);
    SampleLabels result;
    result.rows = static_cast<std::size_t>(asList(*either->header).shape[0]);
    result.labels = readLabelList(archive, wanted, request.what, result.rows, job);
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

SampleLabels readList(const FileSpec& spec, ListRequest request, std::span<const std::string> wanted,
                      const JobContext& job) {
    const InputFile input = InputFile::onDisk(spec.file);
    if (input.isDirectory())
        refuse(input.name(), std::string("a table or array of ") + (request.areGroups() ? "groups" : "classes"),
               "a folder");
    request.column = spec.key;
    SampleLabels result;
    if (recognisesNpz(input)) {
        result = labelsOfNpz(input, request, job);
    } else if (const Format* other = formatWithoutLabels(input)) {
        refuse(input.name(),
               "a table or list (.csv, .tsv, .txt), or NumPy's array (.npy) or archive (.npz) of " + request.noun(),
               std::string(other->description));
    } else if (!spec.key.empty() && (recognisesNpy(input) || !request.areGroups())) {
        refuse(input.name(), "an archive with a key " + inQuotes(spec.key), "a file without keys");
    } else if (recognisesNpy(input)) {
        result.labels = readClassList(*input.open(), input.name(), request.what, job);
        result.rows = result.labels.code.size();
    } else {
        result = labelsOfTable(input, request, wanted, job);
    }
    result.sha256 = sha256OfFile(input.name(), job);
    return result;
}

} // namespace

SampleLabels readLabels(const std::string& file, const JobContext& job, std::span<const std::string> wanted) {
    return readList(parseFileSpec(file), {}, wanted, job);
}

SampleLabels readGroups(const FileSpec& spec, const JobContext& job, std::span<const std::string> wanted) {
    SampleLabels read = readList(spec, {kGroupList}, wanted, job);
    if (read.labels.code.empty())
        refuse(spec.file, "names of groups", "only missing fields");
    return read;
}

std::vector<std::string> columnsOfTable(const std::string& file) {
    std::vector<std::string> columns;
    try {
        const FileSpec spec = parseFileSpec(file);
        const InputFile input = InputFile::onDisk(spec.file);
        if (!spec.key.empty() || input.isDirectory() || formatWithoutLabels(input) != nullptr || recognisesNpy(input))
            return columns;
        const TableDialect dialect = dialectOf(input);
        TableLines lines(input, dialect);
        if (lines.next())
            for (const std::string_view name : lines.asWritten())
                columns.push_back(utf8OrEscaped(trimmed(name)));
    } catch (const Error&) { // reading the set reports it
        columns.clear();
    }
    return columns;
}

} // namespace assay
