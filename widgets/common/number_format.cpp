#include "widgets/common/number_format.h"

#include "engine/report/glossary/glossary.h"
#include "widgets/common/verdict_words.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct NumberFormatWords {
    Q_DECLARE_TR_FUNCTIONS(assay::NumberFormat)
};

/// What stands before a definition in a tooltip. An anchor is not drawn.
QString definitionMark(const QString& key) {
    return QStringLiteral("<a name=\"definition:%1\"></a>").arg(key);
}

} // namespace

QString formatNumber(double value) {
    if (std::isnan(value))
        return QStringLiteral("-");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("\u221e") : QStringLiteral("-\u221e");
    const QLocale locale;
    const double size = std::abs(value);
    if (size == 0.0)
        return locale.toString(0);
    if (size < 1e-4 || size >= 1e9)
        return locale.toString(value, 'e', 2);
    int decimals = 2 - static_cast<int>(std::floor(std::log10(size)));
    // Rounding may carry into a further digit: 9.996 is 10.0, not 10.00.
    const double step = std::pow(10.0, -decimals);
    if (decimals > 0 && std::round(size / step) >= 999.5)
        --decimals;
    return locale.toString(value, 'f', std::clamp(decimals, 0, 6));
}

QString formatFileValue(double value) {
    constexpr double kLargest = 1e9;
    return value == std::round(value) && std::abs(value) < kLargest ? QLocale().toString(static_cast<qint64>(value))
                                                                    : formatNumber(value);
}

QString formatCount(std::uint64_t count) {
    return QLocale().toString(static_cast<qulonglong>(count));
}

QString formatPercent(double share) {
    if (std::isnan(share))
        return QStringLiteral("-");
    const double percent = 100.0 * share;
    if (percent > 0.0 && percent < 0.1)
        return NumberFormatWords::tr("< %1 %").arg(QLocale().toString(0.1, 'f', 1));
    const bool fine = (percent > 0.0 && percent < 9.95) || (percent > 99.0 && percent < 100.0);
    if (fine && percent > 99.0) // 99.97 must not read as all of it
        return NumberFormatWords::tr("%1 %").arg(QLocale().toString(std::min(percent, 99.9), 'f', 1));
    return NumberFormatWords::tr("%1 %").arg(QLocale().toString(percent, 'f', fine ? 1 : 0));
}

QString formatTenths(double share) {
    return QLocale().toString(100.0 * share, 'f', 1) + QStringLiteral(" %");
}

std::pair<QString, QString> formatParts(std::uint64_t first, std::uint64_t second) {
    if (second > first) {
        auto [larger, smaller] = formatParts(second, first);
        return {std::move(smaller), std::move(larger)};
    }
    const double percent =
        100.0 * static_cast<double>(second) / static_cast<double>(std::max<std::uint64_t>(first + second, 1));
    if (second == 0 || percent < 0.1)
        return {second == 0 ? formatPercent(1.0)
                            : NumberFormatWords::tr("> %1 %").arg(QLocale().toString(99.9, 'f', 1)),
                formatPercent(percent / 100.0)};
    // The larger one is what the rounded smaller one leaves.
    const int digits = percent < 9.95 ? 1 : 0;
    const double scale = digits == 1 ? 10.0 : 1.0;
    const double rounded = std::round(percent * scale) / scale;
    const auto text = [digits](double value) {
        return NumberFormatWords::tr("%1 %").arg(QLocale().toString(value, 'f', digits));
    };
    return {text(100.0 - rounded), text(rounded)};
}

QString formatValue(double value, Unit unit) {
    if (std::isnan(value))
        return QStringLiteral("-");
    switch (unit) {
    case Unit::YesNo:
        return value != 0.0 ? NumberFormatWords::tr("yes") : NumberFormatWords::tr("no");
    case Unit::Count:
        return QLocale().toString(value, 'f', 0);
    case Unit::Word:
    case Unit::Row:
        return QStringLiteral("%1").arg(value, 0, 'f', 0);
    case Unit::Share:
    case Unit::Nats:
    case Unit::Distance:
    case Unit::Ratio:
        break;
    }
    return formatNumber(value);
}

QString formatWithUnit(double value, Unit unit) {
    const QString text = formatValue(value, unit);
    return unit == Unit::Nats && !std::isnan(value) ? NumberFormatWords::tr("%1 nats").arg(text) : text;
}

QString formatValue(double value, const Column& column) {
    if (column.unit != Unit::Word || !(value >= 0.0 && value < static_cast<double>(column.words.size())))
        return formatWithUnit(value, column.unit);
    if (column.id == "verdict")
        return verdictWord(static_cast<Verdict>(value));
    if (column.id == "coverage_verdict")
        return verdictWord(static_cast<CoverageVerdict>(value));
    return catalogText(column.words[static_cast<std::size_t>(value)]).replace('_', '-');
}

QString formatSignificant(double value, int digits) {
    if (!std::isfinite(value) || value == 0.0)
        return formatNumber(value);
    const double rounded = roundedTo(value, digits);
    const double size = std::abs(rounded);
    if (size < 1e-4 || size >= 1e9)
        return QLocale().toString(rounded, 'e', digits - 1);
    const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(size)));
    return QLocale().toString(rounded, 'f', std::clamp(decimals, 0, 12));
}

double roundedTo(double value, int digits) {
    if (!std::isfinite(value) || value == 0.0)
        return value;
    const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double step = std::pow(10.0, std::abs(decimals));
    return decimals >= 0 ? std::round(value * step) / step : std::round(value / step) * step;
}

QString unitName(Unit unit) {
    switch (unit) {
    case Unit::Nats:
        return NumberFormatWords::tr("nats");
    case Unit::Distance:
        return NumberFormatWords::tr("distance");
    case Unit::Count:
        return NumberFormatWords::tr("count");
    case Unit::Row:
        return NumberFormatWords::tr("row");
    case Unit::Share:
    case Unit::YesNo:
    case Unit::Word:
    case Unit::Ratio:
        break;
    }
    return {};
}

QString formatOrdinal(std::uint64_t rank) {
    const std::uint64_t hundred = rank % 100;
    const bool teen = hundred >= 11 && hundred <= 13;
    const char* pattern = "%1th";
    if (!teen && rank % 10 == 1)
        pattern = "%1st";
    else if (!teen && rank % 10 == 2)
        pattern = "%1nd";
    else if (!teen && rank % 10 == 3)
        pattern = "%1rd";
    return NumberFormatWords::tr(pattern).arg(formatCount(rank));
}

QString catalogText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString definitionToolTip(const GlossaryEntry& entry) {
    QString html = QStringLiteral("<b>%1</b><br>%2")
                       .arg(catalogText(entry.title).toHtmlEscaped(), catalogText(entry.meaning).toHtmlEscaped());
    // Names what is defined to whoever is asked for the definition while the tooltip is open.
    if (const std::string key = entry.key(); findGlossaryEntry(key) != nullptr)
        html.prepend(definitionMark(QString::fromStdString(key)));
    if (!entry.formula.empty())
        html += QStringLiteral("<br><small><code>%1</code></small>").arg(catalogText(entry.formula).toHtmlEscaped());
    if (!entry.source.empty())
        html += QStringLiteral("<br><i>%1</i>").arg(catalogText(entry.source).toHtmlEscaped());
    return html;
}

QString metricToolTip(const Metric& metric) {
    return definitionToolTip(glossaryEntry(metric));
}

QString metricToolTip(const Column& column) {
    return definitionToolTip(glossaryEntry(column));
}

QString metricToolTip(const Curve& curve) {
    return definitionToolTip(glossaryEntry(curve));
}

QString definitionKeyIn(const QString& toolTip) {
    const QString start = definitionMark({}).section(QLatin1Char('"'), 0, 1);
    const qsizetype from = toolTip.indexOf(start);
    if (from < 0)
        return {};
    const qsizetype at = from + start.size();
    return toolTip.mid(at, toolTip.indexOf(QLatin1Char('"'), at) - at);
}

} // namespace assay
