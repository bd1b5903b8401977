#pragma once

#include "engine/base/job_context.h"
#include "engine/data/preparation.h"
#include "engine/io/sets/set_files.h"
#include "engine/store/history.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace assay {

class Database;
class EmbeddingSet;
struct AuditResult;
struct Decisions;

/// Marks an audit file (`PRAGMA application_id`), and the version of its tables (`PRAGMA user_version`).
constexpr std::int64_t kAuditFileId = 0x41535341;
constexpr std::int64_t kAuditFileVersion = 2;
/// Of a file whose inputs are taken as they are: older programs read it, too.
constexpr std::int64_t kPlainAuditFileVersion = 1;

/// Reads a set of samples, prepared as recorded: readSet, but for tests.
using InputReader = std::function<std::shared_ptr<const EmbeddingSet>(
    const SetFiles& files, const PreparationPtr& preparation, const JobContext&)>;

/// Where the embeddings and pictures of an audit are.
enum class InputData {
    Referenced, ///< in their own files
    Packed      ///< in the audit file, which needs no others
};

/// What goes into an audit file beside the audit and the decisions.
struct AuditFileOptions {
    InputData inputs = InputData::Referenced;
    History history{}; ///< what was done to the audit
};

/// Writes a whole audit into one SQLite file (docs/audit-file.md): parameters, every score, interval and curve, the
/// neighbour tables, and by which files and SHA-256 it came about. The file appears whole or not at all.
/// @param decisions what a person has decided about it; null for nothing
/// @throws Error{InvalidArgument} for an audit that several machines share; Error{WriteFailed}; Cancelled
void writeAuditFile(const AuditResult& audit, const std::string& file, const JobContext& job = {},
                    const Decisions* decisions = nullptr, const AuditFileOptions& options = {});

/// The audit of a file, as it was written; nothing is computed again. Packed inputs are read from the file, whatever
/// lies beside it. Others are read where they were, or else beside the audit file, and must be what they were, by their
/// SHA-256. The demo's sets are made again.
/// @throws Error{BadInput} naming the file and what is wrong with it, or the input that is missing or has changed;
///         Cancelled
std::shared_ptr<const AuditResult> readAuditFile(const std::string& file, const JobContext& job = {},
                                                 const InputReader& read = {});

/// Whether a file says of itself that it is an audit file. Never throws.
bool isAuditFile(const std::string& file) noexcept;

/// For a file that was opened as one. @throws Error{BadInput} where it is none any more
void requireAuditFile(const std::string& file);

/// Whether an audit file needs no inputs beside it. @throws Error{BadInput}
InputData inputDataOf(const std::string& file);

} // namespace assay
