#pragma once

#include "engine/base/job_context.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

class Database;

/// One action on an audit, and its time.
struct HistoryEntry {
    std::int64_t number = 0; ///< ascending, starts at 1
    std::string at;          ///< UTC: "2026-03-01T12:00:00Z"
    std::string what;        ///< text for the user

    friend bool operator==(const HistoryEntry&, const HistoryEntry&) = default;
};

/// Entries from the oldest to the newest.
using History = std::vector<HistoryEntry>;

/// Number of entries that an audit file keeps; older ones are removed.
constexpr std::size_t kMaxHistory = 10'000;

/// A time in the format of audit files: UTC, with seconds.
std::string utcText(std::chrono::system_clock::time_point moment);

/// Appends an entry with the next number. Removes the oldest entry when there are more than kMaxHistory.
void append(History& history, std::string at, std::string what);

/// Writes the entries with numbers above those in the file, so writing the same history again has no effect. The
/// caller's transaction must be open.
/// @throws Error{WriteFailed}
void writeHistory(Database& database, const History& history);

/// Writes the entries with numbers above those in the file, in a transaction of its own.
/// @throws Error{WriteFailed}; Error{BadInput} when the file is no longer an audit file
void writeHistory(const std::string& file, const History& history);

/// The history in an audit file; empty when it has none.
/// @throws Error{BadInput}
History readHistory(const std::string& file, const JobContext& job = {});

} // namespace assay
