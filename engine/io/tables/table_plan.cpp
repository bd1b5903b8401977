#include "engine/io/tables/table_plan.h"

#include "engine/io/files/joined.h"
#include "engine/io/files/refusal.h"
#include "engine/io/tables/column_advice.h"
#include "engine/io/tables/table_columns.h"
#include "engine/io/tables/table_dates.h"
#include "engine/io/tables/table_numbers.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace assay {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

} // namespace

TablePlan TablePlan::of(const InputFile& input, const JobContext& job) {
    TablePlan plan(input);
    plan.findColumns();
    plan.findRoles(job.silent());
    plan.findEarliest(job.silent());
    return plan;
}

TableFacts TablePlan::facts(const InputFile& input, const JobContext& job) {
    TablePlan plan(input);
    plan.findColumns();
    TableFacts facts;
    for (std::size_t c = 0; c < plan.columns_.roles.size(); ++c)
        facts.columns.push_back(plan.keyOf(c));
    if (plan.needsSurvey())
        for (const std::size_t column : plan.surveyed(job.part({}, 0.0, 0.5)).rowNumbers()) {
            facts.rowNumbers.push_back(plan.keyOf(column));
            plan.columns_.leaveOut(column);
        }
    facts.isTable = plan.isTable();
    if (facts.isTable || plan.reading_.notFinite != ValueReading::NotFinite::Refused)
        facts.withMissing = plan.columnsWithGaps(job.part({}, 0.5, 1.0));
    return facts;
}

bool TablePlan::isTable() const {
    std::vector<std::string> names;
    for (const std::size_t column : columns_.featureColumns())
        names.push_back(columns_.name(column));
    return !columns_.names.empty() && !areEmbeddingNames(names);
}

/// The features with missing values; without names their numbers among the features.
std::vector<std::string> TablePlan::columnsWithGaps(const JobContext& job) {
    const std::vector<std::size_t> features = columns_.featureColumns();
    std::vector<bool> hasGap(features.size(), false);
    forEachLine(job, [&](const Fields& fields, const Fields&) {
        for (std::size_t f = 0; f < features.size(); ++f)
            hasGap[f] = hasGap[f] || isAbsent(fields[features[f]]);
    });
    std::vector<std::string> names;
    for (std::size_t f = 0; f < features.size(); ++f)
        if (hasGap[f])
            names.push_back(columns_.names.empty() ? std::to_string(f + 1) : keyOf(features[f]));
    return names;
}

std::string TablePlan::keyOf(std::size_t column) const {
    return columns_.names.empty() ? std::to_string(column + 1) : std::string(trimmed(columns_.names[column]));
}

bool TablePlan::isIn(const std::vector<std::string>& names, std::size_t column) const {
    const std::string key = keyOf(column);
    return std::ranges::any_of(names, [&](const std::string& name) { return trimmed(name) == key; });
}

void TablePlan::findColumns() {
    TableLines lines(input_, dialect_);
    if (!lines.next())
        refuse(input_.name(), "lines of numbers", "none");
    line_ = lines.line();
    const Fields& first = lines.fields();
    if (lines.fieldCount() > TableReader::kMaxColumns)
        refuse(place(), "at most " + std::to_string(TableReader::kMaxColumns) + " columns",
               std::to_string(lines.fieldCount()));
    if (dialect_.namesRows)
        note(
            "its first line names one column less than the lines below have, so that their first field is taken as the "
            "name of the row");
    below_ = readRowsBelow(input_, first, dialect_);
    columns_ =
        columnsOf(first, below_, {reading_.ignoredColumns, reading_.columnKinds, reading_.tableRules}, place(), notes_);
}

/// Whether the first rows do not tell what all columns are.
bool TablePlan::needsSurvey() const {
    if (reading_.text == ValueReading::Text::Found)
        return true;
    if (reading_.tableRules == TableRules::First)
        return false;
    return std::ranges::any_of(columns_.featureColumns(), [&](std::size_t c) {
        if (columns_.said[c] && columns_.said[c] != ColumnKind::Number)
            return true;
        const RowsBelow::Column& column = below_[c];
        return column.dates || column.texts || column.runs || !column.numbers || isRowNumberName(columns_.name(c));
    });
}

TableSurvey TablePlan::surveyed(const JobContext& job) {
    TableSurvey survey(columns_, reading_.unitesMissing);
    forEachLine(job, [&](const Fields& fields, const Fields&) { survey.add(fields); });
    return survey;
}

/// Decides what each column is: by the whole table, or as the real set's columns are.
void TablePlan::findRoles(const JobContext& job) {
    const std::string head = place();
    std::optional<TableSurvey> survey;
    if (needsSurvey())
        survey.emplace(surveyed(job));
    if (reading_.tableRules == TableRules::Current) {
        leaveOut(survey);
        columns_.requireSame(reading_.featureNames, head);
    }
    for (const std::size_t c : columns_.featureColumns())
        if (mayBeWeight(columns_.name(c)) && !columns_.said[c] && isTable())
            note(columns_.text(c) + " taken as a feature; if it weighs the samples, leave it out (" +
                 std::string(kIgnoreAdvice) + ")");
    if (columns_.arrangeAs(reading_.featureNames))
        note("columns taken by their names, in the order of the real set");
    categories_ = reading_.categories;
    if (survey)
        findCategories(*survey);
    if (reading_.dates)
        dates_ = *reading_.dates;
    else if (survey)
        dates_ = survey->dates(input_.name());
    columns_.setText(categories_, head);
    columns_.setDates(dates_, head);
    const std::vector<std::size_t> all = columns_.featureColumns();
    for (const DateColumn& one : dates_)
        orders_.push_back(survey ? survey->orderLike(all[one.column], one.order, input_.name()) : one.order);
}

/// Of the real set: which columns of text are categories.
void TablePlan::findCategories(const TableSurvey& survey) {
    using Texts = TableSurvey::Texts;
    if (reading_.text == ValueReading::Text::AsKnown)
        return;
    const bool unasked = reading_.text == ValueReading::Text::Automatic && isTable();
    for (const auto& [column, why] : unasked ? survey.columnsOfNames() : decltype(survey.columnsOfNames())()) {
        if (columns_.features < 2) // refused by what it holds
            return;
        note(columns_.text(column) + " left out: " + why);
        columns_.leaveOut(column);
        leftOutTexts_.push_back(keyOf(column));
    }
    const Texts texts = unasked ? Texts::Clear : reading_.text == ValueReading::Text::Found ? Texts::All : Texts::None;
    categories_ = survey.categories(input_.name(), texts, notes_);
    if (unasked && !categories_.empty())
        note("text taken as categories: " + joined(
                                                categories_, ", ",
                                                [](const CategoryColumn& one) {
                                                    return (one.name.empty()
                                                                ? "feature " + std::to_string(one.column + 1)
                                                                : "'" + printable(one.name) + "'") +
                                                           " (" + std::to_string(one.categories.size()) + ")";
                                                },
                                                20));
}

/// Leaves out what is no feature: numbers of rows, and columns with neither a name nor values.
void TablePlan::leaveOut(const std::optional<TableSurvey>& survey) {
    std::vector<std::size_t> numbers = survey ? survey->rowNumbers() : std::vector<std::size_t>();
    if (reading_.dates) // a model's column that is a feature of the real set stays one
        std::erase_if(numbers, [&](std::size_t c) {
            return reading_.featureNames.empty() || columns_.names.empty() || isIn(reading_.featureNames, c);
        });
    for (const std::size_t c : columns_.featureColumns())
        if (isIn(reading_.rowNumbers, c) && std::ranges::find(numbers, c) == numbers.end())
            numbers.push_back(c);
    for (const std::size_t c : survey ? survey->blankColumns() : std::vector<std::size_t>()) {
        if (columns_.features < 2)
            break;
        note(columns_.text(c) + " left out: it has neither a name nor values");
        columns_.leaveOut(c);
    }
    leaveOutRowNumbers(numbers, survey);
}

void TablePlan::leaveOutRowNumbers(const std::vector<std::size_t>& found, const std::optional<TableSurvey>& survey) {
    rowNumbers_ = reading_.rowNumbers;
    for (const std::size_t c : found) {
        if (columns_.features < 2) // nothing else could be scored
            return;
        const bool ids = survey && survey->namesRows(c) && !columns_.has(TableColumns::Role::Id);
        note(columns_.text(c) + (ids ? " taken as ids: it names the rows and is no feature"
                                     : " left out: it numbers the rows and is no feature"));
        columns_.leaveOut(c, ids ? TableColumns::Role::Id : TableColumns::Role::LeftOut);
        if (!isIn(rowNumbers_, c))
            rowNumbers_.push_back(keyOf(c));
    }
}

/// Finds the earliest date of each column of the real set.
void TablePlan::findEarliest(const JobContext& job) {
    if (reading_.dates || dates_.empty())
        return;
    const std::vector<std::size_t> all = columns_.featureColumns();
    std::vector<double> earliest(dates_.size(), kNever);
    forEachLine(job, [&](const Fields& fields, const Fields&) {
        for (std::size_t d = 0; d < dates_.size(); ++d)
            earliest[d] = std::min(earliest[d], daysOf(fields[all[dates_[d].column]], orders_[d]).value_or(kNever));
    });
    for (std::size_t d = 0; d < dates_.size(); ++d) {
        dates_[d].earliest = earliest[d];
        note(columns_.text(all[dates_[d].column]) + " taken as days since the earliest, " + dateText(earliest[d]));
    }
}

std::optional<double> TablePlan::days(std::string_view field, std::size_t date) const {
    const std::optional<double> found = daysOf(field, orders_[date]);
    return found ? std::optional(*found - dates_[date].earliest) : std::nullopt;
}

void TablePlan::requireLength(std::size_t fields) const {
    if (fields != columns_.roles.size())
        refuse(place(), std::to_string(columns_.roles.size()) + " fields, as in the first line",
               std::to_string(fields));
}

} // namespace assay
