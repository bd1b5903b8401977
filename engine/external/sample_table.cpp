#include "engine/external/sample_table.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/tables/table_fields.h"
#include "engine/io/tables/table_header.h"
#include "engine/io/tables/table_lines.h"
#include "engine/math/statistics/nan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace assay {
namespace {

constexpr std::uint32_t kSeveral = std::numeric_limits<std::uint32_t>::max();

/// Without the extension: "GAN.npz" is "GAN".
std::string withoutExtension(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    // "cfg1.5" has no extension: those are letters.
    const bool isExtension = dot != std::string::npos && dot > 0 &&
                             std::any_of(name.begin() + static_cast<std::ptrdiff_t>(dot), name.end(),
                                         [](unsigned char c) { return std::isalpha(c) != 0; });
    return isExtension ? name.substr(0, dot) : name;
}

std::string stemOf(const std::string& id) {
    return withoutExtension(id.substr(id.find_last_of("/\\") + 1));
}

/// Number of rows in the set's file, those that were left out included.
std::size_t fileRows(const EmbeddingSet& set) {
    return set.rows() + set.source().droppedRows.size();
}

/// Row of the set with this number in the file; empty where it was left out, or beyond the end.
std::optional<std::uint32_t> rowOfFileRow(const EmbeddingSet& set, std::size_t fileRow) {
    const auto& dropped = set.source().droppedRows;
    const auto at = std::ranges::lower_bound(dropped, fileRow);
    if (fileRow >= fileRows(set) || (at != dropped.end() && *at == fileRow))
        return std::nullopt;
    return static_cast<std::uint32_t>(fileRow - static_cast<std::size_t>(at - dropped.begin()));
}

/// Index of a name: as written, or else without regard to case and an extension. Empty for another name.
std::optional<std::size_t> findName(const std::vector<std::string>& names, const std::string& name) {
    auto found = std::ranges::find(names, name);
    if (found == names.end())
        found = std::ranges::find_if(names, [wanted = lowerCase(withoutExtension(name))](const std::string& one) {
            return lowerCase(withoutExtension(one)) == wanted;
        });
    return found == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names.begin()));
}

/// Finds samples of a set by what a table calls them: the id as written, or else the id's file name without folder and
/// extension where only one sample has it; or the number of the row in the file. O(1) after O(rows).
class SampleFinder {
public:
    /// @param set outlives this object
    /// @param byRow samples are called by row number, even if the set has ids
    SampleFinder(const EmbeddingSet& set, bool byRow) : set_(&set), byRow_(byRow || !set.hasIds()), numbers_(byRow) {}

    /// Empty for a name that no sample has, or several.
    std::optional<std::uint32_t> find(const std::string& name) {
        if (byRow_) {
            // "0007" is a name; only a column of row numbers means them.
            if (!numbers_ && name.size() > 1 && name.front() == '0' && name[1] != '.')
                return std::nullopt;
            // "7.0" is what programs write that hold every column as floating point.
            const std::optional<double> number = numberOf(name);
            const bool isRow = number && *number >= 0.0 && *number < 4294967295.0 && *number == std::floor(*number);
            return isRow ? rowOfFileRow(*set_, static_cast<std::size_t>(*number)) : std::nullopt;
        }
        if (exact_.empty())
            fill(exact_, false);
        auto found = exact_.find(name);
        if (found != exact_.end())
            return found->second == kSeveral ? std::nullopt : std::optional(found->second);
        if (loose_.empty())
            fill(loose_, true);
        found = loose_.find(stemOf(name));
        return found == loose_.end() || found->second == kSeveral ? std::nullopt : std::optional(found->second);
    }
    /// Expected text in place of a name that is not found: "a sample of gan, such as '00001.png'".
    std::string expected(const std::string& setName) const {
        if (byRow_)
            return "the number of a sample of " + printable(setName) + ", from 0 to " +
                   std::to_string(fileRows(*set_) - 1);
        return "the id of one sample of " + printable(setName) + ", such as " + inQuotes(set_->idText(0));
    }

private:
    using Rows = std::unordered_map<std::string, std::uint32_t>;
    void fill(Rows& rows, bool loose) {
        rows.reserve(set_->rows());
        for (std::uint32_t row = 0; row < set_->rows(); ++row)
            if (const auto [at, isNew] = rows.emplace(loose ? stemOf(set_->idText(row)) : set_->idText(row), row);
                !isNew)
                at->second = kSeveral;
    }

    const EmbeddingSet* set_;
    bool byRow_;
    bool numbers_; ///< names are known to be row numbers
    Rows exact_, loose_;
};

/// A column of the table as it is read: of numbers, or of text.
struct Figures {
    std::size_t field = 0; ///< index in a line
    std::string name;
    std::vector<double> values{}; ///< one per line; NaN where there is no number
    std::size_t numbers = 0;
    std::size_t texts = 0;
    std::string firstText{};
    std::size_t textLine = 0;

    /// A column of numbers may have no text; one of text may have numbers, as classes named "7" and "eight".
    bool isText() const { return numbers == 0 || texts > numbers; }
};

/// A table, read from its file.
struct Table {
    std::string file;
    std::vector<std::string> sets; ///< one per line, or empty
    std::vector<std::string> ids;  ///< one per line, or empty
    bool byRow = false;            ///< `ids` are row numbers
    std::string idName;            ///< the column's
    std::vector<Figures> figures;
    std::vector<std::size_t> lines; ///< number of each line in the file
};

bool isOneOf(const std::string& name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

/// Reads one table line by line.
class Reading {
public:
    Reading(const std::string& file, const std::vector<std::string>& header) : header_(header) { table_.file = file; }

    /// @param first fields of the first line below the header
    void takeHeader(const std::vector<std::string_view>& first) {
        std::optional<std::size_t> rows;
        std::optional<std::size_t> text;
        for (std::size_t field = 0; field < header_.size(); ++field) {
            const std::string name = lowerCase(header_[field]);
            if (!set_ && isOneOf(name, {"model", "models", "generator", "set"}))
                set_ = field;
            else if (!id_ && (isIdColumn(name, field) || mayBeIdColumn(name) ||
                              isOneOf(name, {"sample", "samples", "sample_id", "name", "names"})))
                id_ = field;
            else if (!rows && isOneOf(name, {"row", "index"}))
                rows = field;
            else if (!text && field < first.size() && !isMissing(first[field]) && !numberOf(first[field]))
                text = field;
        }
        table_.byRow = !id_ && rows;
        if (!id_)
            id_ = rows ? rows : text;
        if (id_)
            table_.idName = header_[*id_];
        for (std::size_t field = 0; field < header_.size(); ++field)
            if (field != set_ && field != id_)
                table_.figures.push_back(
                    {field, header_[field].empty() ? "column " + std::to_string(field + 1) : header_[field]});
    }

    void takeLine(const std::vector<std::string_view>& fields, std::size_t line) {
        const std::string place = table_.file + ", line " + std::to_string(line);
        if (fields.size() != header_.size())
            refuse(place, std::to_string(header_.size()) + " fields", std::to_string(fields.size()));
        table_.lines.push_back(line);
        if (set_)
            table_.sets.emplace_back(trimmed(fields[*set_]));
        if (id_)
            table_.ids.emplace_back(trimmed(fields[*id_]));
        if (id_ && table_.ids.back().empty())
            refuse(place + ", column " + inQuotes(table_.idName), "a sample", "nothing");
        for (Figures& figures : table_.figures) {
            const std::string_view text = trimmed(fields[figures.field]);
            const std::optional<double> number = numberOf(text);
            figures.values.push_back(number.value_or(kNaN));
            figures.numbers += number ? 1 : 0;
            if (number || isMissing(text))
                continue;
            if (figures.texts++ == 0) {
                figures.firstText = text;
                figures.textLine = line;
            }
        }
    }

    Table finished() {
        for (const Figures& figures : table_.figures)
            if (!figures.isText() && figures.texts > 0) {
                const std::string advice = numberAdvice(figures.firstText);
                refuse(table_.file + ", line " + std::to_string(figures.textLine) + ", column " +
                           inQuotes(figures.name),
                       "a number", inQuotes(figures.firstText) + (advice.empty() ? "" : "; " + advice));
            }
        std::erase_if(table_.figures, [](const Figures& figures) { return figures.isText(); });
        if (table_.figures.empty())
            refuse(table_.file, "a column of numbers beside the one that names the samples", "none");
        std::map<std::string, std::size_t> seen;
        for (const Figures& figures : table_.figures)
            if (const auto [first, isNew] = seen.emplace(figures.name, figures.field + 1); !isNew)
                refuse(table_.file, "each column name once",
                       inQuotes(figures.name) + " in columns " + std::to_string(first->second) + " and " +
                           std::to_string(figures.field + 1));
        return std::move(table_);
    }

private:
    Table table_;
    std::vector<std::string> header_;
    std::optional<std::size_t> set_, id_;
};

Table readTable(const std::string& file, const JobContext& job) {
    const InputFile input = InputFile::onDisk(file);
    TableLines lines(input, dialectOf(input));
    if (!lines.next())
        refuse(file, "a line that names the columns, and a row per sample", "no lines");
    const std::vector<std::string> header =
        collected(lines.asWritten(), [](std::string_view field) { return std::string(trimmed(field)); });
    if (std::ranges::all_of(header, [](const std::string& field) { return numberOf(field).has_value(); }))
        refuse(file, "a first line that names the columns", "numbers");
    Reading reading(file, header);
    bool any = false;
    while (lines.next()) {
        job.throwIfStopped();
        if (!std::exchange(any, true))
            reading.takeHeader(lines.fields());
        reading.takeLine(lines.fields(), lines.line());
    }
    if (!any)
        refuse(file, "a line that names the columns, and a row per sample", "1 line");
    return reading.finished();
}

/// Values of the table's columns for one set.
struct Joining {
    SetId set;
    SampleFinder finder;
    std::vector<std::vector<double>> values; ///< by column of numbers
    std::vector<std::size_t> lineOf;         ///< by row of the set: line of the file; 0: none
    std::size_t taken = 0;                   ///< lines of the table so far
    std::size_t unknown = 0;
};

class Join {
public:
    Join(const Table& table, const NamedSets& sets) : table_(table), sets_(sets) {}

    SampleScores run(const std::string& sha256, const JobContext& job) {
        const std::optional<SetId> all = table_.sets.empty() ? std::optional(onlySet()) : std::nullopt;
        for (std::size_t at = 0; at < table_.lines.size(); ++at) {
            if (at % 4096 == 0)
                job.throwIfStopped();
            take(joining(all ? *all : setOf(table_.sets[at], at)), at);
        }
        SampleScores scores;
        for (auto& [set, joined] : joined_) {
            requireRows(joined);
            for (std::size_t column = 0; column < joined.values.size(); ++column)
                scores.parts.push_back({table_.figures[column].name, set,
                                        std::filesystem::path(table_.file).filename().string(), sha256,
                                        std::move(joined.values[column])});
        }
        return scores;
    }

    /// Says what found no partner.
    void note(std::vector<std::string>& notes) const {
        for (const auto& [set, joined] : joined_) {
            const NamedSets::Set& of = named(set);
            const std::size_t rows = of.set->rows();
            const auto without = static_cast<std::size_t>(std::ranges::count(joined.lineOf, std::size_t{0}));
            if (without > 0)
                notes.push_back(fmt::format("{}: {} of {} samples of {} have no row, and no score", table_.file,
                                            without, rows, of.name));
            if (joined.unknown > 0)
                notes.push_back(fmt::format("{}: {} of its rows are of samples that were left out of {}", table_.file,
                                            joined.unknown, of.name));
        }
    }

private:
    const NamedSets::Set& named(SetId set) const { return sets_.sets[static_cast<std::size_t>(set)]; }

    std::string place(std::size_t at, const std::string& column = {}) const {
        return table_.file + ", line " + std::to_string(table_.lines[at]) +
               (column.empty() ? "" : ", column " + inQuotes(column));
    }

    std::string modelNames() const {
        std::string names;
        for (std::size_t set = 1; set < sets_.sets.size() && names.size() < 200; ++set)
            names += (set > 1 ? ", " : "") + printable(sets_.sets[set].name);
        return names;
    }

    /// The set that the rows are of where the table has no column that says so.
    SetId onlySet() const {
        std::vector<SetId> fitting;
        for (std::size_t set = 0; set < sets_.sets.size(); ++set) {
            const EmbeddingSet& candidate = *sets_.sets[set].set;
            const bool fits = table_.ids.empty()
                                  ? table_.lines.size() == fileRows(candidate)
                                  : SampleFinder(candidate, table_.byRow).find(table_.ids.front()).has_value();
            if (fits)
                fitting.push_back(static_cast<SetId>(set));
        }
        if (sets_.usual && std::ranges::find(fitting, *sets_.usual) != fitting.end())
            return *sets_.usual;
        if (fitting.size() > 1) // the synthetic sets are what an audit is of
            std::erase(fitting, SetId::Real);
        if (fitting.size() == 1)
            return fitting.front();
        if (fitting.size() > 1)
            refuse(table_.file, "a column 'model', as several models have such samples (" + modelNames() + ")", "none");
        if (table_.ids.empty())
            refuse(table_.file, "a row for each sample of one of the sets (" + rowCounts() + "), or a column of ids",
                   std::to_string(table_.lines.size()) + " rows");
        refuse(place(0, table_.idName), "a sample of one of the sets (" + modelNames() + ")",
               inQuotes(table_.ids.front()));
    }

    std::string rowCounts() const {
        std::string counts;
        for (const NamedSets::Set& set : sets_.sets)
            if (counts.size() < 200)
                counts += (counts.empty() ? "" : ", ") + printable(set.name) + " " + std::to_string(fileRows(*set.set));
        return counts;
    }

    SetId setOf(const std::string& name, std::size_t at) {
        if (const auto known = byName_.find(name); known != byName_.end())
            return known->second;
        std::vector<std::string> models;
        for (std::size_t set = 1; set < sets_.sets.size(); ++set)
            models.push_back(sets_.sets[set].name);
        std::optional<SetId> found;
        if (const auto model = findName(models, name))
            found = syntheticSet(*model);
        else if (lowerCase(name) == "real" || name == sets_.sets.front().name)
            found = SetId::Real;
        if (!found)
            refuse(place(at), "a model of this audit (" + modelNames() + ") or 'real'", inQuotes(name));
        return byName_[name] = *found;
    }

    Joining& joining(SetId set) {
        const auto known = joined_.find(set);
        if (known != joined_.end())
            return known->second;
        const std::size_t rows = named(set).set->rows();
        return joined_
            .emplace(set, Joining{set, SampleFinder(*named(set).set, table_.byRow),
                                  std::vector(table_.figures.size(), std::vector<double>(rows, kNaN)),
                                  std::vector<std::size_t>(rows)})
            .first->second;
    }

    void take(Joining& joined, std::size_t at) {
        const EmbeddingSet& set = *named(joined.set).set;
        const std::size_t ordinal = joined.taken++;
        const auto row = table_.ids.empty() ? rowOfFileRow(set, ordinal) : joined.finder.find(table_.ids[at]);
        if (!row) {
            // Rows that were left out when the set was read may be in the table.
            const bool dropped = ++joined.unknown <= set.source().droppedRows.size();
            if (dropped || table_.ids.empty())
                return;
            refuse(place(at, table_.idName), joined.finder.expected(named(joined.set).name), inQuotes(table_.ids[at]));
        }
        if (joined.lineOf[*row] != 0)
            refuse(place(at, table_.idName), "each sample once",
                   inQuotes(table_.ids[at]) + " again, as in line " + std::to_string(joined.lineOf[*row]));
        joined.lineOf[*row] = table_.lines[at];
        for (std::size_t column = 0; column < joined.values.size(); ++column)
            joined.values[column][*row] = table_.figures[column].values[at];
    }

    /// Rows without names must be those of the set.
    void requireRows(const Joining& joined) const {
        const std::size_t rows = fileRows(*named(joined.set).set);
        if (table_.ids.empty() && joined.taken != rows)
            refuse(table_.file,
                   "a row for each of the " + std::to_string(rows) + " samples of " + named(joined.set).name +
                       ", or a column of ids",
                   std::to_string(joined.taken) + " rows");
    }

    const Table& table_;
    const NamedSets& sets_;
    std::map<std::string, SetId> byName_;
    std::map<SetId, Joining> joined_;
};

} // namespace

NamedSets NamedSets::of(const AuditResult& audit) {
    NamedSets named;
    named.sets.push_back({audit.real->set->name(), audit.real->set.get()});
    for (const auto& model : audit.models)
        named.sets.push_back({model->name, model->set.get()});
    return named;
}

SampleScores readSampleTable(const std::string& file, const NamedSets& sets, const JobContext& job,
                             std::vector<std::string>* notes) {
    const Table table = readTable(file, job);
    Join join(table, sets);
    SampleScores scores = join.run(sha256OfFile(file, job), job);
    if (notes != nullptr)
        join.note(*notes);
    return scores;
}

} // namespace assay
