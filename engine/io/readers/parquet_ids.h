#pragma once

#include "engine/base/job_context.h"
#include "engine/io/files/input_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// Whether this build supports Parquet.
bool readsParquet() noexcept;

/// The first id column (isIdColumn) of a Parquet file with `rows` rows; empty when it has none.
/// @throws Error{BadInput} also in builds without Parquet; Cancelled
std::vector<std::string> readParquetIds(const InputFile& input, std::uint64_t rows, const JobContext& job);

} // namespace assay
