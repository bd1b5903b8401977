#pragma once

#include "engine/base/job_context.h"
#include "engine/io/files/input_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// Whether this build reads Parquet.
bool readsParquet() noexcept;

/// The first column of ids (isIdColumn) of a Parquet file of so many rows; empty where it has none.
/// @throws Error{BadInput} also where the build reads no Parquet; Cancelled
std::vector<std::string> readParquetIds(const InputFile& input, std::uint64_t rows, const JobContext& job);

} // namespace assay
