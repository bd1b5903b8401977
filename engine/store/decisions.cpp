#include "engine/store/decisions.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/store/audit_file.h"
#include "engine/store/database.h"
#include "engine/subsets/rules/filter.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
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

namespace {

/// Encodes samples set by set: number of the set, number of rows, the rows.
std::vector<std::uint32_t> numbersOf(const SampleSet& samples) {
    std::vector<std::uint32_t> numbers;
    std::size_t head = 0;
    std::optional<SetId> set;
    for (const SampleId sample : samples) {
        if (set != sample.set) {
            set = sample.set;
            head = numbers.size();
            numbers.insert(numbers.end(), {static_cast<std::uint32_t>(sample.set), 0U});
        }
        numbers.push_back(sample.row);
        ++numbers[head + 1];
    }
    return numbers;
}

/// Decodes samples, without those that the audit does not have.
SampleSet samplesOf(std::span<const std::byte> bytes, const AuditResult& audit) {
    std::vector<std::uint32_t> numbers(bytes.size() / sizeof(std::uint32_t));
    if (!numbers.empty())
        std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(std::uint32_t));
    SampleSet samples;
    for (std::size_t at = 0; at + 2 <= numbers.size();) {
        const std::uint32_t set = numbers[at];
        const std::size_t count = std::min<std::size_t>(numbers[at + 1], numbers.size() - at - 2);
        std::vector<std::uint32_t> rows(numbers.begin() + static_cast<std::ptrdiff_t>(at + 2),
                                        numbers.begin() + static_cast<std::ptrdiff_t>(at + 2 + count));
        at += 2 + count;
        if (set > audit.models.size())
            continue;
        const std::size_t most = audit.setOf(static_cast<SetId>(set)).rows();
        std::erase_if(rows, [most](std::uint32_t row) { return row >= most; });
        samples |= SampleSet(static_cast<SetId>(set), rows);
    }
    return samples;
}

std::string tagName(int tag) {
    return "tag" + std::to_string(tag);
}

constexpr auto kReplace = nlohmann::json::error_handler_t::replace;

/// JSON text: [[set, row, "text"], ...]
std::string notesAsJson(const SampleNotes& notes) {
    auto list = nlohmann::json::array();
    for (const auto& [sample, text] : notes)
        list.push_back({static_cast<std::uint32_t>(sample.set), sample.row, text});
    return list.dump(-1, ' ', false, kReplace);
}

/// Decodes notes, without those of samples that the audit does not have.
SampleNotes notesOf(const std::string& text, const AuditResult& audit) {
    SampleNotes notes;
    const auto list = nlohmann::json::parse(text, nullptr, false);
    if (!list.is_array())
        return notes;
    for (const auto& entry : list) {
        const bool complete = entry.is_array() && entry.size() == 3 && entry[0].is_number_unsigned() &&
                              entry[1].is_number_unsigned() && entry[2].is_string();
        if (!complete || entry[0].get<std::uint64_t>() > audit.models.size())
            continue;
        const auto set = static_cast<SetId>(entry[0].get<std::uint32_t>());
        if (entry[1].get<std::uint64_t>() < audit.setOf(set).rows() && !entry[2].get<std::string>().empty())
            notes[{set, entry[1].get<std::uint32_t>()}] = entry[2].get<std::string>();
    }
    return notes;
}

TagNames tagNamesOf(const std::string& text) {
    TagNames names;
    const auto list = nlohmann::json::parse(text, nullptr, false);
    for (std::size_t tag = 0; list.is_array() && tag < std::min(names.size(), list.size()); ++tag)
        if (list[tag].is_string())
            names[tag] = list[tag].get<std::string>();
    return names;
}

// Names of the decisions that hold sample scores: what each part is, as JSON, and the values of each.
constexpr const char* kSampleScores = "sample_scores";

std::string partName(std::size_t part) {
    return kSampleScores + ("/" + std::to_string(part));
}

std::string partsAsJson(const SampleScores& scores) {
    auto list = nlohmann::json::array();
    for (const SampleScores::Part& part : scores.parts)
        list.push_back({{"name", part.name},
                        {"set", static_cast<std::uint32_t>(part.set)},
                        {"source", part.source},
                        {"sha256", part.sha256},
                        {"rows", part.values.size()}});
    return list.dump(-1, ' ', false, kReplace);
}

void insertScores(Database& database, const SampleScores& scores) {
    Statement insert = database.prepare("INSERT INTO decision VALUES(?, ?)");
    for (std::size_t part = 0; part < scores.parts.size(); ++part)
        insert.bind(partName(part)).bindBlob(std::as_bytes(std::span(scores.parts[part].values.get()))).run();
    if (!scores.empty())
        insert.runWith(kSampleScores, partsAsJson(scores));
}

/// Decodes sample scores, without those of sets that the audit does not have or that have other rows.
SampleScores scoresOf(std::map<std::string, std::string>& stored, const AuditResult& audit) {
    SampleScores scores;
    const auto list = nlohmann::json::parse(stored[kSampleScores], nullptr, false);
    for (std::size_t at = 0; list.is_array() && at < list.size(); ++at)
        try {
            const nlohmann::json& entry = list[at];
            const auto set = entry.at("set").get<std::uint32_t>();
            const std::string& bytes = stored[partName(at)];
            if (set > audit.models.size() ||
                bytes.size() != audit.setOf(static_cast<SetId>(set)).rows() * sizeof(double))
                continue;
            std::vector<double> values(bytes.size() / sizeof(double));
            std::memcpy(values.data(), bytes.data(), bytes.size());
            scores.add({{{entry.at("name"), static_cast<SetId>(set), entry.at("source"), entry.at("sha256"),
                          std::move(values)}}});
        } catch (const nlohmann::json::exception&) { // of a later version: as if there were none
        }
    return scores;
}

/// Decisions that are sets of samples, with their names in the file.
struct NamedSamples {
    const char* name;
    SampleSet Decisions::*samples;
};
constexpr NamedSamples kSamples[] = {{"by_hand", &Decisions::rejectedByHand},
                                     {"accepted", &Decisions::accepted},
                                     {"unsure", &Decisions::unsure},
                                     {"selected", &Decisions::selected}};

void insertAll(Database& database, const Decisions& decisions) {
    Statement insert = database.prepare("INSERT INTO decision VALUES(?, ?)");
    const auto text = [&](const char* name, const std::string& value) { insert.runWith(name, value); };
    const auto samples = [&](const std::string& name, const SampleSet& some) {
        const std::vector<std::uint32_t> numbers = numbersOf(some);
        if (!numbers.empty())
            insert.bind(name).bindBlob(std::as_bytes(std::span(numbers))).run();
    };
    text("model", std::to_string(decisions.model));
    text("rules", rulesToJson(decisions.rules));
    text("tag_names", nlohmann::json(decisions.tagNames).dump(-1, ' ', false, kReplace));
    text("notes", notesAsJson(decisions.notes));
    for (const NamedSamples& one : kSamples)
        samples(one.name, decisions.*one.samples);
    for (int tag = 1; tag <= kTags; ++tag)
        samples(tagName(tag), decisions.tags.having(tag));
    if (decisions.focus)
        samples("focus", SampleSet{*decisions.focus});
    if (!decisions.filter.empty())
        text("filter", decisions.filter);
    if (decisions.among) {
        text("narrowed", "1"); // also when narrowed to no samples
        samples("among", *decisions.among);
    }
    if (!decisions.external.empty())
        text("external", externalToJson(decisions.external));
    if (!decisions.window.empty())
        text("window", decisions.window);
}

/// The rules that this program knows and that fit the model.
FilterRules rulesOf(const std::string& text, const AuditResult& audit, std::size_t model) {
    FilterRules rules;
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_object() && json.contains("match") && json["match"] == "any")
        rules.match = RuleMatch::Any;
    const nlohmann::json list = json.is_object() && json.contains("rules") ? json["rules"] : json;
    if (!list.is_array() || model >= audit.models.size())
        return {};
    for (const nlohmann::json& entry : list)
        try {
            const FilterRules one = rulesFromJson(nlohmann::json::array({entry}).dump());
            requireRules(audit, model, one.list);
            rules.list.insert(rules.list.end(), one.list.begin(), one.list.end());
        } catch (const Error&) { // the rule's score no longer exists
        }
    return rules;
}

/// Enforces the invariants, whatever the file contains: at most one verdict by hand per sample, and none for real
/// samples.
void settleVerdicts(Decisions& decisions) {
    for (SampleSet* judged : {&decisions.rejectedByHand, &decisions.accepted, &decisions.unsure})
        *judged -= judged->in(SetId::Real);
    decisions.accepted -= decisions.rejectedByHand;
    decisions.unsure -= decisions.rejectedByHand;
    decisions.unsure -= decisions.accepted;
}

} // namespace

SampleFilter filterOf(const Decisions& decisions, std::size_t model) {
    const SetId set = syntheticSet(model);
    return {decisions.rules,
            decisions.rejectedByHand.rowsOf(set),
            decisions.accepted.rowsOf(set),
            std::make_shared<const SampleTags>(decisions.tags),
            std::make_shared<const TagNames>(decisions.tagNames),
            std::make_shared<const SampleNotes>(decisions.notes),
            {}};
}

void createDecisions(Database& database, const Decisions& decisions) {
    database.run("CREATE TABLE decision(name TEXT PRIMARY KEY, value)");
    insertAll(database, decisions);
    insertScores(database, decisions.sampleScores);
}

void writeDecisions(const std::string& file, const Decisions& decisions, const History& history) {
    requireAuditFile(file);
    Database database(file, Database::Mode::Write);
    Transaction transaction(database);
    database.run("CREATE TABLE IF NOT EXISTS decision(name TEXT PRIMARY KEY, value)");
    // Sample scores may be large, and every decision is saved: they are written again only when they changed.
    std::string known = "[]";
    {
        Statement scores = database.prepare("SELECT value FROM decision WHERE name = ?");
        if (scores.bind(kSampleScores).step())
            known = scores.text(0);
    }
    const bool changed = known != partsAsJson(decisions.sampleScores);
    database.run(changed ? "DELETE FROM decision" : "DELETE FROM decision WHERE name NOT LIKE 'sample_scores%'");
    insertAll(database, decisions);
    if (changed)
        insertScores(database, decisions.sampleScores);
    writeHistory(database, history);
    transaction.commit();
}

Decisions readDecisions(const std::string& file, const AuditResult& audit, const JobContext& job) {
    requireAuditFile(file);
    Database database(file, Database::Mode::Read, {}, job);
    Decisions decisions;
    if (database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'decision'") == 0)
        return decisions;
    std::map<std::string, std::string> stored; // bytes of texts and of blobs
    for (Statement rows = database.prepare("SELECT name, value FROM decision"); rows.step();)
        stored[rows.text(0)] = rows.text(1);
    const auto samples = [&](const std::string& name) {
        return samplesOf(std::as_bytes(std::span(stored[name])), audit);
    };
    const unsigned long model = std::strtoul(stored["model"].c_str(), nullptr, 10);
    decisions.model = model < audit.models.size() ? model : 0;
    decisions.filter = stored["filter"];
    decisions.external = externalFromJson(stored["external"]);
    decisions.window = stored["window"];
    decisions.tagNames = tagNamesOf(stored["tag_names"]);
    decisions.notes = notesOf(stored["notes"], audit);
    for (const NamedSamples& one : kSamples)
        decisions.*one.samples = samples(one.name);
    for (int tag = 1; tag <= kTags; ++tag)
        decisions.tags.give(tag, samples(tagName(tag)));
    if (const SampleSet focus = samples("focus"); !focus.empty())
        decisions.focus = focus.front();
    if (stored.contains("narrowed"))
        decisions.among = samples("among");
    settleVerdicts(decisions);
    decisions.sampleScores = scoresOf(stored, audit);
    const auto joined = withSampleScores(std::make_shared<const AuditResult>(audit),
                                         std::make_shared<const SampleScores>(decisions.sampleScores));
    decisions.rules = rulesOf(stored["rules"], *joined, decisions.model);
    return decisions;
}

} // namespace assay
