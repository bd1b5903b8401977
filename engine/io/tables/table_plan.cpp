#include "engine/io/tables/table_plan.h"

#include "engine/io/files/refusal.h"
#include "engine/io/tables/table_fields.h"
#include "engine/io/tables/table_header.h"
#include "engine/io/tables/table_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

namespace assay {
namespace {

DateOrder onlyOrder(DateOrders orders) {
    return static_cast<DateOrder>(std::countr_zero(orders));
}

} // namespace

/// Kinds of the fields in a table's feature columns, collected row by row.
class TableSurvey {
public:
    /// Limit per column: with more different texts, a column more likely holds names than categories.
    static constexpr std::size_t kMaxCategories = 100;
    /// The same where nobody asked for categories: so many texts, or a twentieth of the rows up to kMaxCategories.
    static constexpr std::size_t kFewCategories = 50;
    /// With fewer rows, whole numbers that run from row to row may do so by chance.
    static constexpr std::size_t kFewestNumbered = 10;

    /// @param columns must outlive this object; features that are left out later are ignored
    /// @param unitesMissing as ValueReading::unitesMissing
    TableSurvey(const TableColumns& columns, bool unitesMissing)
        : columns_(columns), unitesMissing_(unitesMissing), features_(columns.featureColumns()),
          seen_(features_.size()) {
        for (std::size_t f = 0; f < features_.size(); ++f)
            seen_[f].named = !columns_.names.empty() && isRowNumberName(columns_.names[features_[f]]);
    }

    /// Examines the fields of one row.
    void add(const Fields& fields) {
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
    std::size_t rows() const noexcept { return rows_; }

    /// Which columns are taken as categories beside those that a person said are.
    enum class Texts {
        None,
        Clear, ///< of text, but not numbers with a few other fields, which are refused by their line
        All
    };

    /// The columns of categories, with their texts. A note is added for a column of which most fields are numbers.
    /// @throws Error{BadInput} for a column with more than kMaxCategories different texts
    std::vector<CategoryColumn> categories(const std::string& place, Texts texts,
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
    /// Columns of text with too many different texts to be taken as categories unasked, and a sentence on each.
    std::vector<std::pair<std::size_t, std::string>> columnsOfNames() const {
        const std::size_t most = std::clamp(rows_ / 20, kFewCategories, kMaxCategories);
        std::vector<std::pair<std::size_t, std::string>> found;
        for (std::size_t f = 0; f < features_.size(); ++f) {
            if (!columns_.said[features_[f]] && isText(f, Texts::Clear) && seen_[f].texts.size() > most)
                found.emplace_back(features_[f], fmt::format("it is text with more than {} different values", most));
        }
        return found;
    }
    /// The columns of dates and times, without their earliest.
    /// @throws Error{BadInput} for a column of which the order of day and month does not show, or which a person said
    ///         holds dates and does not
    std::vector<DateColumn> dates(const std::string& place) const {
        std::vector<DateColumn> all;
        for (std::size_t f = 0; f < features_.size(); ++f) {
            const Seen& seen = seen_[f];
            const std::string where = place + ", " + columns_.text(features_[f]);
            if (isSaid(f, ColumnKind::Date) && seen.notNumbers > seen.dates)
                refuse(where, "dates, as was said", inQuotes(seen.firstNotNumber, 40) + " and others");
            if (isSaid(f, ColumnKind::Date) && !holdsDates(f))
                refuse(where, "dates such as 2021-10-31, as was said", "numbers");
            if (!holdsDates(f) || !isFeature(f))
                continue;
            if (seen.orders == 0)
                refuse(where, "dates of one form",
                       inQuotes(seen.firstNotNumber, 40) + " and others with day and month in another order");
            if (seen.orders != kAnyDateOrder && std::popcount(seen.orders) > 1)
                refuse(where, "dates that show which number is the month",
                       inQuotes(seen.firstNotNumber, 40) + " and others that may be either; write them as 2021-10-31");
            all.push_back({indexOf(f), columns_.name(features_[f]), 0.0, onlyOrder(seen.orders)});
        }
        return all;
    }
    /// The order by which this file writes the dates of a column of the table: `preferred` where it fits.
    /// @throws Error{BadInput} when no order fits all of its fields
    DateOrder orderLike(std::size_t column, DateOrder preferred, const std::string& place) const {
        const Seen& seen = seenIn(column);
        if (seen.orders == 0)
            refuse(place + ", " + columns_.text(column), "dates of one form",
                   inQuotes(seen.firstNotNumber, 40) + " and others with day and month in another order");
        return (seen.orders & only(preferred)) != 0 ? preferred : onlyOrder(seen.orders);
    }

    /// Columns of the table without a name and without any value, as a separator at the end of each line makes.
    std::vector<std::size_t> blankColumns() const {
        std::vector<std::size_t> found;
        for (std::size_t f = 0; f < features_.size(); ++f)
            if (trimmed(columns_.name(features_[f])).empty() && seen_[f].missing == rows_ && rows_ > 0)
                found.push_back(features_[f]);
        return found;
    }
    /// Columns of the table that number its rows: whole numbers or texts, all different, that run from row to row or
    /// belong to a column named like a number of rows (isRowNumberName).
    std::vector<std::size_t> rowNumbers() const {
        std::vector<std::size_t> found;
        for (std::size_t f = 0; f < features_.size(); ++f)
            if (!columns_.said[features_[f]] &&
                ((rows_ >= kFewestNumbered && seen_[f].runs) || (rows_ > 1 && seen_[f].named)))
                found.push_back(features_[f]);
        return found;
    }
    /// Whether such a column names its rows: it is called an id, or does not only count.
    bool namesRows(std::size_t column) const {
        const Seen& seen = seenIn(column);
        return rows_ > 1 && seen.named && (!seen.runs || endsInId(columns_.name(column)));
    }

private:
    struct Seen {
        std::size_t notNumbers = 0; ///< fields that are neither numbers, truth values nor missing
        std::size_t dates = 0;      ///< of these
        std::size_t missing = 0;
        DateOrders orders = kAnyDateOrder;
        std::string firstNotNumber;
        std::set<std::string, std::less<>> texts; ///< at most kMaxCategories + 1
        bool runs = true;                         ///< whole numbers, each one more than in the row before
        bool named = false;                       ///< the column is named like a number of rows
        double last = 0.0;
        std::set<std::string, std::less<>> different; ///< of columns that are named so
    };

    const Seen& seenIn(std::size_t column) const {
        return seen_[static_cast<std::size_t>(std::ranges::find(features_, column) - features_.begin())];
    }
    bool isFeature(std::size_t feature) const {
        const TableColumns::Role role = columns_.roles[features_[feature]];
        return role != TableColumns::Role::LeftOut && role != TableColumns::Role::Id;
    }
    bool isText(std::size_t feature, Texts texts) const {
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
    /// Index of a feature among those that are features now.
    std::uint32_t indexOf(std::size_t feature) const {
        std::uint32_t index = 0;
        for (std::size_t f = 0; f < feature; ++f)
            index += isFeature(f) ? 1 : 0;
        return index;
    }
    void addToRun(Seen& seen, std::string_view field) const {
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
    bool holdsDates(std::size_t feature) const {
        const Seen& seen = seen_[feature];
        return seen.dates > 0 && seen.dates + seen.missing == rows_ && !isSaid(feature, ColumnKind::Number) &&
               !isSaid(feature, ColumnKind::Category);
    }
    bool isSaid(std::size_t feature, ColumnKind kind) const { return columns_.said[features_[feature]] == kind; }
    /// "1 of 200 fields is no number ('?')"; empty where half of the fields and more are none.
    std::string fewNotNumbers(const Seen& seen) const {
        if (2 * seen.notNumbers >= rows_)
            return {};
        return fmt::format("{} of {} fields {} no {} ('{}'{})", seen.notNumbers, rows_,
                           seen.notNumbers == 1 ? "is" : "are", seen.notNumbers == 1 ? "number" : "numbers",
                           printable(seen.firstNotNumber, 40), seen.notNumbers == 1 ? "" : ", ...");
    }

    const TableColumns& columns_;
    bool unitesMissing_;
    std::vector<std::size_t> features_;
    std::vector<Seen> seen_; ///< one per feature
    std::size_t rows_ = 0;
};

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
    facts.columns = plan.keys();
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

std::vector<std::string> TablePlan::columnKeys(const InputFile& input) {
    TablePlan plan(input);
    plan.findColumns();
    return plan.keys();
}

std::vector<std::string> TablePlan::keys() const {
    std::vector<std::string> keys;
    for (std::size_t c = 0; c < columns_.roles.size(); ++c)
        keys.push_back(keyOf(c));
    return keys;
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
        note("text taken as categories: " +
             joined(
                 categories_, ", ",
                 [](const CategoryColumn& one) {
                     return (one.name.empty() ? "feature " + std::to_string(one.column + 1) : inQuotes(one.name)) +
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
