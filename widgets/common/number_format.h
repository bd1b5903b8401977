#pragma once

#include "engine/metrics/tables/metric.h"

#include <QString>

#include <cstdint>
#include <string_view>
#include <utility>

/// How numbers are written for people: three significant digits, the locale's separators, "-" where there is no value.
namespace assay {

struct GlossaryEntry;

/// Three significant digits: "0.104", "48.3", "1,234" (digits before the decimal point are never rounded away);
/// exponents below 1e-4 and from 1e9.
QString formatNumber(double value);
/// A value of a file: whole numbers as such, for ages and counts read badly as "37.0"; others as formatNumber().
QString formatFileValue(double value);
/// A whole number with group separators: "1,234".
QString formatCount(std::uint64_t count);
/// A share in [0, 1] as percentage: "18 %", "0.4 %", "99.7 %"; "< 0.1 %" for what would read as nothing.
QString formatPercent(double share);
/// A share as percentage with one decimal, for shares near 0 or 1 that are compared: "97.8 %".
QString formatTenths(double share);
/// The shares of two parts that make up a whole, rounded so that they add up to 100 %: "90.6 %" and "9.4 %", "> 99.9 %"
/// and
/// "< 0.1 %". No part of some reads as nothing or as all.
std::pair<QString, QString> formatParts(std::uint64_t first, std::uint64_t second);
/// A value of a metric or column, without its unit: "0.104", "1,234", "yes". Right for tables whose header names the
/// unit.
QString formatValue(double value, Unit unit);
/// The same with its unit where it has one: "48.3 nats".
QString formatWithUnit(double value, Unit unit);
/// A number with so many significant digits, rounded before the decimal point, too: "12", "3.1", "190".
QString formatSignificant(double value, int digits);
/// The number that formatSignificant() writes.
double roundedTo(double value, int digits);
/// A value of a column, with its unit where it has one: also the word that a number stands for, "crowded".
QString formatValue(double value, const Column& column);
/// The unit as an axis or header names it: "nats", "distance", "samples"; empty for plain shares and ratios.
QString unitName(Unit unit);
/// An ordinal for ranks: "1st", "22nd", "1,013th".
QString formatOrdinal(std::uint64_t rank);
/// Text of the catalogue as QString.
QString catalogText(std::string_view text);
/// A definition as tooltip: title in bold, one or two sentences, formula, paper. Rich text, so that long lines wrap.
QString definitionToolTip(const GlossaryEntry& entry);
/// The same of a row of the catalogues.
QString metricToolTip(const Metric& metric);
QString metricToolTip(const Column& column);
QString metricToolTip(const Curve& curve);
/// The key of the first definition that a tooltip shows; empty for one without.
QString definitionKeyIn(const QString& toolTip);

} // namespace assay
