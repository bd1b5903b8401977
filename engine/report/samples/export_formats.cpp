#include "engine/report/samples/export_formats.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/data/embedding_set.h"
#include "engine/data/matrix_view.h"
#include "engine/io/archives/zip_archive.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/samples/export_samples.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

namespace assay {
namespace {

// One writer per format. All write either complete output or none, and throw as
// ExportFormat::write.

using TextSink = std::function<void(std::string_view)>;

/// Passes lines to `write` in pieces of about 1 MiB.
/// @param append appends the line of one sample, given its index in samples.rows()
void writeLines(const ExportedSamples& samples, const TextSink& write, const JobContext& job,
                const std::function<void(std::string& text, std::size_t place)>& append, std::string text = {}) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    const std::size_t count = samples.rows().size();
    for (std::size_t place = 0; place < count; ++place) {
        if (place % 1024 == 0)
            job.checkpoint(static_cast<double>(place) / static_cast<double>(count));
        append(text, place);
        if (text.size() < kPiece)
            continue;
        write(text);
        text.clear();
    }
    write(text);
    job.checkpoint(1.0);
}

/// Lets `make` write into a file that appears only when it is complete.
void writeTextFile(const std::filesystem::path& file, const std::function<void(const TextSink&)>& make) {
    AtomicFile output(file.string());
    make([&output](std::string_view text) { output.write(text); });
    output.commit();
}

nlohmann::ordered_json jsonValue(const Column& column, double value) {
    if (!std::isfinite(value))
        return nullptr;
    const std::string text = valueText(column, value);
    if (column.unit == Unit::Word)
        return text;
    return nlohmann::ordered_json::parse(text); // a whole number without a fraction, as in CSV
}

nlohmann::ordered_json jsonLine(const ExportedSamples& samples, std::uint32_t row) {
    nlohmann::ordered_json line{{"row", samples.set().fileRow(row)},
                                {"id", samples.set().idText(row)},
                                {"label", samples.set().labelText(row)}};
    if (samples.set().hasGroups())
        line["group"] = samples.set().groupText(row);
    for (const auto& [column, values] : samples.columns())
        line[std::string(column->id)] = jsonValue(*column, samples.value(*column, values[row]));
    line["kept"] = samples.isKept(row);
    line["reason"] = samples.reason(row);
    line["tags"] = samples.tags(row);
    line["note"] = samples.note(row);
    return line;
}

void requireOneLine(const std::string& id, std::size_t row) {
    if (id.find_first_of("\n\r") != std::string::npos)
        throw Error(ErrorKind::InvalidArgument, "ids, one a line: expected ids without line ends, found one in row " +
                                                    std::to_string(row) +
                                                    " (counted from 0); CSV and JSON Lines can hold it");
}

/// Passes the CSV table to `write`, piece by piece.
/// @param files one per exported sample: text of a first column `file`; empty for no such column
/// @throws exceptions of `write`; Cancelled
void makeCsvTable(const ExportedSamples& samples, std::span<const std::string> files, const TextSink& write,
                  const JobContext& job) {
    std::string header = (files.empty() ? "" : "file,") + sampleColumns(samples.set());
    for (const auto& [column, values] : samples.columns()) {
        header += ',';
        appendCsvField(header, column->id);
    }
    header.append(",reason").append(samples.hasTags() ? ",tags" : "").append(samples.hasNotes() ? ",note\n" : "\n");
    const auto append = [&](std::string& text, std::size_t place) {
        const std::uint32_t row = samples.rows()[place];
        const auto addField = [&text](const std::string& field) {
            text += ',';
            appendCsvField(text, field);
        };
        if (!files.empty()) {
            appendCsvField(text, files[place]);
            text += ',';
        }
        appendSample(text, samples.set(), row);
        for (const auto& [column, values] : samples.columns())
            text.append(",").append(valueText(*column, samples.value(*column, values[row])));
        addField(samples.reason(row));
        if (samples.hasTags())
            addField(samples.tagsText(row));
        if (samples.hasNotes())
            addField(samples.note(row));
        text += '\n';
    };
    writeLines(samples, write, job, append, std::move(header));
}

/// CSV with the columns row, id, label, group if the set has groups, every computed column of the synthetic side,
/// reason, and, if the model has any, tags and note. UTF-8 with a header, quoted as in RFC 4180, lines end in LF, rows
/// ascending. Numbers have a decimal point and read back to the same double; `reason` is empty for kept samples.
void writeCsvExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    writeTextFile(file, [&](const TextSink& write) { makeCsvTable(samples, {}, write, job); });
}

/// One JSON object per line: row, id, label, group if the set has groups, every computed column of the synthetic side,
/// kept, reason, tags (a list), note. NaN and infinite values become null.
void writeJsonLinesExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    const auto append = [&](std::string& text, std::size_t place) {
        text += jsonLine(samples, samples.rows()[place])
                    .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        text += '\n';
    };
    writeTextFile(file, [&](const TextSink& write) { writeLines(samples, write, job, append); });
}

/// One id per line (LF), rows ascending.
/// @throws also Error{InvalidArgument} for an id that contains a line end
void writeIdsExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    const auto append = [&](std::string& text, std::size_t place) {
        const std::string id = samples.set().idText(samples.rows()[place]);
        requireOneLine(id, samples.set().fileRow(samples.rows()[place]));
        text.append(id).append("\n");
    };
    writeTextFile(file, [&](const TextSink& write) { writeLines(samples, write, job, append); });
}

std::vector<std::int64_t> rowNumbers(const ExportedSamples& samples) {
    return collected(samples.rows(),
                     [&](std::uint32_t row) { return static_cast<std::int64_t>(samples.set().fileRow(row)); });
}

/// Stores classes as numbers only when they are in numerical order, because reading sorts numbers that way.
WholeNumbers formOf(const std::vector<std::string>& classes) {
    std::optional<std::int64_t> last;
    for (const std::string& name : classes) {
        const auto number = wholeNumberOf(name);
        if (!number || (last && *number < *last))
            return WholeNumbers::AsText;
        last = number;
    }
    return WholeNumbers::AsNumbers;
}

/// Classes or groups of the samples.
NpyTextArray namesOf(const ExportedSamples& samples, const ClassLabels& labels) {
    const std::vector<std::string> texts =
        collected(samples.rows(), [&](std::uint32_t row) { return labels.names[labels.code[row]]; });
    return NpyTextArray(texts, formOf(labels.names));
}

std::vector<std::uint8_t> gatherPictures(const ExportedSamples& samples, const ImageStore& images,
                                         const JobContext& job) {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(samples.rows().size() * images.bytesPerImage());
    for (std::size_t place = 0; place < samples.rows().size(); ++place) {
        if (place % 256 == 0)
            job.checkpoint(static_cast<double>(place) / static_cast<double>(samples.rows().size()));
        const std::vector<std::uint8_t> picture = samples.pixels(samples.rows()[place]);
        pixels.insert(pixels.end(), picture.begin(), picture.end());
    }
    return pixels;
}

/// The row numbers in the model's set: int64, ascending.
void writeNpyExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    const std::vector<std::int64_t> rows = rowNumbers(samples);
    writeNpy(file.string(), npyView<std::int64_t>(rows, {rows.size()}), job);
}

/// A set that Assay can read: `embeddings` (float32), `ids`, and, if the set has them, `images` (uint8), `labels` and
/// `groups`; also `rows`, the row numbers in the model's set. Needs as much memory as the samples.
void writeNpzExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    if (samples.rows().empty())
        throw Error(ErrorKind::InvalidArgument, file.string() + ": expected at least one sample to write, found none");
    const EmbeddingSet& set = samples.set();
    const std::size_t count = samples.rows().size();
    const std::vector<float> embeddings = gatherRows(set.matrix(), samples.rows());
    set.requireUnchanged();
    const std::vector<std::int64_t> rows = rowNumbers(samples);
    const NpyTextArray ids(samples.ids());
    std::vector<NpzItem> items{{"embeddings", npyView<float>(embeddings, {count, set.dim()})},
                               {"ids", ids.view()},
                               {"rows", npyView<std::int64_t>(rows, {count})}};
    std::optional<NpyTextArray> labels, groups;
    if (set.hasLabels())
        items.push_back({"labels", labels.emplace(namesOf(samples, set.labels())).view()});
    if (set.hasGroups())
        items.push_back({"groups", groups.emplace(namesOf(samples, set.groups())).view()});
    std::vector<std::uint8_t> pixels;
    if (const ImageStore* images = set.images(); images != nullptr && !images->isDrawn()) {
        pixels = gatherPictures(samples, *images, job.part({}, 0.0, 0.5));
        items.push_back(
            {"images", npyView<std::uint8_t>(pixels, {count, images->height(), images->width(), images->channels()})});
    }
    writeNpz(file.string(), items, NpzPacking::Stored, job.part({}, 0.5, 1.0));
}

constexpr std::string_view kManifest = "manifest.csv";

void requirePictures(const ExportedSamples& samples) {
    const std::string& name = samples.model().name;
    if (samples.set().images() == nullptr)
        throw Error(ErrorKind::InvalidArgument, name + ": expected a set with pictures, found none to write");
    if (samples.rows().empty())
        throw Error(ErrorKind::InvalidArgument, name + ": expected at least one sample to write, found none");
}

std::string pngOf(const ExportedSamples& samples, std::uint32_t row) {
    const ImageStore& images = *samples.set().images();
    const std::vector<std::uint8_t> pixels = samples.pixels(row);
    return pngBytes({pixels, images.height(), images.width(), images.channels()});
}

std::vector<std::string> pictureNames(const ExportedSamples& samples) {
    return fileNamesOf(samples.ids(), ".png", std::array{kManifest});
}

std::string manifestOf(const ExportedSamples& samples, std::span<const std::string> files, const JobContext& job) {
    std::string text;
    makeCsvTable(
        samples, files, [&text](std::string_view piece) { text += piece; }, job);
    return text;
}

/// The pictures as PNG files, named by fileNamesOf() of the ids, and manifest.csv: a column `file`, then the columns of
/// writeCsvExport().
void writePictureFolder(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    requirePictures(samples);
    const std::vector<std::string> names = pictureNames(samples);
    AtomicFolder folder(file);
    folder.write(std::string(kManifest), manifestOf(samples, names, job.part({}, 0.0, 0.1)));
    const JobContext drawing = job.part({}, 0.1, 1.0);
    for (std::size_t place = 0; place < names.size(); ++place) {
        drawing.checkpoint(static_cast<double>(place) / static_cast<double>(names.size()));
        folder.write(names[place], pngOf(samples, samples.rows()[place]));
    }
    folder.commit();
    job.checkpoint(1.0);
}

void writePictureZip(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    requirePictures(samples);
    const std::vector<std::string> names = pictureNames(samples);
    const std::string manifest = manifestOf(samples, names, job.part({}, 0.0, 0.1));
    ZipWriter archive(file.string());
    archive.add(std::string(kManifest), std::as_bytes(std::span(manifest)), {}, ZipPacking::Deflated);
    std::size_t place = 0;
    for (const std::string& name : names)
        archive.add(
            name, [&samples, row = samples.rows()[place++]] { return pngOf(samples, row); }, ZipPacking::Stored);
    archive.commit(job.part({}, 0.1, 1.0));
}

constexpr std::array kFormats{
    ExportFormat{"csv", "CSV table", "A line per sample with all its scores, why it is rejected, tags and note.",
                 ".csv", false, false, writeCsvExport},
    ExportFormat{"jsonl", "JSON Lines", "An object per sample with all its scores, why it is rejected, tags and note.",
                 ".jsonl", false, false, writeJsonLinesExport},
    ExportFormat{"ids", "Ids, one a line", "The samples' ids, or their row numbers where they have none.", ".txt",
                 false, false, writeIdsExport},
    ExportFormat{"npy", "NumPy row numbers (.npy)", "The samples' rows in the model's file, counted from 0, as int64.",
                 ".npy", false, false, writeNpyExport},
    ExportFormat{"npz", "NumPy archive of the samples (.npz)",
                 "Embeddings, pictures, labels, groups and ids, to be opened here or anywhere again.", ".npz", false,
                 true, writeNpzExport},
    ExportFormat{"pictures", "Folder of pictures",
                 "A PNG file per sample, and manifest.csv with all scores and reasons.", "/", true, true,
                 writePictureFolder},
    ExportFormat{"zip", "Zip archive of pictures",
                 "A PNG file per sample, and manifest.csv with all scores and reasons.", ".zip", true, true,
                 writePictureZip},
};

} // namespace

std::span<const ExportFormat> exportFormats() {
    return kFormats;
}

const ExportFormat* findExportFormat(std::string_view id) {
    return findBy(kFormats, &ExportFormat::id, id);
}

const ExportFormat* exportFormatOf(std::string_view file) {
    return findBy(
        kFormats, [file](const ExportFormat& format) { return file.ends_with(format.suffix); }, true);
}

} // namespace assay
