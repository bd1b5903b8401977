#pragma once

#include "engine/base/job_context.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace assay {

class ExportedSamples;

// One writer per format of export_formats.cpp. All write either complete output or none, and throw as
// ExportFormat::write.

/// CSV with the columns row, id, label, every computed column of the synthetic side, reason, and, if the model has any,
/// tags and note. UTF-8 with a header, quoted as in RFC 4180, lines end in LF, rows ascending. Numbers have a decimal
/// point and read back to the same double; `reason` is empty for kept samples.
void writeCsvExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// One JSON object per line: row, id, label, every computed column of the synthetic side, kept, reason, tags (a list),
/// note. NaN and infinite values become null.
void writeJsonLinesExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// One id per line (LF), rows ascending.
/// @throws also Error{InvalidArgument} for an id that contains a line end
void writeIdsExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// The row numbers in the model's set: int64, ascending.
void writeNpyExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// A set that Assay can read: `embeddings` (float32), `ids`, and, if the set has them, `images` (uint8) and `labels`;
/// also `rows`, the row numbers in the model's set. Needs as much memory as the samples.
void writeNpzExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// The pictures as PNG files, named by fileNamesOf() of the ids, and manifest.csv: a column `file`, then the columns of
/// writeCsvExport().
void writePictureFolder(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);
void writePictureZip(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job);

/// Passes the CSV table to `write`, piece by piece.
/// @param files one per exported sample: text of a first column `file`; empty for no such column
/// @throws exceptions of `write`; Cancelled
void makeCsvTable(const ExportedSamples& samples, std::span<const std::string> files,
                  const std::function<void(std::string_view)>& write, const JobContext& job);

} // namespace assay
