// The curves that assay-score adds when asked.
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace assay;
using test::Matrix;
using test::Run;
using test::score;

class AssayScoreCurvesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void writesTheCurvesThatAreAskedFor();
    void withoutAskingThereAreNone();
    void quickAuditsHaveABadFractionToo();
    void heldOutSamplesNeedNoHalfOfTheRealSet();
    void usefulnessIsFoundAsSamplesAreDiscarded();
    void refusesWhatCannotBe_data();
    void refusesWhatCannotBe();

private:
    QString path(const QString& name) const { return folder_.path(name); }
    void write(const QString& name, const Matrix& matrix) const { folder_.write(name, matrix); }
    QStringList sets() const { return {"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--quiet"}; }

    test::InputFolder folder_;
};

void AssayScoreCurvesTest::initTestCase() {
    write("real.npy", test::gaussian(220, 6, 1));
    write("fake.npy", test::gaussian(200, 6, 2, 0.5F));
    write("bad.npy", test::gaussian(90, 6, 3, 4.0F));
    write("narrow.npy", test::gaussian(90, 5, 4));
    write("few.npy", test::gaussian(5, 6, 4));
}

void AssayScoreCurvesTest::writesTheCurvesThatAreAskedFor() {
    const Run run = score(sets() + QStringList{"--bad-fraction", "--bad", path("bad.npy"), "--sample-size", "--discard",
                                               "pce", "--discard", "fidelity", "--json", "-"});
    QVERIFY2(run.exitCode == 0, run.err);
    const QJsonObject json = QJsonDocument::fromJson(run.out).object();
    const QJsonObject curves = json["curves"].toObject();
    QCOMPARE(curves.keys(), (QStringList{"bad_fraction", "bad_fraction_coverage", "bad_fraction_relative"}));
    QVERIFY(curves["bad_fraction"].toObject()["note"].toString().contains("90 good samples"));
    const QJsonObject model = json["models"].toArray()[0].toObject();
    for (const char* key : {"k_sensitivity", "coverage_calibration", "sample_size", "discard_by_pce",
                            "discard_by_fidelity", "pce_re_tradeoff"})
        QVERIFY2(model["curves"].toObject().contains(key), key);
    const QJsonObject precision =
        model["curves"].toObject()["sample_size"].toObject()["lines"].toObject()["precision"].toObject();
    QCOMPARE(precision["low"].toArray().size(), precision["y"].toArray().size());
    QVERIFY(model["equivalent_bad_fraction"].toObject()["clipped_density"].isDouble());
}

void AssayScoreCurvesTest::withoutAskingThereAreNone() {
    const Run run = score(sets() + QStringList{"--json", "-"});
    QVERIFY2(run.exitCode == 0, run.err);
    QVERIFY(QJsonDocument::fromJson(run.out).object()["curves"].toObject().isEmpty());
}

void AssayScoreCurvesTest::quickAuditsHaveABadFractionToo() {
    const Run run = score(sets() + QStringList{"--quick", "--bad-fraction", "--json", "-"});
    QVERIFY2(run.exitCode == 0, run.err);
    const QJsonObject model = QJsonDocument::fromJson(run.out).object()["models"].toArray()[0].toObject();
    QVERIFY(model["equivalent_bad_fraction"].toObject()["clipped_density"].isDouble());
    for (const QString& id : model["equivalent_bad_fraction"].toObject().keys())
        QVERIFY2(model["metrics"].toObject().contains(id), qPrintable(id));
}

void AssayScoreCurvesTest::heldOutSamplesNeedNoHalfOfTheRealSet() {
    write("held.npy", test::gaussian(210, 6, 5));
    const QStringList large{"--bad-fraction", "--quick", "-k", "150", "--json", "-"};
    QCOMPARE(score(sets() + large).exitCode, 3); // half of the real set has 110 samples
    const Run run = score(sets() + large + QStringList{"--held-out", path("held.npy")});
    QVERIFY2(run.exitCode == 0, run.err);
}

void AssayScoreCurvesTest::usefulnessIsFoundAsSamplesAreDiscarded() {
    write("other.npy", test::gaussian(210, 6, 5));
    const Run run =
        score(sets() + QStringList{"--held-out", path("other.npy"), "--discard-useful", "pce", "--json", "-"});
    QVERIFY2(run.exitCode == 0, run.err);
    const QJsonObject model = QJsonDocument::fromJson(run.out).object()["models"].toArray()[0].toObject();
    const QJsonObject curve = model["curves"].toObject()["useful_by_pce"].toObject();
    // Without labels there is no utility.
    QCOMPARE(curve["lines"].toObject().keys(),
             (QStringList{"membership_auc", "membership_auc/random", "membership_tpr_1", "membership_tpr_1/random"}));
    QCOMPARE(curve["lines"].toObject()["membership_auc"].toObject()["y"].toArray().size(), 10);
    QCOMPARE(curve["lines"].toObject()["membership_auc"].toObject()["y"].toArray()[0].toDouble(),
             model["metrics"].toObject()["membership_auc"].toDouble());
    QVERIFY(curve["note"].toString().contains("worst first by PCE"));
}

void AssayScoreCurvesTest::refusesWhatCannotBe_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("message");
    QTest::newRow("real-side column") << QStringList{"--discard", "rce"} << 2 << "found 'rce'";
    QTest::newRow("real-side column, useful") << QStringList{"--discard-useful", "rce"} << 2 << "found 'rce'";
    QTest::newRow("row number") << QStringList{"--discard", "nearest_real"} << 2 << "found 'nearest_real'";
    QTest::newRow("bad samples without the curve") << QStringList{"--bad", path("bad.npy")} << 2 << "--bad-fraction";
    QTest::newRow("no such file") << QStringList{"--bad-fraction", "--bad", path("none.npy")} << 3 << "none.npy";
    QTest::newRow("other dimensions") << QStringList{"--bad-fraction", "--bad", path("narrow.npy")} << 3
                                      << "narrow.npy: expected 6 columns as in the real set " + path("real.npy") +
                                             ", found 5";
    QTest::newRow("too few bad samples") << QStringList{"--bad-fraction", "--bad", path("few.npy")} << 3
                                         << "few.npy: expected more than k = 5 rows, found 5";
    QTest::newRow("too few real samples to halve") // told before the audit, whose scores would be lost
        << QStringList{"--bad-fraction", "-k", "110"} << 3
        << "--bad-fraction: half of real: expected more than k = 110";
    QTest::newRow("output over the bad samples")
        << QStringList{"--bad-fraction", "--bad", path("bad.npy"), "--json", path("bad.npy")} << 3 << "an input";
}

void AssayScoreCurvesTest::refusesWhatCannotBe() {
    QFETCH(QStringList, arguments);
    QFETCH(int, exitCode);
    QFETCH(QString, message);
    const bool named = arguments.contains(QStringLiteral("--json"));
    const Run run = score(sets() + arguments + (named ? QStringList() : QStringList{"--json", "-"}));
    QVERIFY2(run.exitCode == exitCode, run.err);
    QVERIFY2(QString::fromUtf8(run.err).contains(message), run.err);
}

ASSAY_TEST(assay_score_curves_test, AssayScoreCurvesTest)
#include "assay_score_curves_test.moc"
