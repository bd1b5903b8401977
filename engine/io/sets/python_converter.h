#pragma once

#include "engine/base/job_context.h"
#include "engine/io/sets/set_files.h"

#include <string>

namespace assay {

/// A Python that writes files of its libraries' formats (Parquet, Arrow, JSON Lines, MATLAB, AnnData, data sets of
/// Hugging Face) as archives that the engine reads.
struct PythonConverter {
    std::string python; ///< program, by name or path
    std::string script; ///< python/assay/_convert.py, where it is installed
    std::string folder; ///< where converted files are kept, by the hash of their contents; made when needed
};

/// Whether a file is of a kind that Python can convert and the engine does not read. Looks at its first bytes, and at
/// the names that the kind prescribes. AnnData counts, of which the engine reads the matrix alone. False for
/// what cannot be opened.
/// @param fileSpec `FILE` or `FILE:KEY`
bool needsPython(const std::string& fileSpec);

/// The command that converts a file, as a person would type it; shown before it runs.
std::string conversionCommand(const PythonConverter& converter, const std::string& fileSpec);

/// Has a set's embeddings converted where they need it. A file of the same contents is converted once.
/// @return the files with the converted one, and a note that says what it was made of; or as they are
/// @throws Error{BadInput} with what Python says, such as the library that it lacks; Cancelled
SetFiles convertedByPython(SetFiles files, const PythonConverter& converter, const JobContext& job = {});

/// Folder of converted files: $XDG_CACHE_HOME/assay/converted, by default in ~/.cache; empty where neither variable is
/// set.
std::string conversionFolder();

} // namespace assay
