// Tables of the reference data, made after public reports of what people had trouble with.
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/shared_data.h"
#include "tests/support/test_entry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace assay;
using namespace assay::test;

namespace {

QJsonObject outputOf(const Run& run) {
    return QJsonDocument::fromJson(run.out).object();
}

Run scoreCase(const QString& real, const QString& model, const QStringList& more = {}) {
    const auto file = [](const QString& name) {
        return QString::fromStdString(sharedFile("cases/" + name.toStdString()).value_or("absent"));
    };
    return score(QStringList{"--real", file(real), "--synthetic", "m=" + file(model), "--quick", "--json", "-"} + more);
}

QJsonObject metricsOf(const Run& run) {
    return outputOf(run)["models"].toArray()[0].toObject()["metrics"].toObject();
}

QString notesOf(const Run& run) {
    return QString::fromUtf8(QJsonDocument(outputOf(run)).toJson());
}

} // namespace

class SharedTablesTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void dialectsScoreTheSame_data();
    void dialectsScoreTheSame();
    void datesAndCategories();
    void missingValues();
    void lightlysExport();
    void rowNumbersAreLeftOut_data();
    void rowNumbersAreLeftOut();
};

void SharedTablesTest::init() {
    if (!sharedFile("cases/plain_real.csv"))
        QSKIP("the reference data (shared/cases) are not there");
}

void SharedTablesTest::dialectsScoreTheSame_data() {
    QTest::addColumn<QString>("real");
    QTest::addColumn<QString>("model");
    QTest::newRow("semicolons") << "semicolon_real.csv"
                                << "semicolon_model.csv";
    QTest::newRow("UTF-16") << "utf16_real.csv"
                            << "plain_model.csv";
    QTest::newRow("mixed") << "plain_real.csv"
                           << "semicolon_model.csv";
    QTest::newRow("a row number in the model alone") << "plain_real.csv"
                                                     << "extra_column_model.csv";
}

void SharedTablesTest::dialectsScoreTheSame() {
    QFETCH(const QString, real);
    QFETCH(const QString, model);
    const Run run = scoreCase(real, model);
    QVERIFY2(run.exitCode == 0, run.err);
    const Run plain = scoreCase("plain_real.csv", "plain_model.csv");
    QCOMPARE(metricsOf(run), metricsOf(plain));
    QCOMPARE(notesOf(run).contains("S.No"), model.startsWith("extra"));
}

void SharedTablesTest::datesAndCategories() {
    const Run run = scoreCase("dates_real.csv", "dates_model.csv", {"--one-hot"});
    QVERIFY2(run.exitCode == 0, run.err);
    QCOMPARE(metricsOf(scoreCase("dates_real.csv", "dates_model.csv")), metricsOf(run));
    const QJsonObject preparation = outputOf(run)["preparation"].toObject();
    QCOMPARE(preparation["dates"].toArray()[0].toObject()["name"].toString(), QStringLiteral("admitted"));
    QCOMPARE(preparation["columns"].toInt(), 10); // six numbers, the date, F, M and others
    QVERIFY(saysAll(notesOf(run), "days since the earliest, 2021-03-04"));
    const Run without = scoreCase("dates_real.csv", "dates_model.csv", {"--ignore-columns", "sex", "admitted"});
    QCOMPARE(outputOf(without)["preparation"].toObject()["columns"].toInt(), 6);
}

void SharedTablesTest::missingValues() {
    const Run refused = scoreCase("missing_real.csv", "missing_model.csv", {"--missing", "refuse"});
    QCOMPARE(refused.exitCode, 3);
    QVERIFY(saysAll(refused.err, "line 2, column 2 ('f1')|--missing drop|--missing indicate"));
    const Run run = scoreCase("missing_real.csv", "missing_model.csv", {"--missing", "indicate"});
    QVERIFY2(run.exitCode == 0, run.err);
    QCOMPARE(outputOf(run)["preparation"].toObject()["columns"].toInt(), 12);
    QCOMPARE(metricsOf(scoreCase("missing_real.csv", "missing_model.csv")), metricsOf(run));
    const Run dropped = scoreCase("missing_real.csv", "missing_model.csv", {"--missing", "drop"});
    QCOMPARE(metricsOf(dropped), metricsOf(scoreCase("missing_real.csv", "missing_model.csv", {"--drop-nan"})));
}

void SharedTablesTest::lightlysExport() {
    const Run run = scoreCase("filenames_real.csv", "filenames_model.csv");
    QVERIFY2(run.exitCode == 0, run.err);
    const QJsonObject real = outputOf(run)["real"].toObject();
    QCOMPARE(real["dimensions"].toInt(), 6);
    const QTemporaryDir folder;
    QCOMPARE(scoreCase("filenames_real.csv", "filenames_model.csv", {"--csv", folder.path()}).exitCode, 0);
    QFile table(folder.filePath("m.real.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QByteArray text = table.readAll();
    QVERIFY(text.contains("im_0.jpg") && text.contains("im_199.jpg"));
}

void SharedTablesTest::rowNumbersAreLeftOut_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"student_id", "PassengerId", "Unnamed0", "index"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void SharedTablesTest::rowNumbersAreLeftOut() {
    QFETCH(const QString, name);
    const QString folder = QStringLiteral("identifier-column-is-a-feature/");
    if (!sharedFile("cases/" + folder.toStdString() + "without_real.csv"))
        QSKIP("the reference data (shared/cases/identifier-column-is-a-feature) are not there");
    const Run run = scoreCase(folder + name + "_real.csv", folder + name + "_syn.csv");
    QVERIFY2(run.exitCode == 0, run.err);
    QCOMPARE(metricsOf(run), metricsOf(scoreCase(folder + "without_real.csv", folder + "without_syn.csv")));
    QVERIFY(saysAll(notesOf(run), name.endsWith(QLatin1String("id"), Qt::CaseInsensitive)
                                      ? "taken as ids: it names the rows and is no feature"
                                      : "left out: it numbers the rows and is no feature"));
}

ASSAY_TEST(shared_tables_test, SharedTablesTest)
#include "shared_tables_test.moc"
