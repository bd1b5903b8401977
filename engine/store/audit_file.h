#pragma once

#include "engine/base/job_context.h"
#include "engine/data/preparation.h"
#include "engine/io/sets/set_files.h"
#include "engine/store/decisions.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace assay {

class Database;
class EmbeddingSet;
struct AuditResult;
struct Decisions;

/// Identifies an audit file (`PRAGMA application_id`); and the version of its tables (`PRAGMA user_version`).
constexpr std::int64_t kAuditFileId = 0x41535341;
constexpr std::int64_t kAuditFileVersion = 5;
/// Version of a file of which no set has groups.
constexpr std::int64_t kColumnsAuditFileVersion = 4;
/// Version of a file in which nobody said what the columns of its tables hold.
constexpr std::int64_t kTablesAuditFileVersion = 3;
/// Version of a file whose inputs need no preparation, or the one of the first versions; older programs can read it.
constexpr std::int64_t kPreparedAuditFileVersion = 2;
constexpr std::int64_t kPlainAuditFileVersion = 1;

/// Reads a set of samples with the recorded preparation. Tests may replace the default, readSet().
using InputReader = std::function<std::shared_ptr<const EmbeddingSet>(
    const SetFiles& files, const PreparationPtr& preparation, const JobContext&)>;

/// Location of the embeddings and pictures of an audit.
enum class InputData {
    Referenced, ///< in their own files
    Packed      ///< in the audit file, which needs no other files
};

/// Further contents of an audit file besides the audit and the decisions.
struct AuditFileOptions {
    InputData inputs = InputData::Referenced;
    History history{}; ///< what was done to the audit, for the user
};

/// Writes a whole audit into one SQLite file (docs/audit-file.md): parameters, all scores, intervals and curves, the
/// neighbour tables, and the input files with their SHA-256. The file appears either complete or not at all.
/// @param decisions the user's decisions about the audit; null for none
/// @throws Error{InvalidArgument} for an audit that several processes share; Error{BadInput} when a picture to pack has
///         changed; Error{WriteFailed}; Cancelled
void writeAuditFile(const AuditResult& audit, const std::string& file, const JobContext& job = {},
                    const Decisions* decisions = nullptr, const AuditFileOptions& options = {});

/// Reads an audit as it was written; scores are not computed again. Packed inputs are read from the file itself.
/// Referenced inputs are searched at their recorded place, then beside the audit file; their SHA-256 must match. Sets
/// of the demo are generated again.
/// @param read reads the referenced inputs; empty: readSet()
/// @throws Error{BadInput} naming the file and what is wrong with it, or the input that is missing or has changed;
///         Cancelled
std::shared_ptr<const AuditResult> readAuditFile(const std::string& file, const JobContext& job = {},
                                                 const InputReader& read = {});

/// Whether a file is marked as an audit file. Never throws.
bool isAuditFile(const std::string& file) noexcept;

/// Checks that a file that was opened as an audit file still is one.
/// @throws Error{BadInput} when it was removed or replaced
void requireAuditFile(const std::string& file);

/// Whether an audit file contains its inputs or refers to other files.
/// @throws Error{BadInput} when it is not a readable audit file
InputData inputDataOf(const std::string& file, const JobContext& job = {});

} // namespace assay
