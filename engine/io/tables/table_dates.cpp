#include "engine/io/tables/table_dates.h"

#include "engine/io/tables/table_columns.h"
#include "engine/io/tables/table_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace assay {
namespace {

constexpr double kSecondsPerDay = 86'400.0;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Takes pieces from the front of a text.
class Scanner {
public:
    explicit Scanner(std::string_view text) : left_(text) {}

    bool atEnd() const { return left_.empty(); }
    char front() const { return left_.empty() ? '\0' : left_.front(); }
    bool take(char c) {
        if (front() != c || left_.empty())
            return false;
        left_.remove_prefix(1);
        return true;
    }
    void skipBlanks() {
        while (take(' ')) {
        }
    }
    /// A number of at most `most` digits; empty when there are none or more. @param digits receives their number
    std::optional<int> number(std::size_t most, std::size_t& digits) {
        digits = 0;
        int value = 0;
        while (digits < left_.size() && isDigit(left_[digits])) {
            if (digits == most)
                return std::nullopt;
            value = 10 * value + (left_[digits++] - '0');
        }
        left_.remove_prefix(digits);
        return digits > 0 ? std::optional(value) : std::nullopt;
    }
    std::string_view word() {
        std::size_t length = 0;
        while (length < left_.size() && ((left_[length] | 0x20) >= 'a' && (left_[length] | 0x20) <= 'z'))
            ++length;
        const std::string_view word = left_.substr(0, length);
        left_.remove_prefix(length);
        return word;
    }

private:
    std::string_view left_;
};

/// Numbers of a date as they stand in the text.
struct DateFields {
    std::array<int, 3> numbers{};
    DateOrders orders = 0; ///< that the form allows; the values decide on the rest
};

/// 1 for January; 0 for other words.
int monthOf(std::string_view word) {
    constexpr std::array<std::string_view, 12> kMonths{"january",   "february", "march",    "april",
                                                       "may",       "june",     "july",     "august",
                                                       "september", "october",  "november", "december"};
    const std::string name = lowerCase(word);
    for (std::size_t m = 0; m < kMonths.size(); ++m)
        if (name == kMonths[m] || name == kMonths[m].substr(0, 3) || (name == "sept" && m == 8))
            return static_cast<int>(m) + 1;
    return 0;
}

bool takeGap(Scanner& scan) {
    const bool dash = scan.take('-') || scan.take(',') || scan.take('.');
    const bool blank = scan.front() == ' ';
    scan.skipBlanks();
    return dash || blank;
}

/// "Oct 1, 2021"; of "1 Oct 2021" what follows the day. @param day 0: not read yet
std::optional<DateFields> namedDate(Scanner& scan, int day) {
    const int month = monthOf(scan.word());
    std::size_t digits = 0;
    if (month == 0 || !takeGap(scan))
        return std::nullopt;
    if (day == 0) {
        const std::optional<int> number = scan.number(2, digits);
        if (!number || !takeGap(scan))
            return std::nullopt;
        day = *number;
    }
    const std::optional<int> year = scan.number(4, digits);
    if (!year || digits != 4)
        return std::nullopt;
    return DateFields{{*year, month, day}, only(DateOrder::YearFirst)};
}

std::optional<DateFields> dateFields(Scanner& scan) {
    if (!isDigit(scan.front()))
        return namedDate(scan, 0);
    DateFields fields;
    std::size_t digits = 0;
    const std::optional<int> first = scan.number(4, digits);
    if (!first || (digits != 4 && digits > 2))
        return std::nullopt;
    const bool yearFirst = digits == 4;
    const char between = scan.front();
    if (!yearFirst && (between == ' ' || between == '-')) {
        Scanner named = scan;
        if (takeGap(named) && !isDigit(named.front())) {
            scan = named;
            return namedDate(scan, *first);
        }
    }
    if ((between != '-' && between != '/' && between != '.') || !scan.take(between))
        return std::nullopt;
    const std::optional<int> second = scan.number(2, digits);
    if (!second)
        return std::nullopt;
    fields.numbers = {*first, *second, 1};
    if (!scan.take(between)) { // a month
        fields.orders = yearFirst && between == '-' && digits == 2 ? only(DateOrder::YearFirst) : DateOrders{0};
        return fields.orders != 0 ? std::optional(fields) : std::nullopt;
    }
    const std::optional<int> third = scan.number(4, digits);
    if (!third || (yearFirst ? digits > 2 : digits != 4))
        return std::nullopt;
    fields.numbers[2] = *third;
    fields.orders = yearFirst        ? only(DateOrder::YearFirst)
                    : between == '.' ? only(DateOrder::DayFirst)
                                     : static_cast<DateOrders>(only(DateOrder::DayFirst) | only(DateOrder::MonthFirst));
    return fields;
}

/// Days since 1970-01-01; empty for a day that the calendar lacks.
std::optional<double> dayOf(const std::array<int, 3>& numbers, DateOrder order) {
    const bool yearFirst = order == DateOrder::YearFirst;
    const int year = yearFirst ? numbers[0] : numbers[2];
    const int month = order == DateOrder::MonthFirst ? numbers[0] : numbers[1];
    const int day = yearFirst ? numbers[2] : order == DateOrder::DayFirst ? numbers[0] : numbers[1];
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok())
        return std::nullopt;
    return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// Seconds to subtract for a zone such as "Z", "UTC" or "+02:00"; empty when it is none.
std::optional<double> zone(Scanner& scan) {
    const std::string name = lowerCase(scan.word());
    if (name == "z" || name == "utc" || name == "gmt")
        return scan.atEnd() ? std::optional(0.0) : std::nullopt;
    const double sign = scan.take('+') ? 1.0 : scan.take('-') ? -1.0 : 0.0;
    std::size_t digits = 0;
    const std::optional<int> first = scan.number(4, digits);
    if (!name.empty() || sign == 0.0 || !first || (digits != 2 && digits != 4))
        return std::nullopt;
    int hours = digits == 4 ? *first / 100 : *first;
    int minutes = digits == 4 ? *first % 100 : 0;
    if (digits == 2 && scan.take(':'))
        minutes = scan.number(2, digits).value_or(60);
    if (hours > 15 || minutes > 59)
        return std::nullopt;
    return sign * (hours * 3600.0 + minutes * 60.0);
}

/// Seconds since midnight in UTC: "12:30", "12:30:15.5 PM", "12:30Z".
std::optional<double> timeOf(Scanner& scan) {
    std::size_t digits = 0;
    const std::optional<int> hour = scan.number(2, digits);
    if (!hour || !scan.take(':'))
        return std::nullopt;
    const std::optional<int> minute = scan.number(2, digits);
    if (!minute || digits != 2 || *minute > 59)
        return std::nullopt;
    double seconds = 0.0;
    if (scan.take(':')) {
        const std::optional<int> second = scan.number(2, digits);
        if (!second || digits != 2 || *second > 60)
            return std::nullopt;
        seconds = *second;
        if (scan.take('.') || scan.take(','))
            for (double part = 0.1; isDigit(scan.front()); part /= 10.0) {
                seconds += part * (scan.front() - '0');
                scan.take(scan.front());
            }
    }
    scan.skipBlanks();
    int hours = *hour;
    Scanner half = scan;
    if (const std::string word = lowerCase(half.word()); word == "am" || word == "pm") {
        if (hours < 1 || hours > 12)
            return std::nullopt;
        hours = hours % 12 + (word == "pm" ? 12 : 0);
        scan = half;
        scan.skipBlanks();
    }
    if (hours > 23)
        return std::nullopt;
    const std::optional<double> offset = scan.atEnd() ? std::optional(0.0) : zone(scan);
    if (!offset || !scan.atEnd())
        return std::nullopt;
    return hours * 3600.0 + *minute * 60.0 + seconds - *offset;
}

/// A text taken apart: a date, a time, or both.
struct Moment {
    std::optional<DateFields> date;
    double seconds = 0.0;
};

std::optional<Moment> momentOf(std::string_view text) {
    constexpr std::size_t kLongest = 48;
    text = trimmed(text);
    if (text.size() < 4 || text.size() > kLongest)
        return std::nullopt;
    Scanner scan(text);
    Moment moment;
    Scanner ofTime = scan;
    if (const std::optional<double> seconds = timeOf(ofTime)) {
        moment.seconds = *seconds;
        return moment;
    }
    moment.date = dateFields(scan);
    if (!moment.date)
        return std::nullopt;
    if (scan.atEnd())
        return moment;
    const bool gap = scan.take('T') || scan.take('t') || scan.front() == ' ';
    scan.skipBlanks();
    const std::optional<double> seconds = gap ? timeOf(scan) : std::nullopt;
    if (!seconds)
        return std::nullopt;
    moment.seconds = *seconds;
    return moment;
}

constexpr std::array kOrders{DateOrder::YearFirst, DateOrder::DayFirst, DateOrder::MonthFirst};

} // namespace

DateOrders dateOrdersOf(std::string_view text) {
    const std::optional<Moment> moment = momentOf(text);
    if (!moment)
        return 0;
    if (!moment->date)
        return kAnyDateOrder;
    DateOrders valid = 0;
    for (const DateOrder order : kOrders)
        if ((moment->date->orders & only(order)) != 0 && dayOf(moment->date->numbers, order))
            valid = static_cast<DateOrders>(valid | only(order));
    // The year in front shows the order, whatever the other fields of the column are like.
    return valid == only(DateOrder::YearFirst) ? kAnyDateOrder : valid;
}

std::optional<double> daysOf(std::string_view text, DateOrder order) {
    const std::optional<Moment> moment = momentOf(text);
    if (!moment)
        return std::nullopt;
    if (!moment->date)
        return moment->seconds / kSecondsPerDay;
    const DateFields& fields = *moment->date;
    const DateOrder asWritten = fields.orders == only(DateOrder::YearFirst) ? DateOrder::YearFirst : order;
    if ((fields.orders & only(asWritten)) == 0)
        return std::nullopt;
    const std::optional<double> day = dayOf(fields.numbers, asWritten);
    return day ? std::optional(*day + moment->seconds / kSecondsPerDay) : std::nullopt;
}

std::string dateText(double days) {
    const double day = std::floor(days);
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(static_cast<std::int64_t>(day)))};
    std::string text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                   static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    const auto seconds = static_cast<std::int64_t>(std::llround((days - day) * kSecondsPerDay));
    if (seconds > 0)
        text += fmt::format(" {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    return text;
}

} // namespace assay
