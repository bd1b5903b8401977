#pragma once

#include "engine/base/job_context.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace assay {

class ExportedSamples;

/// A form in which samples can be written: one row of the table in export_formats.cpp.
struct ExportFormat {
    std::string_view id;      ///< "csv"
    std::string_view title;   ///< for people, in English: "CSV table"
    std::string_view content; ///< for people, one sentence
    std::string_view suffix;  ///< of the file's name: ".csv"; "/" for a folder
    bool needsPictures;       ///< whether the set has to have pictures
    /// Writes the samples; the file or folder appears whole or not at all.
    /// @throws Error{WriteFailed} naming the file, Error{BadInput} where what is to be written cannot be read any more,
    ///         Error{InvalidArgument} for samples that the format cannot hold, Cancelled
    void (*write)(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

    bool isFolder() const noexcept { return suffix == "/"; }
};

std::span<const ExportFormat> exportFormats();

/// Null for an unknown id.
const ExportFormat* findExportFormat(std::string_view id);

/// The format that a file's name asks for by its suffix, "kept.csv" or "kept/"; null where none does.
const ExportFormat* exportFormatOf(std::string_view file);

} // namespace assay
