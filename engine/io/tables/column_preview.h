#pragma once

#include "engine/base/job_context.h"
#include "engine/data/preparation.h"
#include "engine/io/files/input_file.h"

#include <cstddef>
#include <string>
#include <vector>

namespace assay {

/// A column of a table, as a person sees it before the table is opened.
struct ColumnPreview {
    std::string name; ///< its number from 1 where the table has no names
    ColumnKind kind = ColumnKind::Number;
    bool isSaid = false;                  ///< a person said what it holds
    std::size_t categories = 0;           ///< different texts of ColumnKind::Category
    std::vector<std::string> firstFields; ///< as in the file
};

/// The columns of a table in the order of the file, as they will be taken.
/// @param rows so many first rows are shown
/// @throws Error{BadInput} as the table's reader; Cancelled
std::vector<ColumnPreview> previewColumns(const InputFile& table, std::size_t rows, const JobContext& job);

} // namespace assay
