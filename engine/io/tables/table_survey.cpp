#include "engine/io/tables/table_survey.h"

#include "engine/io/files/refusal.h"
#include "engine/io/tables/column_advice.h"
#include "engine/io/tables/table_categories.h"
#include "engine/io/tables/table_columns.h"
#include "engine/io/tables/table_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace assay {
namespace {

DateOrder onlyOrder(DateOrders orders) {
    return static_cast<DateOrder>(std::countr_zero(orders));
}

} // namespace

TableSurvey::TableSurvey(const TableColumns& columns, bool unitesMissing)
    : columns_(columns), unitesMissing_(unitesMissing), features_(columns.featureColumns()), seen_(features_.size()) {
    for (std::size_t f = 0; f < features_.size(); ++f)
        seen_[f].named = !columns_.names.empty() && isRowNumberName(columns_.names[features_[f]]);
}

void TableSurvey::add(const Fields& fields) {
    ++rows_;
    for (std::size_t f = 0; f < features_.size(); ++f) {
        const std::string_view field = fields[features_[f]];
        Seen& seen = seen_[f];
        addToRun(seen, field);
        if (isAbsent(field))
            ++seen.missing;
        else if (!numberOf(field) && !isMissing(field) && !truthOf(field)) {
            if (seen.notNumbers++ == 0)
                seen.firstNotNumber = trimmed(field);
            const DateOrders orders = seen.dates + 1 == seen.notNumbers ? dateOrdersOf(field) : DateOrders{0};
            const bool isDate = seen.dates + 1 == seen.notNumbers && (orders != 0);
            seen.dates += isDate ? 1 : 0;
            if (isDate)
                seen.orders &= orders;
        }
        if (seen.texts.size() <= kMaxCategories && !seen.texts.contains(trimmed(field)))
            seen.texts.emplace(trimmed(field));
    }
}

void TableSurvey::addToRun(Seen& seen, std::string_view field) const {
    if (seen.runs) {
        const std::optional<double> number = numberOf(field);
        seen.runs = number && *number == std::floor(*number) && (rows_ == 1 || *number == seen.last + 1.0);
        seen.last = number.value_or(0.0);
    }
    if (seen.named) {
        const std::optional<double> number = numberOf(field);
        seen.named = !isMissing(field) && (!number || *number == std::floor(*number)) &&
                     seen.different.emplace(trimmed(field)).second;
    }
}

std::string TableSurvey::fewNotNumbers(const Seen& seen) const {
    if (2 * seen.notNumbers >= rows_)
        return {};
    return fmt::format("{} of {} fields {} no {} ('{}'{})", seen.notNumbers, rows_, seen.notNumbers == 1 ? "is" : "are",
                       seen.notNumbers == 1 ? "number" : "numbers", printable(seen.firstNotNumber, 40),
                       seen.notNumbers == 1 ? "" : ", ...");
}

std::vector<CategoryColumn> TableSurvey::categories(const std::string& place, Texts texts,
                                                    std::vector<std::string>& notes) const {
    std::vector<CategoryColumn> all;
    for (std::size_t f = 0; f < features_.size(); ++f) {
        if (!isText(f, texts))
            continue;
        const std::string where = place + ", " + columns_.text(features_[f]);
        const std::string few = fewNotNumbers(seen_[f]);
        if (seen_[f].texts.size() > kMaxCategories)
            refuse(where, "at most " + std::to_string(kMaxCategories) + " different texts for categories",
                   few.empty()
                       ? "more; " + std::string(kIgnoreAdvice)
                       : "more, because " + few +
                             "; leave those fields empty and add --missing drop or --missing indicate, or leave "
                             "the column out (--ignore-columns)");
        if (!few.empty() && seen_[f].notNumbers > 0)
            notes.push_back(fmt::format("{}: its numbers are categories, because {}", where, few));
        CategoryColumn column{indexOf(f), columns_.name(features_[f]), {}};
        std::set<std::string> different;
        for (const std::string& text : seen_[f].texts)
            different.insert(categoryOf(text, unitesMissing_));
        column.categories.assign(different.begin(), different.end());
        all.push_back(std::move(column));
    }
    return all;
}

std::vector<std::pair<std::size_t, std::string>> TableSurvey::columnsOfNames() const {
    const std::size_t most = std::clamp(rows_ / 20, kFewCategories, kMaxCategories);
    std::vector<std::pair<std::size_t, std::string>> found;
    for (std::size_t f = 0; f < features_.size(); ++f) {
        if (!columns_.said[features_[f]] && isText(f, Texts::Clear) && seen_[f].texts.size() > most)
            found.emplace_back(features_[f], fmt::format("it is text with more than {} different values", most));
    }
    return found;
}

std::vector<DateColumn> TableSurvey::dates(const std::string& place) const {
    std::vector<DateColumn> all;
    for (std::size_t f = 0; f < features_.size(); ++f) {
        const Seen& seen = seen_[f];
        const std::string where = place + ", " + columns_.text(features_[f]);
        if (isSaid(f, ColumnKind::Date) && seen.notNumbers > seen.dates)
            refuse(where, "dates, as was said", "'" + printable(seen.firstNotNumber, 40) + "' and others");
        if (isSaid(f, ColumnKind::Date) && !holdsDates(f))
            refuse(where, "dates such as 2021-10-31, as was said", "numbers");
        if (!holdsDates(f) || !isFeature(f))
            continue;
        if (seen.orders == 0)
            refuse(where, "dates of one form",
                   "'" + printable(seen.firstNotNumber, 40) + "' and others with day and month in another order");
        if (seen.orders != kAnyDateOrder && std::popcount(seen.orders) > 1)
            refuse(where, "dates that show which number is the month",
                   "'" + printable(seen.firstNotNumber, 40) +
                       "' and others that may be either; write them as 2021-10-31");
        all.push_back({indexOf(f), columns_.name(features_[f]), 0.0, onlyOrder(seen.orders)});
    }
    return all;
}

DateOrder TableSurvey::orderLike(std::size_t column, DateOrder preferred, const std::string& place) const {
    const Seen& seen = seenIn(column);
    if (seen.orders == 0)
        refuse(place + ", " + columns_.text(column), "dates of one form",
               "'" + printable(seen.firstNotNumber, 40) + "' and others with day and month in another order");
    return (seen.orders & only(preferred)) != 0 ? preferred : onlyOrder(seen.orders);
}

bool TableSurvey::isFeature(std::size_t feature) const {
    const TableColumns::Role role = columns_.roles[features_[feature]];
    return role != TableColumns::Role::LeftOut && role != TableColumns::Role::Id;
}

bool TableSurvey::isText(std::size_t feature, Texts texts) const {
    const Seen& seen = seen_[feature];
    if (!isFeature(feature) || isSaid(feature, ColumnKind::Number))
        return false;
    if (isSaid(feature, ColumnKind::Category))
        return true;
    if (texts == Texts::None || seen.notNumbers == 0 || holdsDates(feature))
        return false;
    constexpr std::size_t kFew = 20; // one in so many rows
    return texts == Texts::All || (kFew * seen.notNumbers > rows_ && numberAdvice(seen.firstNotNumber).empty());
}

bool TableSurvey::holdsDates(std::size_t feature) const {
    const Seen& seen = seen_[feature];
    return seen.dates > 0 && seen.dates + seen.missing == rows_ && !isSaid(feature, ColumnKind::Number) &&
           !isSaid(feature, ColumnKind::Category);
}

std::uint32_t TableSurvey::indexOf(std::size_t feature) const {
    std::uint32_t index = 0;
    for (std::size_t f = 0; f < feature; ++f)
        index += isFeature(f) ? 1 : 0;
    return index;
}

std::vector<std::size_t> TableSurvey::blankColumns() const {
    std::vector<std::size_t> found;
    for (std::size_t f = 0; f < features_.size(); ++f)
        if (trimmed(columns_.name(features_[f])).empty() && seen_[f].missing == rows_ && rows_ > 0)
            found.push_back(features_[f]);
    return found;
}

std::vector<std::size_t> TableSurvey::rowNumbers() const {
    std::vector<std::size_t> found;
    for (std::size_t f = 0; f < features_.size(); ++f)
        if (!columns_.said[features_[f]] &&
            ((rows_ >= kFewestNumbered && seen_[f].runs) || (rows_ > 1 && seen_[f].named)))
            found.push_back(features_[f]);
    return found;
}

bool TableSurvey::namesRows(std::size_t column) const {
    const Seen& seen = seenIn(column);
    return rows_ > 1 && seen.named && (!seen.runs || endsInId(columns_.name(column)));
}

const TableSurvey::Seen& TableSurvey::seenIn(std::size_t column) const {
    return seen_[static_cast<std::size_t>(std::ranges::find(features_, column) - features_.begin())];
}

} // namespace assay
