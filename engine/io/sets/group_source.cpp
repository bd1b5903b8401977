#include "engine/io/sets/group_source.h"

#include "engine/base/error.h"
#include "engine/io/files/refusal.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/readers/formats.h"
#include "engine/io/sets/read_labels.h"
#include "engine/io/tables/table_fields.h"
#include "engine/io/tables/table_plan.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace assay {
namespace {

/// Names of the columns of the set's own table, or their numbers from 1; none when it is no table or cannot be read.
std::vector<std::string> ownColumns(const SetFiles& files) {
    try {
        const FileSpec spec = parseFileSpec(files.embeddings);
        const InputFile input = InputFile::onDisk(spec.file);
        return formatOf(input).read == readTable ? TablePlan::columnKeys(input) : std::vector<std::string>();
    } catch (const Error&) { // reading the set reports it
        return {};
    }
}

bool hasColumn(const std::vector<std::string>& columns, const std::string& name) {
    return std::ranges::find(columns, trimmed(name)) != columns.end();
}

} // namespace

bool ownsGroupColumn(const SetFiles& files, const std::string& column) {
    return hasColumn(ownColumns(files), column);
}

bool hasGroupColumn(const SetFiles& files, const std::string& column) {
    return ownsGroupColumn(files, column) || (!files.labels.empty() && hasColumn(columnsOfTable(files.labels), column));
}

GroupSource groupSourceOf(const SetFiles& files, const std::string& place) {
    std::vector<std::string> columns = ownColumns(files);
    if (hasColumn(columns, files.groups))
        return {.isOwnColumn = true};
    const FileSpec file = parseFileSpec(files.groups);
    std::error_code ignored;
    if (std::filesystem::exists(file.file, ignored))
        return {.file = file};
    if (!files.labels.empty()) {
        const std::vector<std::string> ofLabels = columnsOfTable(files.labels);
        if (hasColumn(ofLabels, files.groups))
            return {.file = {parseFileSpec(files.labels).file, files.groups}};
        columns.insert(columns.end(), ofLabels.begin(), ofLabels.end());
    }
    refuse(place, "a column of its table or of its labels, or a file, for its groups",
           "'" + printable(files.groups) + "'" +
               (columns.empty()
                    ? std::string(", which is neither")
                    : "; there are " + joined(
                                           columns, ", ",
                                           [](const std::string& one) { return "'" + printable(one, 40) + "'"; }, 20)));
}

void takeCommonGroups(const std::string& column, SetFiles& real, std::span<SetFiles* const> others,
                      PreparationChoice& choice) {
    const bool hasReal = !real.embeddings.empty();
    if (hasReal && real.groups.empty() && !hasGroupColumn(real, column)) {
        real.groups = column; // reading it says which columns there are
        return;
    }
    const bool isRecorded = hasReal && ownsGroupColumn(real, column);
    if (isRecorded)
        setColumnKind(choice, column, ColumnKind::Group);
    bool any = hasReal;
    const auto take = [&](SetFiles& files) {
        const bool has = hasGroupColumn(files, column);
        any = any || has;
        if (!files.groups.empty() || files.embeddings.empty())
            return;
        if (!has)
            files.note += (files.note.empty() ? "" : "; ") + files.embeddings + ": no column '" +
                          printable(column, 40) + "', so its samples have no groups";
        else if (!isRecorded || !ownsGroupColumn(files, column))
            files.groups = column;
    };
    take(real);
    for (SetFiles* files : others)
        take(*files);
    if (!any)
        refuse("--groups", "the name of a column of a set's table or labels, or a file", "'" + printable(column) + "'");
}

void takeGroupColumn(ValueReading& reading, const SetFiles& files) {
    if (files.groups.empty() || !hasColumn(ownColumns(files), files.groups))
        return;
    std::erase_if(reading.columnKinds, [&](const ColumnChoice& one) {
        return one.kind == ColumnKind::Group || trimmed(one.name) == trimmed(files.groups);
    });
    reading.columnKinds.push_back({files.groups, ColumnKind::Group});
}

} // namespace assay
