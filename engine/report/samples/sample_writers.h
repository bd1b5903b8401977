#pragma once

#include "engine/base/job_context.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace assay {

class ExportedSamples;

// One writer per format of export_formats.cpp. All of them write whole or not at all, and throw as ExportFormat::write.

/// row, id, label, every column of the synthetic side, reason, then tags and note where the model has any: quoted as in
/// RFC 4180, UTF-8, a header, lines ended by LF, rows ascending. Numbers have a decimal point and read back to the same
/// double; `reason` is empty for kept samples.
void writeCsvExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// One JSON object a line: row, id, label, every column of the synthetic side, kept, reason, tags (a list), note.
/// A value that is not a number, or infinite, is null.
void writeJsonLinesExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// One id a line (LF), rows ascending. @throws also Error{InvalidArgument} for an id that holds a line end
void writeIdsExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// The rows' numbers in the model's set, int64, ascending.
void writeNpyExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// A set that Assay reads again: `embeddings` (float32), `ids`, and where the set has them `images` (uint8) and
/// `labels`; beside them `rows`, the numbers in the model's set. Takes as much memory as the samples do.
void writeNpzExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// The pictures as PNG, named after the ids (fileNamesOf), and manifest.csv: `file`, then what writeCsvExport writes.
void writePictureFolder(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);
void writePictureZip(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// Hands the CSV table to `write`, piece by piece.
/// @param files per exported sample the text of a first column `file`; empty for no such column
/// @throws what `write` throws; Cancelled
void makeCsvTable(const ExportedSamples& samples, std::span<const std::string> files,
                  const std::function<void(std::string_view)>& write, const JobContext& job);

} // namespace assay
