#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/common/number_format.h"

#include <limits>

using namespace assay;

class NumberFormatTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void writesThreeSignificantDigits_data();
    void writesThreeSignificantDigits();
    void writesSharesAsPercentages_data();
    void writesSharesAsPercentages();
    void partsAddUpToAHundred_data();
    void partsAddUpToAHundred();
    void writesValuesByUnit_data();
    void writesValuesByUnit();
    void writesOrdinals();
    void followsTheLocale();
    void definitionsHaveFormulaAndPaper();
};

void NumberFormatTest::definitionsHaveFormulaAndPaper() {
    const auto check = [](const QString& toolTip, const auto& row, const char* kind) {
        QCOMPARE(definitionKeyIn(QStringLiteral("<b>other</b>") + toolTip), kind + catalogText(row.id));
        for (const std::string_view part : {row.title, row.definition, row.source, glossaryEntry(row).formula})
            QVERIFY2(!part.empty() && toolTip.contains(catalogText(part).toHtmlEscaped()), row.id.data());
    };
    for (const Metric& metric : metricCatalog())
        if (isShownToPeople(metric))
            check(metricToolTip(metric), metric, "metric/");
    for (const Column& column : columnCatalog())
        check(metricToolTip(column), column, column.side == Side::Real ? "real/" : "synthetic/");
    for (const Curve& curve : curveCatalog())
        check(metricToolTip(curve), curve, "curve/");
    QCOMPARE(definitionKeyIn(QStringLiteral("<b>Copies</b>")), QString());
}

void NumberFormatTest::writesThreeSignificantDigits_data() {
    test::addColumns<double, QString>("value", "text");
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("minus zero") << -0.0 << "0";
    QTest::newRow("one") << 1.0 << "1.00";
    QTest::newRow("share") << 0.1041 << "0.104";
    QTest::newRow("small") << 0.00123456 << "0.00123";
    QTest::newRow("tiny") << 1.234e-7 << "1.23E-07";
    QTest::newRow("two digits") << 48.349 << "48.3";
    QTest::newRow("negative") << -48.349 << "-48.3";
    QTest::newRow("carries") << 9.996 << "10.0";
    QTest::newRow("carries below one") << 0.99996 << "1.00";
    QTest::newRow("carries to hundreds") << 99.96 << "100";
    QTest::newRow("keeps integer digits") << 12345.6 << "12,346";
    QTest::newRow("nan") << std::numeric_limits<double>::quiet_NaN() << "-";
    QTest::newRow("infinity") << std::numeric_limits<double>::infinity() << "\u221e";
}

void NumberFormatTest::writesThreeSignificantDigits() {
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(formatNumber(value), text);
}

void NumberFormatTest::writesSharesAsPercentages_data() {
    test::addColumns<double, QString>("share", "text");
    QTest::newRow("none") << 0.0 << "0 %";
    QTest::newRow("all") << 1.0 << "100 %";
    QTest::newRow("some") << 0.1834 << "18 %";
    QTest::newRow("few") << 0.0123 << "1.2 %";
    QTest::newRow("next to none") << 0.0002 << "< 0.1 %";
    QTest::newRow("almost all") << 0.9999 << "99.9 %";
    QTest::newRow("nan") << std::nan("") << "-";
}

void NumberFormatTest::writesSharesAsPercentages() {
    QFETCH(double, share);
    QFETCH(QString, text);
    QCOMPARE(formatPercent(share), text);
}

void NumberFormatTest::partsAddUpToAHundred_data() {
    test::addColumns<int, int, QString, QString>("first", "second", "firstText", "secondText");
    const auto row = [](int first, int second, const char* firstText, const char* secondText) {
        QTest::addRow("%d and %d", first, second) << first << second << firstText << secondText;
    };
    row(10, 0, "100 %", "0 %");
    row(0, 10, "0 %", "100 %");
    row(9999, 1, "> 99.9 %", "< 0.1 %");
    row(1, 9999, "< 0.1 %", "> 99.9 %");
    row(1998, 2, "99.9 %", "0.1 %");
    row(906, 94, "90.6 %", "9.4 %");
    row(9006, 994, "90.1 %", "9.9 %");
    row(9004, 996, "90 %", "10 %");
    row(895, 105, "89 %", "11 %");
    row(1399, 601, "70 %", "30 %");
    row(199, 201, "50 %", "50 %");
    row(1, 1, "50 %", "50 %");
    row(0, 0, "100 %", "0 %");
}

void NumberFormatTest::partsAddUpToAHundred() {
    QFETCH(int, first);
    QFETCH(int, second);
    const auto [firstText, secondText] =
        formatParts(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(second));
    QTEST(firstText, "firstText");
    QTEST(secondText, "secondText");
}

void NumberFormatTest::writesValuesByUnit_data() {
    test::addColumns<double, int, QString>("value", "unit", "text");
    const auto row = [](const char* name, double value, Unit unit, const char* text) {
        QTest::newRow(name) << value << static_cast<int>(unit) << QString::fromUtf8(text);
    };
    row("share", 0.104, Unit::Share, "0.104");
    row("nats", 48.33, Unit::Nats, "48.3 nats");
    row("count", 1234.0, Unit::Count, "1,234");
    row("distance", 3.4215, Unit::Distance, "3.42");
    row("ratio", 1.0371, Unit::Ratio, "1.04");
    row("row", 1234.0, Unit::Row, "1234");
    row("yes", 1.0, Unit::YesNo, "yes");
    row("no", 0.0, Unit::YesNo, "no");
    for (Unit unit : {Unit::Share, Unit::Nats, Unit::Distance, Unit::Count, Unit::YesNo, Unit::Row, Unit::Ratio})
        row(qPrintable(QString("missing %1").arg(static_cast<int>(unit))), std::nan(""), unit, "-");
}

void NumberFormatTest::writesValuesByUnit() {
    QFETCH(double, value);
    QFETCH(int, unit);
    QFETCH(QString, text);
    QCOMPARE(formatWithUnit(value, static_cast<Unit>(unit)), text);
}

void NumberFormatTest::writesOrdinals() {
    QCOMPARE(formatOrdinal(1), QString("1st"));
    QCOMPARE(formatOrdinal(2), QString("2nd"));
    QCOMPARE(formatOrdinal(3), QString("3rd"));
    QCOMPARE(formatOrdinal(11), QString("11th"));
    QCOMPARE(formatOrdinal(112), QString("112th"));
    QCOMPARE(formatOrdinal(1021), QString("1,021st"));
}

void NumberFormatTest::followsTheLocale() {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const QString text = formatNumber(1234567.0) + " " + formatNumber(0.5);
    QLocale::setDefault(before);
    QCOMPARE(text, QString("1.234.567 0,500"));
}

ASSAY_TEST(number_format_test, NumberFormatTest)
#include "number_format_test.moc"
