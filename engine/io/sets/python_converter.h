#pragma once

#include "engine/base/job_context.h"
#include "engine/io/sets/set_files.h"

#include <cstdint>
#include <optional>
#include <string>

namespace assay {

/// A Python that writes files of its libraries' formats (Parquet, Arrow, JSON Lines, MATLAB, AnnData, data sets of
/// Hugging Face) as archives that the engine reads.
struct PythonConverter {
    std::string python; ///< program, by name or path
    std::string script; ///< python/assay/_convert, where it is installed
    std::string folder; ///< where converted files are kept, by the hash of their contents; made when needed
    /// Bytes that the kept files may take: those used longest ago are removed after a conversion.
    std::uintmax_t mostBytes = std::uintmax_t{10} << 30;
};

/// The converter that lies beside the running program, with the person's cache folder.
PythonConverter installedConverter(std::string python = {});

/// Endings of the files that Python converts: "*.parquet *.arrow".
std::string patternsForPython();

/// The kind of a file that Python can convert and the engine does not read: "a Parquet file". Looks at its first bytes,
/// and at the names that the kind prescribes. AnnData counts, of which the engine reads the matrix alone.
/// @param fileSpec `FILE` or `FILE:KEY`
/// @return empty for other files, and for what cannot be opened
std::string kindForPython(const std::string& fileSpec);
/// Whether a file is of such a kind.
bool needsPython(const std::string& fileSpec);

/// Whether the engine reads some of such a file itself: AnnData's matrix, without classes and ids.
bool isReadInPart(const std::string& fileSpec);

/// The command that converts a file, as a person would type it; shown before it runs.
std::string conversionCommand(const PythonConverter& converter, const std::string& fileSpec);

/// A set whose file was converted before, by this script, as what it was converted to: the archive of its embeddings,
/// or the folder of its pictures where it has no others; pictures that the file held are the set's pictures unless it
/// has some. Reads the file whole, for its hash.
/// @return nothing where it was not converted yet, or needs not be @throws Cancelled
std::optional<SetFiles> keptConversion(const SetFiles& files, const PythonConverter& converter,
                                       const JobContext& job = {});

/// Has a set's embeddings converted where they need it. A file of the same contents is converted once.
/// @return the files as keptConversion(), and a note that says what they were made of; or as they are
/// @throws Error{BadInput} with what Python says, such as the library that it lacks; Cancelled
SetFiles convertedByPython(SetFiles files, const PythonConverter& converter, const JobContext& job = {});

/// Folder of converted files: $XDG_CACHE_HOME/assay/converted, by default in ~/.cache; empty where neither variable is
/// set.
std::string conversionFolder();

} // namespace assay
