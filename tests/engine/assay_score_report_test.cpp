// assay-score --report: from files, from the demo, from an audit file with its decisions; and what checkers and a
// browser say of the page, where they are installed.
#include "engine/audit/run/audit.h"
#include "engine/report/pages/report.h"
#include "engine/store/audit_file.h"
#include "engine/store/decisions.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include <memory>

using namespace assay;
using test::Run;
using test::score;

namespace {

QByteArray bytesOfFile(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
}

Run runProgram(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    return test::outcomeOf(process);
}

} // namespace

class AssayScoreReportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void theCommandMakesTheSameReport();
    void decisionsOfAnAuditFileAreReported();
    void aReportIsAnOutput();
    void wrongNamesAreWrongUsage();
    void inputsAreNotReplaced();
    void wordsOfTheShellAreQuoted_data();
    void wordsOfTheShellAreQuoted();
    void tidyFindsNothing();
    void aBrowserSaysNothing();

private:
    QString path(const QString& name) const { return folder_.path(name); }
    QStringList inputs() const {
        return {"--real", path("re al.npy"), "--synthetic", "a'b=" + path("fake.npy"), "--synthetic", path("far.npy")};
    }

    test::InputFolder folder_;
};

void AssayScoreReportTest::initTestCase() {
    folder_.write("re al.npy", test::gaussian(120, 6, 1));
    folder_.write("fake.npy", test::gaussian(100, 6, 2));
    folder_.write("far.npy", test::gaussian(110, 6, 3, 4.0F));
}

void AssayScoreReportTest::theCommandMakesTheSameReport() {
    const Run run = score(inputs() + QStringList{"-k", "4", "--fdr", "0.1", "--cover-k", "2", "--bad-fraction",
                                                 "--report", path("first.html"), "--quiet"});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    const QString page = QString::fromUtf8(bytesOfFile(path("first.html")));
    QString command = page.section("<pre><code>", 1).section("</code>", 0, 0);
    QVERIFY2(command.startsWith("assay-score --real "), qPrintable(command));
    for (const auto& [reference, sign] :
         {std::pair{"&#39;", "'"}, {"&quot;", "\""}, {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}})
        command.replace(QString(reference), QString(sign));
    QVERIFY(command.endsWith("--report report.html"));
    command = "cd '" + path("") + "' && PATH='" ASSAY_BIN_DIR "':$PATH " + command + " --quiet";
    const Run again = runProgram("sh", {"-c", command});
    QVERIFY2(again.exitCode == 0, again.err.constData());
    QCOMPARE(bytesOfFile(path("report.html")), page.toUtf8());
}

void AssayScoreReportTest::decisionsOfAnAuditFileAreReported() {
    QCOMPARE(score(inputs() + QStringList{"--out", path("kept.assay"), "--quiet"}).exitCode, 0);
    const std::string file = path("kept.assay").toStdString();
    const auto audit = readAuditFile(file);
    Decisions decisions;
    decisions.model = 1;
    decisions.rules = {{"pce", Bound::AtMost, audit->models[1]->column("pce")[0]}};
    decisions.rejectedByHand = SampleSet{{syntheticSet(0), 5}, {syntheticSet(1), 7}};
    writeDecisions(file, decisions);
    const Run run = score({"--open", path("kept.assay"), "--report", path("kept.md"), "--quiet"});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    const QString text = QString::fromUtf8(bytesOfFile(path("kept.md")));
    const std::vector<std::uint32_t> first{5};
    const std::vector<std::uint32_t> second{7};
    const KeptSamples of0 = keptSamples(*audit, 0, {decisions.rules, first});
    const KeptSamples of1 = keptSamples(*audit, 1, {decisions.rules, second});
    QVERIFY(of0.left.rejectedCount >= 1);
    QVERIFY(of1.left.rejectedCount > 1);
    for (const KeptSamples& decided : {of0, of1})
        QVERIFY2(text.contains(QString("- %1 samples kept, %2 rejected, of these 1 by hand")
                                   .arg(decided.left.keptCount)
                                   .arg(decided.left.rejectedCount)),
                 qPrintable(text));
    QCOMPARE(text.count("- Keep samples whose PCE "), 2);
    QVERIFY(text.contains("assay-score --open "));
}

void AssayScoreReportTest::aReportIsAnOutput() {
    QCOMPARE(score(inputs() + QStringList{"--quiet"}).exitCode, 2);
    QCOMPARE(score(inputs() + QStringList{"--quick", "--quiet", "--report", path("quick.htm")}).exitCode, 0);
    QVERIFY(bytesOfFile(path("quick.htm")).startsWith("<!DOCTYPE html>"));
    QCOMPARE(score(inputs() + QStringList{"--sample-size", "--quiet", "--report", path("curves.html")}).exitCode, 2);
    QVERIFY(!QFile::exists(path("curves.html")));
}

void AssayScoreReportTest::wrongNamesAreWrongUsage() {
    const Run run = score(inputs() + QStringList{"--report", path("report.pdf")});
    QCOMPARE(run.exitCode, 2);
    QVERIFY2(run.err.contains(".html"), run.err.constData());
    const Run nowhere = score(inputs() + QStringList{"--report", path("not-there/report.html")});
    QCOMPARE(nowhere.exitCode, 3);
    QVERIFY2(nowhere.err.contains("not-there"), nowhere.err.constData());
}

void AssayScoreReportTest::inputsAreNotReplaced() {
    const QString linked = path("input.html");
    QVERIFY(QFile::link(path("fake.npy"), linked));
    const Run run = score(inputs() + QStringList{"--report", linked});
    QCOMPARE(run.exitCode, 3);
    QVERIFY2(run.err.contains("an input"), run.err.constData());
    const Run both = score(inputs() + QStringList{"--report", path("both.html"), "--json", path("both.html")});
    QCOMPARE(both.exitCode, 3);
}

void AssayScoreReportTest::wordsOfTheShellAreQuoted_data() {
    QTest::addColumn<QString>("word");
    for (const char* word :
         {"plain-1.npz", "with blank", "it's", "$HOME `id` $(id)", "a\\b\"c", "", "*?[x]", "new\nline", "~"})
        QTest::newRow(word) << word;
}

void AssayScoreReportTest::wordsOfTheShellAreQuoted() {
    QFETCH(QString, word);
    const QString quoted = QString::fromStdString(shellWord(word.toStdString()));
    QCOMPARE(QString::fromUtf8(runProgram("sh", {"-c", "printf %s " + quoted}).out), word);
}

void AssayScoreReportTest::tidyFindsNothing() {
    if (QStandardPaths::findExecutable("tidy").isEmpty())
        QSKIP("tidy is not installed");
    QCOMPARE(score({"--demo", "--quiet", "--bad-fraction", "--report", path("demo.html")}).exitCode, 0);
    const Run run = runProgram("tidy", {"-q", "-e", path("demo.html")});
    QCOMPARE(run.err, QByteArray());
    QCOMPARE(run.exitCode, 0);
    folder_.writeBytes("broken.html", bytesOfFile(path("demo.html")).replace("</figure>", ""));
    QVERIFY(runProgram("tidy", {"-q", "-e", path("broken.html")}).exitCode != 0); // it does look
}

void AssayScoreReportTest::aBrowserSaysNothing() {
    const QString browser = QStandardPaths::findExecutable("chromium");
    if (browser.isEmpty())
        QSKIP("chromium is not installed");
    QCOMPARE(score(inputs() + QStringList{"--quiet", "--report", path("page.html")}).exitCode, 0);
    folder_.writeBytes("loud.html",
                       bytesOfFile(path("page.html")).replace("</main>", "<img src=\"x.png\" alt=\"x\"></main>"));
    const auto saidOf = [&](const QString& name) {
        return runProgram(browser, {"--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0",
                                    "--user-data-dir=" + path("browser"), "--dump-dom", "file://" + path(name)});
    };
    const Run quiet = saidOf("page.html");
    if (!quiet.out.contains("</html>"))
        QSKIP("chromium does not run here");
    QVERIFY2(!quiet.err.contains("CONSOLE"), quiet.err.constData());
    QVERIFY(saidOf("loud.html").err.contains("CONSOLE")); // a request would be told
}

ASSAY_TEST(assay_score_report_test, AssayScoreReportTest)
#include "assay_score_report_test.moc"
