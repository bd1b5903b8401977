// assay-score --export: what it writes, and what it refuses before it begins.
#include "engine/audit/run/audit.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/store/audit_file.h"
#include "engine/store/decisions.h"
#include "engine/subsets/rules/filter.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QtTest>

#include <memory>

using namespace assay;
using test::Run;
using test::score;

class AssayScoreExportTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void writesByRules();
    void nothingIsWrittenWhereOneHasNothingToHold();
    void writesByTheDecisionsOfAnAudit();
    void severalModelsNeedTheirNames();
    void usageIsToldAtOnce_data();
    void usageIsToldAtOnce();
    void inputsAndOtherOutputsAreNotReplaced();
    void replacesAFileButNoFolder();
    void aFullDiskLeavesNothing_data();
    void aFullDiskLeavesNothing();

private:
    QString path(const QString& name) const { return folder_->path(name); }
    QByteArray content(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
    }
    QStringList inputs() const {
        return {"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--rules", path("rules.json"), "--quick"};
    }
    QStringList names() const {
        return QDir(path(".")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

    std::unique_ptr<test::InputFolder> folder_;
};

void AssayScoreExportTest::init() {
    folder_ = std::make_unique<test::InputFolder>();
    folder_->write("real.npy", test::gaussian(120, 6, 1));
    folder_->write("fake.npy", test::gaussian(100, 6, 2));
    folder_->write("other.npy", test::gaussian(90, 6, 3));
    folder_->writeBytes("rules.json", R"([{"column":"fidelity","bound":"at_least","value":0.5}])");
}

void AssayScoreExportTest::writesByRules() {
    const Run run =
        score(inputs() + QStringList{"--export", "kept=" + path("kept.txt"), "--export",
                                     "rejected=" + path("rejected.csv"), "--export", "kept=" + path("kept.npz")});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    const auto kept = content("kept.txt").count('\n');
    const auto rejected = content("rejected.csv").count('\n') - 1;
    QVERIFY(kept > 10 && rejected > 10);
    QCOMPARE(kept + rejected, 100);
    QVERIFY2(run.out.contains("kept.txt: " + QByteArray::number(kept) + " of 100 samples of fake"),
             run.out.constData());
    QCOMPARE(readEmbeddings(path("kept.npz").toStdString())->rows(), static_cast<std::size_t>(kept));
    const Run quiet = score(inputs() + QStringList{"--quiet", "--export", "kept=" + path("quiet.txt")});
    QCOMPARE(quiet.exitCode, 0);
    QCOMPARE(quiet.out + quiet.err, QByteArray());
    QCOMPARE(content("quiet.txt"), content("kept.txt"));
}

void AssayScoreExportTest::nothingIsWrittenWhereOneHasNothingToHold() {
    folder_->writeBytes("rules.json", R"([{"column":"fidelity","bound":"at_least","value":1000}])");
    const Run run = score(inputs() + QStringList{"--json", path("a.json"), "--export", "kept=" + path("a.csv"),
                                                 "--export", "kept=" + path("a.npz")});
    QCOMPARE(run.exitCode, 3);
    QVERIFY2(run.err.contains("a.npz: expected at least one sample to write, found none"), run.err.constData());
    QVERIFY(!QFile::exists(path("a.csv")) && !QFile::exists(path("a.json")));
}

void AssayScoreExportTest::writesByTheDecisionsOfAnAudit() {
    AuditRequest request;
    request.real = readEmbeddings(path("real.npy").toStdString());
    request.models = {{"fake", readEmbeddings(path("fake.npy").toStdString())},
                      {"other", readEmbeddings(path("other.npy").toStdString())}};
    const auto audit = runAudit(request);
    Decisions decisions;
    decisions.rules = {{"fidelity", Bound::AtLeast, 0.5}};
    const std::vector<bool> byRules = AppliedFilter(*audit, 1, {decisions.rules}).kept();
    const auto firstWith = [&](bool kept) {
        return static_cast<std::uint32_t>(std::find(byRules.begin(), byRules.end(), kept) - byRules.begin());
    };
    decisions.rejectedByHand = {{syntheticSet(1), firstWith(true)}};
    decisions.accepted = {{syntheticSet(1), firstWith(false)}};
    decisions.tags.give(3, {{syntheticSet(1), firstWith(true)}});
    decisions.tagNames[2] = "odd";
    decisions.notes[{syntheticSet(1), firstWith(true)}] = "a note";
    writeAuditFile(*audit, path("saved.assay").toStdString(), {}, &decisions);
    const QByteArray before = content("saved.assay");

    const Run run = score({"--open", path("saved.assay"), "--model", "other", "--export", "rejected=" + path("r.jsonl"),
                           "--export", "kept=" + path("k.txt")});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    const QByteArray rejected = content("r.jsonl");
    QVERIFY(rejected.contains(R"("reason":"rejected by hand","tags":["odd"],"note":"a note"})"));
    const QList<QByteArray> kept = content("k.txt").split('\n');
    QVERIFY(kept.contains(QByteArray::number(firstWith(false))) && !kept.contains(QByteArray::number(firstWith(true))));
    QCOMPARE(kept.size() - 1, std::count(byRules.begin(), byRules.end(), true));

    const Run over =
        score({"--open", path("saved.assay"), "--model", "other", "--export", "kept=" + path("saved.npz")});
    QVERIFY2(over.exitCode == 0, over.err.constData());
    QFile::remove(path("saved.txt"));
    QVERIFY(QFile::link(path("saved.assay"), path("saved.txt")));
    const Run itself =
        score({"--open", path("saved.assay"), "--model", "other", "--export", "kept=" + path("saved.txt")});
    QCOMPARE(itself.exitCode, 3);
    QCOMPARE(content("saved.assay"), before);
}

void AssayScoreExportTest::severalModelsNeedTheirNames() {
    const QStringList two = inputs() + QStringList{"--synthetic", "a b=" + path("other.npy")};
    const Run one = score(two + QStringList{"--export", "kept=" + path("kept.txt")});
    QCOMPARE(one.exitCode, 3);
    QVERIFY2(one.err.contains("{model}") && !QFile::exists(path("kept.txt")), one.err.constData());
    const Run both = score(two + QStringList{"--export", "kept=" + path("{model}.kept.txt")});
    QVERIFY2(both.exitCode == 0, both.err.constData());
    QVERIFY(QFile::exists(path("fake.kept.txt")) && QFile::exists(path("a b.kept.txt")));
    const Run named = score(two + QStringList{"--model", "a b", "--export", "kept=" + path("kept.txt")});
    QCOMPARE(named.exitCode, 0);
    QCOMPARE(content("kept.txt"), content("a b.kept.txt"));
    const Run unknown = score(two + QStringList{"--model", "c", "--export", "kept=" + path("c.txt")});
    QCOMPARE(unknown.exitCode, 3);
    QVERIFY2(unknown.err.contains("fake, a b"), unknown.err.constData());
}

void AssayScoreExportTest::usageIsToldAtOnce_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("no file") << QStringList{"--rules", "rules.json", "--export", "kept="} << QByteArray("kept=FILE");
    QTest::newRow("other samples") << QStringList{"--rules", "rules.json", "--export", "all=x.csv"}
                                   << QByteArray("kept=FILE");
    QTest::newRow("no format") << QStringList{"--rules", "rules.json", "--export", "kept=x.doc"}
                               << QByteArray(".jsonl");
    QTest::newRow("no rules") << QStringList{"--export", "kept=x.csv"} << QByteArray("--rules");
    QTest::newRow("model alone") << QStringList{"--model", "x"} << QByteArray("--export");
}

void AssayScoreExportTest::usageIsToldAtOnce() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, told);
    arguments.replaceInStrings(QStringLiteral("rules.json"), path("rules.json"));
    const Run run = score(QStringList{"--real", path("none.npy"), "--synthetic", path("none.npy")} + arguments);
    QCOMPARE(run.exitCode, 2);
    QVERIFY2(run.err.contains(told) && !run.err.contains("none.npy"), run.err.constData());
}

void AssayScoreExportTest::inputsAndOtherOutputsAreNotReplaced() {
    const QByteArray real = content("real.npy");
    const Run input = score(inputs() + QStringList{"--export", "kept=" + path("real.npy")});
    QCOMPARE(input.exitCode, 3);
    QVERIFY2(input.err.contains("an input"), input.err.constData());
    QCOMPARE(content("real.npy"), real);
    const Run twice =
        score(inputs() + QStringList{"--export", "kept=" + path("x.csv"), "--export", "rejected=" + path("x.csv")});
    QCOMPARE(twice.exitCode, 3);
    const Run json = score(inputs() + QStringList{"--export", "kept=" + path("x.txt"), "--json", path("x.txt")});
    QCOMPARE(json.exitCode, 3);
    const Run nowhere = score(inputs() + QStringList{"--export", "kept=" + path("no/such/x.csv")});
    QCOMPARE(nowhere.exitCode, 3);
    QCOMPARE(names(), QStringList({"fake.npy", "other.npy", "real.npy", "rules.json"}));
}

void AssayScoreExportTest::replacesAFileButNoFolder() {
    folder_->writeBytes("kept.csv", "before");
    QCOMPARE(score(inputs() + QStringList{"--export", "kept=" + path("kept.csv")}).exitCode, 0);
    QVERIFY(content("kept.csv").startsWith("row,id,label,"));
    QVERIFY(QDir(path(".")).mkpath("pictures"));
    folder_->writeBytes("pictures/mine.txt", "mine");
    const Run folder = score(inputs() + QStringList{"--export", "kept=" + path("pictures/")});
    QCOMPARE(folder.exitCode, 3);
    QVERIFY2(folder.err.contains("empty folder"), folder.err.constData());
    const Run none = score(inputs() + QStringList{"--export", "kept=" + path("new/")}); // a set without pictures
    QCOMPARE(none.exitCode, 3);
    QVERIFY2(none.err.contains("pictures") && !QFile::exists(path("new")), none.err.constData());
}

void AssayScoreExportTest::aFullDiskLeavesNothing_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"kept.csv", "kept.jsonl", "kept.npz", "kept.zip", "kept/"})
        QTest::newRow(file) << QString::fromUtf8(file);
}

void AssayScoreExportTest::aFullDiskLeavesNothing() {
    QFETCH(QString, file);
    const QStringList before = names();
    // A limit on the size of files stands in for the disk. The demo has pictures.
    QProcess shell;
    shell.start("bash", {"-c", "ulimit -f 8; exec \"$@\"", "bash", test::scoreProgram(), "--demo", "--quick", "--quiet",
                         "--rules", path("rules.json"), "--model", "faithful", "--export", "kept=" + path(file)});
    const Run run = test::outcomeOf(shell);
    QCOMPARE(run.exitCode, 3);
    QVERIFY2(run.err.contains(path("kept").toUtf8()), run.err.constData());
    QCOMPARE(names(), before);
}

ASSAY_TEST(assay_score_export_test, AssayScoreExportTest)
#include "assay_score_export_test.moc"
