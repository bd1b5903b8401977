#pragma once

#include "engine/base/job_context.h"
#include "engine/data/preparation.h"
#include "engine/io/files/input_file.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/sets/set_files.h"

#include <cstddef>
#include <cstdint>
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

/// Summary of a set that the user sees before opening it.
struct SetPreview {
    std::string format;            ///< text for the user: "a NumPy archive (.npz)"
    std::string key;               ///< array that holds the embeddings; empty for formats without keys
    std::vector<std::string> keys; ///< keys from which the user must choose; if any, only `format` is set besides
    std::string forPython{};       ///< kind of a file that Python should convert first (kindForPython()); nobody but
                                   ///< the window sets it. Without rows, nothing else is known
    std::string readFrom{};        ///< the file or folder that Python converted the set's to; only the window sets it
    bool isStatistics = false;     ///< a mean and a covariance, no samples: only `format` is set besides
    bool keysAreUnits = false;     ///< the keys say what one sample is, and not which array is taken
    std::size_t rows = 0;
    std::vector<ColumnPreview> columns{}; ///< of a table, features or not; empty for anything else
    std::size_t dimensions = 0;           ///< of a table: columns that samples would be compared in
    std::size_t dim = 0;  ///< columns of features in the file; 0 when there are only pictures or series, whose
                          ///< embedding is computed when the set is opened
    WindowShape window{}; ///< of series
    std::vector<std::vector<float>> firstRows; ///< first columns of embeddings; of series: first values of each window
    std::vector<std::string> firstIds;         ///< ids of the first rows; row numbers when there are no ids
    std::vector<std::string> firstLabels;      ///< class names of the first rows; empty when there are no classes
    std::size_t classes = 0;
    std::vector<std::string> firstGroups{}; ///< names of the groups of the first rows; empty when there are no groups
    std::size_t groups = 0;
    /// Groups that the ids would make (groupsOfIds()); 0 where there are groups, or these are not likely to be meant.
    std::size_t groupsOfIds = 0;
    std::size_t height = 0, width = 0, channels = 0;      ///< of the pictures; 0: no pictures
    std::vector<std::vector<std::uint8_t>> firstPictures; ///< pixels as in ImageStore; empty when one cannot be read
    std::vector<std::string> notes;                       ///< how files were joined, what is left out

    bool isSeries() const noexcept { return window.steps > 0; }
    /// Whether nothing can be read before Python has converted the file.
    bool isUnconverted() const noexcept { return !forPython.empty() && rows == 0 && keys.empty(); }
    /// Whether the set has pictures but neither embeddings nor series.
    bool isOnlyPictures() const noexcept { return dim == 0 && height > 0 && !isSeries() && keys.empty(); }
};

/// Reads as much of a set as its preview needs: for most formats the whole file, for a folder of pictures only the
/// names. Does not check values.
/// @param choice how the set would be taken; alone, it is taken as a real set
/// @throws Error{BadInput} as readSet(), except for invalid values; Error{NotEnoughMemory}; Cancelled
SetPreview previewSet(const SetFiles& files, const JobContext& job = {}, const PreparationChoice& choice = {});

/// Completes the choices for an audit by what its tables hold: the columns that number the rows in any of them, and
/// those with missing values. Files that are no tables, or cannot be read, tell nothing: reading them reports why.
/// @param sets all sets of the audit
/// @throws Error{BadInput} for a column that is in none of the sets, and for oneHot where there is no table; Cancelled
PreparationChoice completedChoice(const PreparationChoice& choice, const std::vector<SetFiles>& sets,
                                  const JobContext& job);

} // namespace assay
