#include "engine/data/brief_text.h"
#include "tests/support/test_entry.h"

#include <QtTest>

using namespace assay;

class BriefTextTest : public QObject {
    Q_OBJECT

private slots:
    void longNamesKeepTheirEnds_data();
    void longNamesKeepTheirEnds();
};

void BriefTextTest::longNamesKeepTheirEnds_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("most");
    QTest::addColumn<QString>("brief");
    QTest::newRow("empty") << "" << 20 << "";
    QTest::newRow("just fits") << "real-000000000001711" << 20 << "real-000000000001711";
    QTest::newRow("one too many") << "real-0000000000001711" << 20 << QString::fromUtf8("real-000\u202600001711");
    QTest::newRow("of two bytes each") << QString(20, QChar(0xE9)) << 20
                                       << QString(4, QChar(0xE9)) + QChar(0x2026) + QString(4, QChar(0xE9));
    QTest::newRow("of three bytes each") << QString(20, QChar(0x20AC)) << 20
                                         << QString(2, QChar(0x20AC)) + QChar(0x2026) + QString(2, QChar(0x20AC));
}

void BriefTextTest::longNamesKeepTheirEnds() {
    QFETCH(QString, name);
    QFETCH(int, most);
    QFETCH(QString, brief);
    QCOMPARE(QString::fromStdString(briefText(name.toStdString(), static_cast<std::size_t>(most))), brief);
}

ASSAY_TEST(brief_text_test, BriefTextTest)
#include "brief_text_test.moc"
