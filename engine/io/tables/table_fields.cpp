#include "engine/io/tables/table_fields.h"

#include "engine/io/tables/table_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <system_error>

namespace assay {
namespace {

std::string_view withoutPlus(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+'))
        text.remove_prefix(1);
    return text;
}

bool areDigits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether a text has digits and, beside them, only what separates and signs them.
bool looksNumeric(std::string_view text) {
    constexpr std::string_view kParts = "0123456789+-.,' _\xc2\xa0\xe2\x80\xaf"; // with no-break spaces
    return text.find_first_of("0123456789") != std::string_view::npos &&
           text.find_first_not_of(kParts) == std::string_view::npos;
}

/// Value of a number beyond the range of double: zero when it is too small, infinite when it is too large.
double beyondRange(std::string_view text) {
    const std::size_t exponent = text.find_first_of("eE");
    const bool small = exponent != std::string_view::npos ? text.substr(exponent).find('-') != std::string_view::npos
                                                          : text.find_first_of("123456789") > text.find('.');
    return small ? 0.0 : std::numeric_limits<double>::infinity();
}

} // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<double> numberOf(std::string_view text) {
    text = withoutPlus(text);
    const char* end = text.data() + text.size();
    double value = 0.0;
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (text.empty() || stop != end)
        return std::nullopt;
    if (code == std::errc::result_out_of_range)
        return beyondRange(text);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

float nearestFloat(std::string_view text, double wide) {
    // Rounding to double and then to float32 differs from direct rounding only when the double is halfway between two
    // float32.
    constexpr std::uint64_t kBeyondFloat = (std::uint64_t{1} << 29U) - 1;
    constexpr std::uint64_t kHalfway = std::uint64_t{1} << 28U;
    const bool plain = (std::bit_cast<std::uint64_t>(wide) & kBeyondFloat) != kHalfway &&
                       (std::abs(wide) >= static_cast<double>(std::numeric_limits<float>::min()) || wide == 0.0);
    if (plain)
        return static_cast<float>(wide);
    text = withoutPlus(text);
    float value = 0.0F;
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() ? value : static_cast<float>(wide);
}

std::optional<double> truthOf(std::string_view text) {
    const std::string word = trimmed(text).size() > 5 ? std::string() : lowerCase(text);
    return word == "true" ? std::optional(1.0) : word == "false" ? std::optional(0.0) : std::nullopt;
}

bool isAbsent(std::string_view text) {
    constexpr std::array<std::string_view, 10> kWords{"",     "nan", "na",   "n/a",  "null",
                                                      "none", "nat", "<na>", "#n/a", "-nan"};
    return trimmed(text).size() <= 4 && std::ranges::find(kWords, lowerCase(text)) != kWords.end();
}

std::optional<float> infinityOf(std::string_view text) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::string word = lowerCase(withoutPlus(text));
    if (word == "inf" || word == "infinity")
        return kInfinity;
    return word == "-inf" || word == "-infinity" ? std::optional(-kInfinity) : std::nullopt;
}

bool isMissing(std::string_view text) {
    return isAbsent(text) || infinityOf(text).has_value();
}

bool isGrouped(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('-') || text.starts_with('+'))
        text.remove_prefix(1);
    const std::size_t end = std::min(text.size(), text.find('.'));
    if (end < text.size() && (end + 1 == text.size() || !areDigits(text.substr(end + 1))))
        return false;
    text = text.substr(0, end);
    const std::size_t first = text.find(',');
    if (first == std::string_view::npos || first == 0 || first > 3 || text.front() == '0')
        return false;
    for (std::size_t at = first; at < text.size(); at += 4)
        if (text[at] != ',' || text.size() - at < 4 || !areDigits(text.substr(at + 1, 3)))
            return false;
    return areDigits(text.substr(0, first));
}

std::string numberAdvice(std::string_view text) {
    text = trimmed(text);
    if (text.size() > 1 && (text.back() == '%' || text.front() == '%')) {
        const std::string_view number = trimmed(text.back() == '%' ? text.substr(0, text.size() - 1) : text.substr(1));
        if (looksNumeric(number))
            return "which is a percentage; write the number without the percent sign, such as 12.5 or 0.125";
    }
    if (!looksNumeric(text))
        return {};
    if (const auto comma = text.find(','), point = text.find('.');
        comma != std::string_view::npos || point != std::string_view::npos || text.find_first_of(" '_") != text.npos ||
        text.find("\xc2\xa0") != text.npos || text.find("\xe2\x80\xaf") != text.npos) {
        const bool one = (comma == std::string_view::npos) != (point == std::string_view::npos) &&
                         std::ranges::count(text, comma != std::string_view::npos ? ',' : '.') == 1;
        if (one && !isGrouped(text) && text.find_first_of(" '_") == text.npos)
            return "which has another decimal sign than the table; write all numbers alike, such as 1234.5";
        return "which has thousands separators, or may have; write it without them, such as 1234.5";
    }
    return {};
}

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
