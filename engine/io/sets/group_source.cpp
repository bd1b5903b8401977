#include "engine/io/sets/group_source.h"

#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/io/files/refusal.h"
#include "engine/io/readers/format_table.h"
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

std::string_view stemOfId(std::string_view id) {
    constexpr std::string_view kDigits = "0123456789";
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    // Pictures are called by their files: an ending holds a letter.
    constexpr std::size_t kLongestEnding = 5;
    const std::size_t dot = id.rfind('.');
    if (dot != std::string_view::npos && id.size() - dot <= kLongestEnding &&
        id.find_first_of(kLetters, dot) != std::string_view::npos)
        id = id.substr(0, dot);
    const std::size_t digits = id.find_last_not_of(kDigits);
    if (digits == std::string_view::npos || digits + 1 == id.size())
        return {};
    const std::size_t word = id.find_last_not_of(kLetters, digits);
    constexpr std::string_view kSeparators = "_-.:# ";
    if (word == std::string_view::npos || kSeparators.find(id[word]) == std::string_view::npos)
        return {};
    const std::size_t last = id.find_last_not_of(kSeparators, word);
    return last == std::string_view::npos || id[last] == '/' ? std::string_view() : id.substr(0, last + 1);
}

ClassLabels groupsOfIds(std::span<const std::string> ids) {
    ClassLabels groups =
        labelsFromText(collected(ids, [](const std::string& id) { return std::string(stemOfId(id)); }));
    const std::vector<std::uint32_t> counts = groups.counts();
    for (std::uint32_t code = 0; code < counts.size(); ++code)
        if (groups.isClass(code) && counts[code] > 1)
            return groups;
    return {};
}

bool areLikelyGroups(const ClassLabels& ofIds) {
    constexpr std::size_t kFewest = 10;
    const std::vector<std::uint32_t> counts = ofIds.counts();
    std::size_t sharing = 0;
    std::size_t largest = 0;
    for (std::uint32_t code = 0; code < counts.size(); ++code)
        if (ofIds.isClass(code)) {
            sharing += counts[code] > 1 ? counts[code] : 0;
            largest = std::max<std::size_t>(largest, counts[code]);
        }
    const std::size_t rows = ofIds.code.size();
    return ofIds.classCount() >= kFewest && 2 * sharing >= rows && 10 * largest <= rows;
}

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
    if (files.groups == kGroupsOfIds)
        return {.isIds = true};
    refuse(place, "a column of its table or of its labels, a file, or 'ids', for its groups",
           inQuotes(files.groups) +
               (columns.empty() ? std::string(", which is neither") : "; there are " + joinedInQuotes(columns, 20)));
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
            files.note += (files.note.empty() ? "" : "; ") + files.embeddings + ": no column " + inQuotes(column, 40) +
                          ", so its samples have no groups";
        else if (!isRecorded || !ownsGroupColumn(files, column))
            files.groups = column;
    };
    take(real);
    for (SetFiles* files : others)
        take(*files);
    if (!any)
        refuse("--groups", "the name of a column of a set's table or labels, or a file", inQuotes(column));
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
