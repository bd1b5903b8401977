#include "engine/io/tables/table_layout.h"

#include "engine/base/find_by.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/tables/table_fields.h"
#include "engine/io/tables/table_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kNamedAtMost = 10;

bool isFeature(TableColumns::Role role) {
    using Role = TableColumns::Role;
    return role == Role::Number || role == Role::Category || role == Role::Date;
}

/// Names of `all` that `others` lack.
std::vector<std::string> without(const std::vector<std::string>& all, const std::vector<std::string>& others) {
    std::multiset<std::string_view> left;
    for (const std::string& name : others)
        left.insert(trimmed(name));
    std::vector<std::string> found;
    for (const std::string& name : all)
        if (const auto at = left.find(trimmed(name)); at != left.end())
            left.erase(at);
        else
            found.emplace_back(trimmed(name));
    return found;
}

/// "a column of text 'job' as feature 3, as in the real set"
std::string expectedFeature(const char* what, const std::string& name, std::uint32_t feature) {
    return fmt::format("a column of {}{} as feature {}, as in the real set", what,
                       name.empty() ? std::string() : " " + inQuotes(name), feature + 1);
}

} // namespace

std::string TableColumns::text(std::size_t column) const {
    const std::string number = "column " + std::to_string(column + 1);
    return names.empty() ? number : number + " (" + inQuotes(names[column]) + ")";
}

std::vector<std::size_t> TableColumns::featureColumns() const {
    if (!order.empty())
        return order;
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < roles.size(); ++c)
        if (isFeature(roles[c]))
            columns.push_back(c);
    return columns;
}

bool TableColumns::arrangeAs(const std::vector<std::string>& featureNames) {
    const std::vector<std::size_t> inFile = featureColumns();
    if (names.empty() || featureNames.size() != inFile.size())
        return false;
    std::map<std::string_view, std::size_t> columnOf;
    for (const std::size_t column : inFile)
        columnOf.emplace(trimmed(names[column]), column);
    std::vector<std::size_t> found;
    for (const std::string& name : featureNames) {
        const auto at = columnOf.find(trimmed(name));
        if (at == columnOf.end())
            return false;
        found.push_back(at->second);
        columnOf.erase(at); // a name that occurs twice does not say which column is meant
    }
    if (found == inFile)
        return false;
    order = std::move(found);
    return true;
}

bool TableColumns::has(Role role) const {
    return std::ranges::find(roles, role) != roles.end();
}

std::size_t TableColumns::columnOf(std::uint32_t feature, const std::string& expected, const std::string& place) const {
    const std::vector<std::size_t> all = featureColumns();
    if (feature >= all.size())
        refuse(place, expected, std::to_string(all.size()) + " features");
    return all[feature];
}

void TableColumns::setText(const std::vector<CategoryColumn>& categories, const std::string& place) {
    for (const CategoryColumn& one : categories) {
        const std::string expected = expectedFeature("text", one.name, one.column);
        const std::size_t column = columnOf(one.column, expected, place);
        if (!one.name.empty() && !names.empty() && names[column] != one.name)
            refuse(place, expected, text(column));
        roles[column] = Role::Category;
    }
}

void TableColumns::setDates(const std::vector<DateColumn>& dates, const std::string& place) {
    for (const DateColumn& one : dates)
        roles[columnOf(one.column, expectedFeature("dates", one.name, one.column), place)] = Role::Date;
}

void TableColumns::leaveOut(std::size_t column, Role role) {
    features -= isFeature(roles[column]) ? 1 : 0;
    roles[column] = role;
    std::erase(order, column);
}

void TableColumns::requireSame(const std::vector<std::string>& featureNames, const std::string& place) const {
    std::vector<std::string> own;
    for (const std::size_t column : featureColumns())
        own.push_back(name(column));
    const bool count = std::ranges::all_of(own, [](const std::string& one) { return numberOf(one).has_value(); });
    if (names.empty() || featureNames.empty() || count)
        return;
    const std::vector<std::string> missing = without(featureNames, own);
    const std::vector<std::string> surplus = without(own, featureNames);
    if (missing.empty() && surplus.empty())
        return;
    std::string found;
    if (!missing.empty())
        found = (missing.size() == 1 ? "no column " : "no columns ") + joinedInQuotes(missing, kNamedAtMost);
    if (!surplus.empty())
        found += (found.empty() ? "" : ", and ") + std::string(surplus.size() == 1 ? "a column" : "columns") +
                 " too many: " + joinedInQuotes(surplus, kNamedAtMost);
    refuse(place, "the columns of the real set", found + "; " + std::string(kIgnoreAdvice));
}

namespace {

bool isIgnored(const std::vector<std::string>& ignored, std::string_view name) {
    return std::ranges::any_of(ignored, [&](const std::string& one) { return trimmed(one) == trimmed(name); });
}

/// Gives a role to all columns that are its by their names: to the first one, the others say the same.
template <typename IsOne>
void assign(TableColumns& columns, TableColumns::Role role, const IsOne& isOne, const std::string& place,
            std::vector<std::string>& notes) {
    bool taken = columns.has(role);
    for (std::size_t c = 0; c < columns.roles.size(); ++c) {
        if (columns.said[c] || columns.roles[c] != TableColumns::Role::Number || !isOne(c, lowerCase(columns.names[c])))
            continue;
        columns.roles[c] = taken ? TableColumns::Role::LeftOut : role;
        if (taken)
            notes.push_back(place + ": " + columns.text(c) + " left out, as another one says the same");
        taken = true;
    }
}

/// Gives a column the role that a person said.
void assignSaid(TableColumns& columns, std::size_t column, ColumnKind kind, const std::string& place) {
    columns.said[column] = kind;
    if (kind != ColumnKind::Id && kind != ColumnKind::Label && kind != ColumnKind::Group)
        return;
    if (columns.has(kind))
        refuse(place, "one column of " + std::string(nameOf(kind)) + "s", "another one, " + columns.text(column));
    columns.roles[column] = kind;
}

/// Gives their roles to the columns whose names say what they are.
void assignByNames(TableColumns& columns, const RowsBelow& below, TableRules rules, const std::string& place,
                   std::vector<std::string>& notes) {
    using Role = TableColumns::Role;
    const bool now = rules == TableRules::Current;
    const auto isId = [&](std::size_t c, const std::string& name) {
        return isIdColumn(name, c, rules) || (now && mayBeIdColumn(name) && below[c].texts && !below[c].numbers);
    };
    assign(columns, Role::Id, isId, place, notes);
    const auto isLabel = [&](std::size_t, const std::string& name) { return isLabelColumn(name, rules); };
    assign(columns, Role::Label, isLabel, place, notes);
    if (!now || columns.has(Role::Label))
        return;
    const auto mayBeLabel = [&](std::size_t c, const std::string& name) {
        return mayBeLabelColumn(name) && below.repeats(c);
    };
    assign(columns, Role::Label, mayBeLabel, place, notes);
    for (std::size_t c = 0; c < columns.roles.size(); ++c)
        if (columns.roles[c] == Role::Label)
            notes.push_back(place + ": " + columns.text(c) + " taken as classes, not as a feature");
}

} // namespace

TableColumns columnsOf(const Fields& first, const RowsBelow& below, const ColumnRules& rules, const std::string& place,
                       std::vector<std::string>& notes) {
    using Role = TableColumns::Role;
    TableColumns columns;
    columns.roles.assign(first.size(), Role::Number);
    const bool header = isHeader(first, below, place, notes);
    if (header)
        columns.names.assign(first.begin(), first.end());
    columns.said.resize(first.size());
    for (std::size_t c = 0; c < first.size(); ++c) {
        const std::string name = header ? columns.names[c] : std::to_string(c + 1);
        if (isIgnored(rules.ignored, name)) {
            columns.said[c] = ColumnKind::LeftOut;
            columns.roles[c] = Role::LeftOut;
            notes.push_back(place + ": " + columns.text(c) + " left out");
        } else if (const ColumnChoice* choice = findBy(
                       rules.kinds, [](const ColumnChoice& one) { return trimmed(one.name); }, trimmed(name))) {
            assignSaid(columns, c, choice->kind, place);
        }
    }
    if (header)
        assignByNames(columns, below, rules.rules, place, notes);
    columns.features = static_cast<std::size_t>(std::ranges::count(columns.roles, Role::Number));
    if (columns.features == 0)
        refuse(place, "at least one column of numbers", "none");
    return columns;
}

std::string categoryOf(std::string_view field, bool unitesMissing) {
    return unitesMissing && isAbsent(field) ? "(missing)" : utf8OrEscaped(trimmed(field));
}

} // namespace assay
