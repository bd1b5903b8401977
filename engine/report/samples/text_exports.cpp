// Samples as lines of text.
#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/csv.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/samples/exported_samples.h"
#include "engine/report/samples/sample_writers.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace assay {
namespace {

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

} // namespace

void makeCsvTable(const ExportedSamples& samples, std::span<const std::string> files, const TextSink& write,
                  const JobContext& job) {
    std::string header = files.empty() ? "row,id,label" : "file,row,id,label";
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
        text += std::to_string(samples.set().fileRow(row));
        addField(samples.set().idText(row));
        addField(samples.set().labelText(row));
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

void writeCsvExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    writeTextFile(file, [&](const TextSink& write) { makeCsvTable(samples, {}, write, job); });
}

void writeJsonLinesExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    const auto append = [&](std::string& text, std::size_t place) {
        text += jsonLine(samples, samples.rows()[place])
                    .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        text += '\n';
    };
    writeTextFile(file, [&](const TextSink& write) { writeLines(samples, write, job, append); });
}

void writeIdsExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    const auto append = [&](std::string& text, std::size_t place) {
        const std::string id = samples.set().idText(samples.rows()[place]);
        requireOneLine(id, samples.set().fileRow(samples.rows()[place]));
        text.append(id).append("\n");
    };
    writeTextFile(file, [&](const TextSink& write) { writeLines(samples, write, job, append); });
}

} // namespace assay
