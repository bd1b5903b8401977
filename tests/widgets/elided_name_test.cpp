#include "tests/support/test_entry.h"
#include "widgets/common/elided_name.h"

#include <QtWidgets>

using namespace assay;

class ElidedNameTest : public QObject {
    Q_OBJECT

private slots:
    void whatFitsStays();
    void namesThatStayApartAreElidedInTheMiddle();
    void whatTellsNamesApartStays();
    void moreIsShownWhereThereIsRoom();
    void aNameWithinAnotherIsToldFromIt();
    void charactersStayWhole();

private:
    QFontMetricsF metrics() const { return QFontMetricsF(QGuiApplication::font()); }
    qreal widthOf(const QString& text) const { return metrics().horizontalAdvance(text); }
};

void ElidedNameTest::whatFitsStays() {
    QCOMPARE(elidedName("gan", {"gan", "vae"}, metrics(), widthOf("gan")), QString("gan"));
    QCOMPARE(elidedName("", {}, metrics(), 0.0), QString());
}

void ElidedNameTest::namesThatStayApartAreElidedInTheMiddle() {
    const QString name = "a generator with a long name";
    const qreal width = widthOf("a generator…");
    QCOMPARE(elidedName(name, {name, "another network of some length"}, metrics(), width),
             metrics().elidedText(name, Qt::ElideMiddle, width));
    // Twice the same name: nothing would tell them apart.
    QCOMPARE(elidedName(name, {name, name}, metrics(), width), metrics().elidedText(name, Qt::ElideMiddle, width));
}

void ElidedNameTest::whatTellsNamesApartStays() {
    const QStringList names{"stylegan2-ada-pytorch-ffhq256-kimg025000-snapshot",
                            "stylegan2-ada-pytorch-ffhq256-kimg010000-snapshot",
                            "stylegan2-ada-pytorch-ffhq256-kimg001200-snapshot", "something else that is long enough"};
    const qreal width = widthOf("styleg…napshot");
    QSet<QString> shown;
    for (const QString& name : names) {
        const QString text = elidedName(name, names, metrics(), width);
        QVERIFY2(widthOf(text) <= width, qPrintable(text));
        QVERIFY(!text.isEmpty());
        shown.insert(text);
    }
    QCOMPARE(shown.size(), names.size());
    QVERIFY(elidedName(names[0], names, metrics(), width).contains("025"));
    QVERIFY(elidedName(names[1], names, metrics(), width).contains("010"));
    QVERIFY(elidedName(names[2], names, metrics(), width).contains("001"));
}

void ElidedNameTest::moreIsShownWhereThereIsRoom() {
    const QString name = "prefix-prefix-prefix-A-suffix-suffix-suffix";
    const QString other = "prefix-prefix-prefix-B-suffix-suffix-suffix";
    const qreal narrow = widthOf("…x-A-s…");
    const qreal wide = widthOf("…fix-prefix-A-suffix-su…");
    const QString few = elidedName(name, {other}, metrics(), narrow);
    const QString more = elidedName(name, {other}, metrics(), wide);
    QVERIFY2(few.contains('A') && more.contains("-A-"), qPrintable(few + " " + more));
    QVERIFY(more.size() > few.size());
    QVERIFY(widthOf(more) <= wide);
    QVERIFY(more.startsWith(QChar(0x2026)) && more.endsWith(QChar(0x2026)));
}

void ElidedNameTest::aNameWithinAnotherIsToldFromIt() {
    const QString shorter = "a network that was trained for long, last";
    const QString longer = "a network that was trained for very very long, last";
    const qreal width = widthOf("a net…, last");
    const QString first = elidedName(shorter, {longer}, metrics(), width);
    const QString second = elidedName(longer, {shorter}, metrics(), width);
    QVERIFY2(first != second, qPrintable(first + " " + second));
    QVERIFY(widthOf(first) <= width && widthOf(second) <= width);
}

void ElidedNameTest::charactersStayWhole() {
    const QString smile = QString::fromUcs4(U"\U0001F600");
    const QString frown = QString::fromUcs4(U"\U0001F641"); // the same high surrogate
    const QString around = smile.repeated(12);
    const QString name = around + smile + around;
    const QString other = around + frown + around;
    for (qreal width = widthOf("…") * 2; width < widthOf(name); width += 7.0) {
        const QString text = elidedName(name, {other}, metrics(), width);
        for (qsizetype i = 0; i < text.size(); ++i) {
            if (text[i].isHighSurrogate())
                QVERIFY(i + 1 < text.size() && text[i + 1].isLowSurrogate());
            if (text[i].isLowSurrogate())
                QVERIFY(i > 0 && text[i - 1].isHighSurrogate());
        }
    }
}

ASSAY_TEST(elided_name_test, ElidedNameTest)
#include "elided_name_test.moc"
