#include "engine/io/sets/table_choices.h"

#include "engine/base/error.h"
#include "engine/io/files/file_spec.h"
#include "engine/io/files/joined.h"
#include "engine/io/files/refusal.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/readers/formats.h"
#include "engine/io/tables/table_numbers.h"
#include "engine/io/tables/table_plan.h"

#include <algorithm>
#include <optional>
#include <string>

namespace assay {
namespace {

/// Nothing for a file that is no table or cannot be read.
/// @param isRead set to false for one that cannot be read
std::optional<TableFacts> factsOf(const SetFiles& files, const PreparationChoice& choice, const JobContext& job,
                                  bool& isRead) {
    try {
        const FileSpec spec = parseFileSpec(files.embeddings);
        InputFile input = InputFile::onDisk(spec.file);
        if (formatOf(input).read != readTable)
            return std::nullopt;
        input.setReading(readingFor(choice));
        return TablePlan::facts(input, job);
    } catch (const Error&) {
        isRead = false;
        return std::nullopt;
    }
}

void addNames(std::vector<std::string>& names, const std::vector<std::string>& more) {
    for (const std::string& name : more)
        if (std::ranges::find(names, name) == names.end())
            names.push_back(name);
}

} // namespace

PreparationChoice completedChoice(const PreparationChoice& choice, const std::vector<SetFiles>& sets,
                                  const JobContext& job) {
    std::vector<std::string> columns;
    bool all = true;
    bool areRead = true;
    bool anyTable = false;
    PreparationChoice completed = choice;
    for (const SetFiles& files : sets) {
        const std::optional<TableFacts> facts = factsOf(files, choice, job.silent(), areRead);
        all = all && facts;
        if (!facts)
            continue;
        anyTable = true;
        addNames(columns, facts->columns);
        addNames(completed.rowNumbers, facts->rowNumbers);
        if (choice.missing == Missing::Indicate || (choice.fillsGaps && facts->isTable))
            addNames(completed.withMissing, facts->withMissing);
    }
    if (choice.fillsGaps && choice.missing == Missing::Refuse && !completed.withMissing.empty())
        completed.missing = Missing::Indicate;
    const auto isColumn = [&](const std::string& name) {
        return std::ranges::any_of(columns, [&](const std::string& one) { return trimmed(one) == trimmed(name); });
    };
    if (choice.oneHot && areRead && !anyTable)
        refuse("--one-hot", "a table among the sets", "none: it is for columns of text");
    const auto requireColumn = [&](const char* option, const std::string& name) {
        if (!isColumn(name) && areRead && (all || columns.empty()))
            refuse(option, "the name of a column of any of the tables",
                   "'" + printable(name) + "'" +
                       (columns.empty()
                            ? " and no table"
                            : "; there are " +
                                  joined(
                                      columns, ", ",
                                      [](const std::string& one) { return "'" + printable(one, 40) + "'"; }, 20)));
    };
    for (const std::string& name : choice.ignoredColumns)
        requireColumn("--ignore-columns", name);
    for (const ColumnChoice& one : choice.columnKinds)
        requireColumn("--columns", one.name);
    return completed;
}

} // namespace assay
