#include "engine/report/samples/export_formats.h"

#include "engine/base/find_by.h"
#include "engine/report/samples/sample_writers.h"

#include <array>

namespace assay {
namespace {

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
                 "Embeddings, pictures, labels and ids, to be opened here or anywhere again.", ".npz", false, true,
                 writeNpzExport},
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
