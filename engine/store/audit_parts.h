#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/sets/set_files.h"
#include "engine/store/stored_values.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

/// The parts of an audit file.
namespace assay::store {

// The preparation of an audit's inputs, stored below `preparation`; absent when values are used as in the files.

void writePreparation(ValueWriter& values, const ValuePreparation& preparation);

/// Reads what writePreparation() wrote. Never null.
/// @throws Error{BadInput} for an invalid preparation
PreparationPtr readPreparation(ValueReader& values);

// Whole sets inside an audit file, which then needs no input files: embeddings, classes, ids and pictures below
// `PATH/packed`.

/// Facts about a packed set that are stored elsewhere in the audit file.
struct PackedSet {
    std::string file; ///< the audit file
    std::string path; ///< path of the set: "real", "models/0", "held_out"
    std::string name;
    std::string source; ///< original file with its key; empty for generated data
    std::string sha256; ///< of the original file
    std::size_t rows = 0;
    std::size_t dim = 0;
    PreparationPtr preparation{}; ///< preparation that was applied to the packed values
};

/// Writes a set with all its data.
/// @param path path of the set, without "/packed"
/// @throws Error{BadInput} when a picture can no longer be read; Error{WriteFailed}; Cancelled
void writePacked(ValueWriter& values, const std::string& path, const EmbeddingSet& set, const JobContext& job);

/// Whether the audit file contains the set of that path.
bool hasPacked(const ValueReader& values, const std::string& path);

/// Reads a packed set. Every array is verified with its SHA-256. Pictures stay in the file and are read on demand.
/// @throws Error{BadInput} when data is missing, damaged or of the wrong shape; Cancelled
std::shared_ptr<const EmbeddingSet> readPacked(ValueReader& values, const PackedSet& packed, const JobContext& job);

// Files of pictures, labels and groups, recorded below `PATH/beside`.

/// Writes below `path` which other files or columns a set's pictures, labels and groups come from; writes nothing when
/// there are none.
void writeBeside(ValueWriter& values, const std::string& path, const SourceInfo& source);

/// Adds the recorded files of pictures, labels and groups to a set's files. Each is searched at its recorded place,
/// then beside the audit file. Missing pictures are left out, which the note of `files` reports; missing labels and
/// groups are an error, because scores depend on them.
/// @param files the embeddings' file must be set
/// @throws Error{BadInput} when labels or groups are missing or have changed
void readBeside(const ValueReader& values, const std::string& path, const std::string& auditFile, SetFiles& files);

// The scores of an audit file. They are stored by the ids of the catalogue, so that a program with a later catalogue
// can read the scores that it still knows.

/// Writes a model's metrics, columns, curves, scores of its good samples, intervals, resamples and findings below
/// `path`.
void writeScores(ValueWriter& values, const std::string& path, const ModelAudit& model);
/// Reads what writeScores() wrote, except ids that are no longer in the catalogue.
/// @throws Error{BadInput} when a value is damaged or has the wrong shape
void readScores(ValueReader& values, const std::string& path, ModelAudit& model);

/// Writes the curves over subsets that the user requested.
void writeRequestedCurves(ValueWriter& values, const std::vector<RequestedCurve>& curves);
/// Reads what writeRequestedCurves() wrote.
/// @throws Error{BadInput}
std::vector<RequestedCurve> readRequestedCurves(ValueReader& values);

// Checks that the tables of an audit file fit together: code that uses them as row indices must not go out of range.

/// @throws Error{BadInput} naming the file and the first inconsistent table
void requireConsistent(const std::string& file, const RealAnalysis& real);
void requireConsistent(const std::string& file, const RealAnalysis& real, const ModelAudit& model);

} // namespace assay::store
