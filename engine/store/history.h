#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

class Database;

/// One thing that was done to an audit, and when.
struct HistoryEntry {
    std::int64_t number = 0; ///< ascending, from 1
    std::string at;          ///< UTC: "2026-03-01T12:00:00Z"
    std::string what;        ///< for people

    friend bool operator==(const HistoryEntry&, const HistoryEntry&) = default;
};

/// Oldest first.
using History = std::vector<HistoryEntry>;

/// How many entries an audit file keeps: the newest ones.
constexpr std::size_t kMostHistory = 10'000;

/// A moment as an audit file has it: UTC, to the second.
std::string utcText(std::chrono::system_clock::time_point moment);

/// Appends an entry with the next number and drops the oldest beyond kMostHistory.
void append(History& history, std::string at, std::string what);

/// Writes the entries whose numbers are beyond those of the file, as part of a transaction: the same history can be
/// written any number of times. @throws Error{WriteFailed}
void writeHistory(Database& database, const History& history);

/// The same for a file, by itself. @throws Error{WriteFailed}, Error{BadInput} where it is no audit file any more
void writeHistory(const std::string& file, const History& history);

/// What was done to the audit of a file; empty for a file without history. @throws Error{BadInput}
History readHistory(const std::string& file);

} // namespace assay
