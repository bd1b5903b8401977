#include "engine/store/history.h"

#include "engine/store/audit_file.h"
#include "engine/store/database.h"

#include <ctime>
#include <utility>

namespace assay {

std::string utcText(std::chrono::system_clock::time_point moment) {
    const std::time_t time = std::chrono::system_clock::to_time_t(moment);
    std::tm utc{};
    gmtime_r(&time, &utc);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

void append(History& history, std::string at, std::string what) {
    const std::int64_t number = history.empty() ? 1 : history.back().number + 1;
    history.push_back({number, std::move(at), std::move(what)});
    if (history.size() > kMaxHistory)
        history.erase(history.begin());
}

void writeHistory(Database& database, const History& history) {
    database.run("CREATE TABLE IF NOT EXISTS history(id INTEGER PRIMARY KEY, at TEXT NOT NULL, what TEXT NOT NULL)");
    const std::int64_t last = database.number("SELECT max(id) FROM history");
    Statement insert = database.prepare("INSERT INTO history VALUES(?, ?, ?)");
    for (const HistoryEntry& entry : history)
        if (entry.number > last)
            insert.runWith(entry.number, entry.at, entry.what);
    database.run("DELETE FROM history WHERE id <= (SELECT max(id) FROM history) - " + std::to_string(kMaxHistory));
}

void writeHistory(const std::string& file, const History& history) {
    requireAuditFile(file);
    Database database(file, Database::Mode::Write);
    Transaction transaction(database);
    writeHistory(database, history);
    transaction.commit();
}

History readHistory(const std::string& file, const JobContext& job) {
    Database database(file, Database::Mode::Read, {}, job);
    History history;
    if (database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'history'") == 0)
        return history;
    Statement rows = database.prepare("SELECT id, at, what FROM history ORDER BY id");
    while (rows.step())
        history.push_back({rows.integer(0), rows.text(1), rows.text(2)});
    return history;
}

} // namespace assay
