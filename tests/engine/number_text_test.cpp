#include "engine/base/number_text.h"
#include "tests/support/test_entry.h"

#include <QtTest>

using namespace assay;

class NumberTextTest : public QObject {
    Q_OBJECT

private slots:
    void noPartReadsAsNothingOrAll_data();
    void noPartReadsAsNothingOrAll();
};

void NumberTextTest::noPartReadsAsNothingOrAll_data() {
    QTest::addColumn<double>("share");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << 0.0 << "0 %";
    QTest::newRow("next to none") << 1e-6 << "< 0.001 %";
    QTest::newRow("few") << 0.0123 << "1.2 %";
    QTest::newRow("some") << 0.184 << "18 %";
    QTest::newRow("most") << 0.9949 << "99 %";
    QTest::newRow("three of 1,500 are not") << 1497.0 / 1500.0 << "99.8 %";
    QTest::newRow("one of 10,000 is not") << 0.9999 << "> 99.9 %";
    QTest::newRow("all") << 1.0 << "100 %";
}

void NumberTextTest::noPartReadsAsNothingOrAll() {
    QFETCH(double, share);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(percentText(share)), text);
}

ASSAY_TEST(number_text_test, NumberTextTest)
#include "number_text_test.moc"
