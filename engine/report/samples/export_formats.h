#pragma once

#include "engine/base/job_context.h"

#include <filesystem>
#include <span>
#include <string_view>

namespace assay {

class ExportedSamples;

/// A format for exported samples: one row of the table in export_formats.cpp.
struct ExportFormat {
    std::string_view id;      ///< "csv"
    std::string_view title;   ///< name for the user, in English: "CSV table"
    std::string_view content; ///< contents for the user, one sentence
    std::string_view suffix;  ///< suffix of the file name: ".csv"; "/" for a folder
    bool needsPictures;       ///< whether the set must have pictures
    bool needsSamples;        ///< whether there must be a sample to write
    /// Writes the samples; the file or folder appears either complete or not at all.
    /// @throws Error{WriteFailed} naming the file; Error{BadInput} when data of the set can no longer be read;
    ///         Error{InvalidArgument} for samples that the format cannot store; Cancelled
    void (*write)(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

    bool isFolder() const noexcept { return suffix == "/"; }
};

std::span<const ExportFormat> exportFormats();

/// The format of that id; null for an unknown id.
const ExportFormat* findExportFormat(std::string_view id);

/// The format for a file name's suffix, as in "kept.csv" or "kept/"; null when no format has it.
const ExportFormat* exportFormatOf(std::string_view file);

} // namespace assay
