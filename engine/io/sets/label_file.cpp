#include "engine/io/sets/label_file.h"

#include "engine/io/files/file_hash.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/numpy/npz_archive.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/readers/formats.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/tables/table_columns.h"
#include "engine/io/tables/table_header.h"
#include "engine/io/tables/table_numbers.h"
#include "engine/io/tables/table_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace assay {
namespace {

constexpr std::size_t kMostNamed = 12; ///< columns in a message

/// Roles of a table's columns.
struct LabelColumns {
    std::optional<std::size_t> ids, labels;
    bool header = true;
};

/// Whether the first line of a single column is a header although it is named neither id nor label: a usual name of
/// classes, or text above numbers alone.
bool isClassHeader(const std::string& name, const RowsBelow& below) {
    constexpr std::array<std::string_view, 5> kUsual{"labels", "classes", "target", "targets", "category"};
    const bool overNumbers = below[0].numbers && !below[0].texts && !below[0].missing;
    return !numberOf(name) && !isMissing(name) && (overNumbers || (std::ranges::find(kUsual, name) != kUsual.end()));
}

LabelColumns columnsOf(const std::vector<std::string_view>& first, const RowsBelow& below, const std::string& file) {
    LabelColumns columns;
    std::string names;
    for (std::size_t c = 0; c < first.size(); ++c) {
        const std::string name = lowerCase(first[c]);
        if (c < kMostNamed)
            names += (names.empty() ? "'" : ", '") + printable(first[c], 40) + "'";
        if (!columns.ids && isIdColumn(name, c))
            columns.ids = c;
        else if (!columns.labels && isLabelColumn(name))
            columns.labels = c;
    }
    if (!columns.ids && !columns.labels && first.size() == 1)
        return {std::nullopt, 0, isClassHeader(lowerCase(first[0]), below)};
    if (!columns.ids && !columns.labels)
        refuse(file, "a column named id, filename, file, path, image_path, label or class in the first line",
               first.size() > kMostNamed ? names + " and " + std::to_string(first.size() - kMostNamed) + " more"
                                         : names);
    return columns;
}

SampleLabels labelsOfTable(const InputFile& input, const JobContext& job) {
    const auto source = input.open();
    TableReader reader(*source, input.name());
    if (!reader.next())
        refuse(input.name(), "lines with classes or ids", "none");
    const char separator = reader.separator();
    const std::vector<std::string_view>& first = reader.split(separator);
    const std::size_t count = first.size();
    const LabelColumns columns = columnsOf(first, readRowsBelow(input, count, separator), input.name());
    SampleLabels result;
    std::vector<std::string> labels;
    const auto add = [&](const std::vector<std::string_view>& fields) {
        if (fields.size() != count)
            refuse(input.name() + ", line " + std::to_string(reader.line()),
                   std::to_string(count) + " fields, as in the first line", std::to_string(fields.size()));
        if (columns.ids)
            result.ids.push_back(utf8OrLatin1(fields[*columns.ids]));
        if (columns.labels)
            labels.push_back(utf8OrLatin1(fields[*columns.labels]));
        if (++result.rows % 1024 == 0)
            job.checkpoint(static_cast<double>(reader.bytesDone()) / static_cast<double>(input.size()));
    };
    if (!columns.header)
        add(first);
    while (reader.next())
        add(reader.split(separator));
    if (result.rows == 0)
        refuse(input.name(), "at least one line with classes or ids", "only a header");
    if (!labels.empty())
        result.labels = labelsFromText(labels);
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
    if (!either->header || asList(*either->header).shape.size() != 1)
        refuse(archive.where(*either), "a 1-D array of whole numbers or text",
               either->header ? either->header->text() : either->problem);
    SampleLabels result;
    result.rows = static_cast<std::size_t>(asList(*either->header).shape[0]);
    result.labels = readLabelList(archive, wanted, result.rows, job);
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

SampleLabels readLabels(const std::string& file, const JobContext& job) {
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
        result.labels = readClassList(*input.open(), input.name(), job);
        result.rows = result.labels.code.size();
    } else {
        result = labelsOfTable(input, job);
    }
    result.sha256 = sha256OfFile(input.name(), job);
    return result;
}

} // namespace assay
