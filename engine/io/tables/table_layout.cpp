#include "engine/io/tables/table_layout.h"

#include "engine/io/files/refusal.h"
#include "engine/io/tables/table_columns.h"
#include "engine/io/tables/table_numbers.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace assay {

std::string TableColumns::text(std::size_t column) const {
    const std::string number = "column " + std::to_string(column + 1);
    return names.empty() ? number : number + " ('" + printable(names[column]) + "')";
}

std::vector<std::size_t> TableColumns::featureColumns() const {
    if (!order.empty())
        return order;
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < roles.size(); ++c)
        if (roles[c] == Role::Number || roles[c] == Role::Text)
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

void TableColumns::setText(const std::vector<CategoryColumn>& categories, const std::string& place) {
    const std::vector<std::size_t> all = featureColumns();
    for (const CategoryColumn& one : categories) {
        const std::string expected = "a column of text" +
                                     (one.name.empty() ? std::string() : " '" + printable(one.name) + "'") +
                                     " as feature " + std::to_string(one.column + 1) + ", as in the real set";
        if (one.column >= all.size())
            refuse(place, expected, std::to_string(all.size()) + " features");
        const std::size_t column = all[one.column];
        if (!one.name.empty() && !names.empty() && names[column] != one.name)
            refuse(place, expected, text(column));
        roles[column] = Role::Text;
    }
}

TableColumns columnsOf(const Fields& first, const RowsBelow& below, const std::string& place,
                       std::vector<std::string>& notes) {
    using Role = TableColumns::Role;
    TableColumns columns;
    columns.roles.assign(first.size(), Role::Number);
    if (isHeader(first, below, place, notes)) {
        columns.names.assign(first.begin(), first.end());
        const auto assign = [&](Role role, auto isOne) {
            bool taken = false;
            for (std::size_t c = 0; c < first.size(); ++c) {
                if (!isOne(c, lowerCase(first[c])))
                    continue;
                columns.roles[c] = taken ? Role::LeftOut : role;
                if (taken)
                    notes.push_back(place + ": " + columns.text(c) + " left out, as another one says the same");
                taken = true;
            }
        };
        assign(Role::Id, [](std::size_t c, const std::string& name) { return isIdColumn(name, c); });
        assign(Role::Label, [](std::size_t, const std::string& name) { return isLabelColumn(name); });
    }
    columns.features = static_cast<std::size_t>(std::ranges::count(columns.roles, Role::Number));
    if (columns.features == 0)
        refuse(place, "at least one column of numbers", "none");
    return columns;
}

} // namespace assay
