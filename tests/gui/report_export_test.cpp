// Reports from the window: every format of the real demo, what was decided in them, and cancelling.
#include "gui/desktop/settings.h"
#include "gui/report/page_breaks.h"
#include "gui/report/pdf_report.h"
#include "gui/report/report_export.h"
#include "gui/window/main_window.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/probe_window.h"
#include "tests/gui/support/wait_idle.h"
#include "tests/support/test_entry.h"

#include "engine/base/error.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMessageBox>
#include <QPainter>
#include <QPdfWriter>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTimer>
#include <QtTest>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <thread>

using namespace assay;

class ReportExportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void theMenuOffersEveryFormat();
    void theChosenFormatNamesTheFile();
    void everyFormatTellsWhatWasDecided_data();
    void everyFormatTellsWhatWasDecided();
    void everyDecidedModelIsReported();
    void aPdfHasPagesAndText();
    void aPdfIsMadeOnAnyThread();
    void aCancelledReportLeavesNothing_data();
    void aCancelledReportLeavesNothing();
    void otherExtensionsAreRefused();
    void wideTablesFit_data();
    void wideTablesFit();
    void headingsStayWithWhatFollows();
    void blocksHigherThanAPageGoOn();

private:
    QByteArray contentOf(const QString& path) const {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Exports and waits. @return the file's path
    QString exported(const QString& name) {
        const QString path = demo_->file(name);
        QSignalSpy written(&demo_->session, &AuditSession::exported);
        demo_->session.exportReport(path);
        return written.wait(60000) ? path : QString();
    }
    /// The audit of the window, with a rule.
    ReportContent content() const {
        ReportContent content;
        content.audit = demo_->session.state().audit;
        content.decisions.rules = {{"fidelity", Bound::AtLeast, 0.5}};
        return content;
    }

    std::unique_ptr<test::DemoWindow> demo_;
};

namespace {

qsizetype pagesOf(const QByteArray& pdf) {
    static const QRegularExpression page(QStringLiteral("/Type */Page\\b(?!s)"));
    auto found = page.globalMatch(QString::fromLatin1(pdf));
    qsizetype pages = 0;
    for (; found.hasNext(); found.next())
        ++pages;
    return pages;
}

PrintedBlock blockOf(double height, bool keepsWithNext = false) {
    PrintedBlock block;
    block.height = height;
    block.keepsWithNext = keepsWithNext;
    return block;
}

} // namespace

void ReportExportTest::initTestCase() {
    demo_ = std::make_unique<test::DemoWindow>();
    QVERIFY(demo_->open());
}

void ReportExportTest::init() {
    QVERIFY(demo_->reset());
    QVERIFY(test::waitIdle(demo_->session));
}

void ReportExportTest::theMenuOffersEveryFormat() {
    QString name;
    QString filter;
    FilePrompts prompts = filePrompts();
    prompts.save = [&](QWidget*, const QString&, const QString& suggested, const QString& formats) {
        name = suggested;
        filter = formats;
        return demo_->file(QStringLiteral("asked.html"));
    };
    MainWindow window(&demo_->session, &demo_->theme, test::probePanels(), prompts);
    auto* action = window.findChild<QAction*>(QStringLiteral("actionExportReport"));
    QVERIFY(action && action->isEnabled());
    QCOMPARE(action->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
    QSignalSpy written(&demo_->session, &AuditSession::exported);
    action->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 60000);
    QVERIFY(name.endsWith(QLatin1String(".html")));
    QVERIFY(filter.startsWith(QLatin1String("HTML")));
    for (const char* extension : {"*.html", "*.pdf", "*.md", "*.json"})
        QVERIFY2(filter.contains(QLatin1String(extension)), extension);
    QVERIFY(contentOf(demo_->file(QStringLiteral("asked.html"))).startsWith("<!DOCTYPE html>"));
}

void ReportExportTest::theChosenFormatNamesTheFile() {
    Settings().setLastFolder(demo_->file({}));
    QString shown;
    QTimer::singleShot(0, this, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr)
            return;
        QTest::keyClick(dialog->findChild<QComboBox*>(QStringLiteral("fileTypeCombo")), Qt::Key_Down);
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        shown = name->text();
        name->setText(QStringLiteral("typed without an ending"));
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
    });
    const QString file = filePrompts().save(&demo_->window, {}, QStringLiteral("real.audit.html"),
                                            QStringLiteral("HTML (*.html *.htm);;PDF (*.pdf)"));
    QCOMPARE(shown, QStringLiteral("real.audit.pdf"));
    QCOMPARE(QFileInfo(file).fileName(), QStringLiteral("typed without an ending.pdf"));
}

void ReportExportTest::everyFormatTellsWhatWasDecided_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("begins");
    QTest::addColumn<double>("least"); // fidelity: each another, as what was reported once stays saved
    QTest::addColumn<bool>("isSaved");
    QTest::newRow("html") << QStringLiteral("report.html") << QByteArray("<!DOCTYPE html>") << 0.3 << true;
    QTest::newRow("capitals") << QStringLiteral("REPORT.HTM") << QByteArray("<!DOCTYPE html>") << 0.4 << true;
    QTest::newRow("pdf") << QStringLiteral("report.pdf") << QByteArray("%PDF-") << 0.5 << true;
    QTest::newRow("markdown") << QStringLiteral("report.md") << QByteArray("## Evaluation") << 0.6 << false;
    QTest::newRow("json") << QStringLiteral("report.json") << QByteArray("{") << 0.7 << true;
}

void ReportExportTest::everyFormatTellsWhatWasDecided() {
    QFETCH(QString, name);
    QFETCH(QByteArray, begins);
    QFETCH(double, least);
    QFETCH(bool, isSaved);
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, least}});
    QVERIFY(demo_->session.hasUnsavedDecisions());
    const QString path = exported(name);
    QVERIFY(!path.isEmpty());
    const QByteArray text = contentOf(path);
    QVERIFY(text.startsWith(begins));
    QCOMPARE(demo_->session.hasUnsavedDecisions(), !isSaved);
    if (name.endsWith(QLatin1String(".pdf")))
        return; // its text is compressed
    if (name.endsWith(QLatin1String(".json"))) {
        QVERIFY(QJsonDocument::fromJson(text).object().contains(QStringLiteral("kept")));
        return;
    }
    const ModelAudit& model = demo_->session.state().current();
    QVERIFY(text.contains(QByteArray::fromStdString(model.summary).left(30)));
    QVERIFY(text.contains(name.endsWith(QLatin1String(".md")) ? "What was rejected of" : "What was rejected, and"));
    QVERIFY(text.contains(QByteArray::number(static_cast<qulonglong>(demo_->session.document()->rejectedCount())) +
                          " rejected"));
    QVERIFY(text.contains(name.endsWith(QLatin1String(".md")) ? "- keep fidelity" : "<li>keep fidelity"));
}

void ReportExportTest::everyDecidedModelIsReported() {
    const SampleId other{syntheticSet(1), 3};
    demo_->session.editor()->judge(SampleSet({other}), HandVerdict::Rejected);
    const QByteArray ofOne = contentOf(exported(QStringLiteral("one.html")));
    QCOMPARE(ofOne.count("What was rejected, and"), 1); // by hand, of a model that is not on show
    QVERIFY(ofOne.contains("1 rejected, of these 1 by hand"));
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    const QByteArray ofAll = contentOf(exported(QStringLiteral("all.html")));
    QCOMPARE(ofAll.count("What was rejected, and"),
             static_cast<qsizetype>(demo_->session.state().audit->models.size()));
}

void ReportExportTest::aPdfHasPagesAndText() {
    const QString folder = qEnvironmentVariable("ASSAY_SHOT_DIR", demo_->file({}));
    const QString path = folder + QStringLiteral("/pages.pdf");
    writeReportFile(content(), path, {});
    const QByteArray pdf = contentOf(path);
    QVERIFY(pdf.startsWith("%PDF-") && pdf.trimmed().endsWith("%%EOF"));
    // A page of verdicts, one for each model at least, and one of definitions.
    QVERIFY(pagesOf(pdf) >= 2 + static_cast<qsizetype>(demo_->session.state().audit->models.size()));
    QVERIFY(pdf.contains("/ToUnicode")); // text stays text
    QVERIFY(pdf.contains("/MediaBox [0 0 595 842]") || pdf.contains("/MediaBox [0 0 595.000000 842.000000]"));
}

void ReportExportTest::aPdfIsMadeOnAnyThread() {
    const auto audit = content().audit;
    QByteArray pdf;
    std::thread([&] { pdf = pdfReport(*audit); }).join();
    QCOMPARE(pagesOf(pdf), pagesOf(pdfReport(*audit)));
    QVERIFY(pagesOf(pdf) > 0);
}

void ReportExportTest::aCancelledReportLeavesNothing_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("at");
    for (const QString& name :
         {QStringLiteral("stopped.html"), QStringLiteral("stopped.pdf"), QStringLiteral("stopped.md")})
        for (const double at : {0.0, 0.3, 0.7})
            QTest::newRow(qPrintable(QStringLiteral("%1 at %2").arg(name).arg(at))) << name << at;
    QTest::newRow("stopped.pdf on its pages") << QStringLiteral("stopped.pdf") << 0.9;
}

void ReportExportTest::aCancelledReportLeavesNothing() {
    QFETCH(QString, name);
    QFETCH(double, at);
    QTemporaryDir folder;
    std::stop_source stop;
    const JobContext job(stop.get_token(), [&](const Progress& progress) {
        if (progress.fraction >= at)
            stop.request_stop();
    });
    if (at == 0.0)
        stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(writeReportFile(content(), folder.filePath(name), job), Cancelled);
    QVERIFY(QDir(folder.path()).isEmpty());
}

void ReportExportTest::otherExtensionsAreRefused() {
    QSignalSpy failed(&demo_->session, &AuditSession::failed);
    QSignalSpy written(&demo_->session, &AuditSession::exported);
    demo_->session.exportReport(demo_->file(QStringLiteral("report.docx")));
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(failed[0][1].toString().contains(QLatin1String(".docx")));
    QVERIFY(failed[0][1].toString().contains(QLatin1String(".pdf")));
    QVERIFY(written.isEmpty());
    QVERIFY(!QFileInfo::exists(demo_->file(QStringLiteral("report.docx"))));
    auto* box = demo_->window.findChild<QMessageBox*>(QStringLiteral("error"));
    QVERIFY(box);
    box->close();
}

void ReportExportTest::wideTablesFit_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("short") << QStringLiteral("gan");
    QTest::newRow("many words") << QStringLiteral("a model that was trained on everything for a long time");
    QTest::newRow("one long word") << QString(80, QLatin1Char('m'));
}

void ReportExportTest::wideTablesFit() {
    QFETCH(QString, name);
    QString headings = QStringLiteral("<th>Score</th>");
    QString cells = QStringLiteral("<th>Clipped density</th>");
    for (int column = 0; column < 6; ++column) {
        headings += QStringLiteral("<th class=\"number\">%1</th>").arg(name);
        cells += QStringLiteral("<td class=\"number\">0.0105 <span class=\"below\">0.00650 to 0.0150</span></td>");
    }
    const PageNode body = parseReport(QStringLiteral("<html><body><table><thead><tr>%1</tr></thead><tbody><tr>%2</tr>"
                                                     "</tbody></table></body></html>")
                                          .arg(headings, cells)
                                          .toStdString());
    const PageNode& table = body.children.front();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QPdfWriter device(&buffer);
    device.setResolution(100);
    const Paper paper{&device, 700.0, 100.0 / 72.0}; // as wide as the text of an A4 page
    QImage drawn(1400, 400, QImage::Format_RGB32);
    drawn.setDotsPerMeterX(3937);
    drawn.setDotsPerMeterY(3937);
    drawn.fill(Qt::white);
    QPainter painter(&drawn);
    double y = 0.0;
    for (const PrintedBlock& block : printedTable(paper, table)) {
        block.draw(painter, {0.0, y});
        y += block.height;
    }
    painter.end();
    int rightmost = 0;
    for (int row = 0; row < drawn.height(); ++row)
        for (int x = 0; x < drawn.width(); ++x)
            if (drawn.pixelColor(x, row) != Qt::white)
                rightmost = std::max(rightmost, x);
    QVERIFY2(rightmost <= 702, qPrintable(QString::number(rightmost)));
    QVERIFY(rightmost > 300);
}

void ReportExportTest::headingsStayWithWhatFollows() {
    const PrintedBlocks blocks{blockOf(90.0), blockOf(8.0, true), blockOf(20.0)};
    const auto pages = placeOnPages(blocks, 100.0);
    QCOMPARE(pages.size(), std::size_t{2});
    QCOMPARE(pages[0].size(), std::size_t{1}); // though the heading had room there
    QCOMPARE(pages[1].size(), std::size_t{2});
    QCOMPARE(pages[1][1].top, 8.0);
    // What no page holds is no reason for an empty one.
    const PrintedBlocks large{blockOf(60.0), blockOf(30.0, true), blockOf(80.0)};
    QCOMPARE(placeOnPages(large, 100.0)[0].size(), std::size_t{2});
}

void ReportExportTest::blocksHigherThanAPageGoOn() {
    const auto pages = placeOnPages({blockOf(50.0), blockOf(230.0), blockOf(20.0)}, 100.0);
    QCOMPARE(pages.size(), std::size_t{4});
    QCOMPARE(pages[2][0].skipped, 100.0);
    QCOMPARE(pages[3][0].skipped, 200.0);
    QCOMPARE(pages[3][1].top, 30.0);
}

ASSAY_TEST(report_export_test, ReportExportTest)
#include "report_export_test.moc"
