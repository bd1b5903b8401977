// Reports from the window: every format of the real demo, what was decided in them, and cancelling.
#include "gui/desktop/settings.h"
#include "gui/report/pdf_report.h"
#include "gui/report/report_export.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/probe_window.h"
#include "tests/support/test_entry.h"

#include "engine/base/error.h"
#include "engine/base/job_context.h"

#include <QtWidgets>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stop_token>

using namespace assay;

class ReportExportTest : public QObject, protected test::DemoTest {
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
    void aPdfIsMadeOnAWorkerThread();
    void aCancelledReportLeavesNothing_data();
    void aCancelledReportLeavesNothing();
    void otherExtensionsAreRefused();
    void wideTablesFit_data();
    void wideTablesFit();
    void headingsStayWithWhatFollows_data();
    void headingsStayWithWhatFollows();
    void rowsStayWhole();
    void contentsNamePages();
    void panelsHigherThanAPageGoOn();
    void writesAPageToExplore();

private:
    /// Exports and waits. @return the file's path
    QString exported(const QString& name) {
        const QString path = demo_->file(name);
        QSignalSpy written(session_, &AuditSession::exported);
        session_->exportReport(path);
        return written.wait(60000) ? path : QString();
    }
    /// The audit of the window, with a rule.
    ReportContent content() const {
        ReportContent content;
        content.audit = state().audit;
        content.decisions.rules = {{"fidelity", Bound::AtLeast, 0.5}};
        return content;
    }
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

/// A report on small pages of 100 dots an inch.
struct PrintedPages {
    explicit PrintedPages(const QString& body) {
        device.setResolution(100);
        const QString report = QStringLiteral("<html><body>%1</body></html>").arg(body);
        document = printedReport(report.toStdString(), device, page, {});
    }
    QTextBlock blockWith(const QString& text) const {
        QTextBlock block = document->begin();
        while (block.isValid() && !block.text().contains(text))
            block = block.next();
        return block;
    }
    QRectF boxOf(const QTextBlock& block) const { return document->documentLayout()->blockBoundingRect(block); }
    /// From 0 on: that of the first line, which may be on another page than the paragraph's box.
    int pageOf(const QTextBlock& block) const {
        const QTextLayout& layout = *block.layout();
        return pageAt(boxOf(block).top() - layout.boundingRect().top() + layout.lineAt(0).rect().center().y());
    }
    int pageOf(const QString& text) const { return pageOf(blockWith(text)); }
    /// From 0 on, of a height in the document.
    int pageAt(double y) const { return static_cast<int>(std::floor(y / page.height())); }
    /// The last table of the document.
    QTextTable* table() const { return qobject_cast<QTextTable*>(document->rootFrame()->childFrames().constLast()); }

    QBuffer buffer;
    QPdfWriter device{&buffer};
    QSizeF page{700.0, 400.0};
    std::unique_ptr<QTextDocument> document;
};

QString lines(int count) {
    return QStringLiteral("<p>line</p>").repeated(count);
}

QString tableOf(const QString& headings, const QString& rows) {
    return QStringLiteral(
               "<div><table><caption>Caption</caption><thead><tr>%1</tr></thead><tbody>%2</tbody></table></div>")
        .arg(headings, rows);
}

} // namespace

void ReportExportTest::initTestCase() {
    QVERIFY(openDemo());
}

void ReportExportTest::init() {
    QVERIFY(demo_->reset());
    QVERIFY(test::waitIdle(*session_));
}

void ReportExportTest::theMenuOffersEveryFormat() {
    QString name;
    QString filter;
    FilePrompts prompts = filePrompts();
    prompts.save = [&](QWidget*, const QString&, const QString& suggested, const QString& formats) {
        name = suggested;
        filter = formats;
        return file("asked.html");
    };
    MainWindow window(session_, &demo_->theme, test::probePanels(), prompts);
    auto* action = window.findChild<QAction*>(QStringLiteral("actionExportReport"));
    QVERIFY(action && action->isEnabled());
    QCOMPARE(action->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
    QSignalSpy written(session_, &AuditSession::exported);
    action->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 60000);
    QVERIFY(name.endsWith(QLatin1String(".html")));
    QVERIFY(filter.startsWith(QLatin1String("HTML")));
    for (const char* extension : {"*.html", "*.pdf", "*.md", "*.json"})
        QVERIFY2(filter.contains(QLatin1String(extension)), extension);
    QVERIFY(test::contentOf(file("asked.html")).startsWith("<!DOCTYPE html>"));
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
    const QString file = filePrompts().save(window_, {}, QStringLiteral("real.audit.html"),
                                            QStringLiteral("HTML (*.html *.htm);;PDF (*.pdf)"));
    QCOMPARE(shown, QStringLiteral("real.audit.pdf"));
    QCOMPARE(QFileInfo(file).fileName(), QStringLiteral("typed without an ending.pdf"));
}

void ReportExportTest::everyFormatTellsWhatWasDecided_data() {
    // fidelity: each another, as what was reported once stays saved
    test::addColumns<QString, QByteArray, double, bool>("name", "begins", "least", "isSaved");
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
    setRules({{"fidelity", Bound::AtLeast, least}});
    QVERIFY(session_->hasUnsavedDecisions());
    const QString path = exported(name);
    QVERIFY(!path.isEmpty());
    const QByteArray text = test::contentOf(path);
    QVERIFY(text.startsWith(begins));
    QCOMPARE(session_->hasUnsavedDecisions(), !isSaved);
    if (name.endsWith(QLatin1String(".pdf")))
        return; // its text is compressed
    if (name.endsWith(QLatin1String(".json"))) {
        QVERIFY(QJsonDocument::fromJson(text).object().contains(QStringLiteral("kept")));
        return;
    }
    const ModelAudit& model = state().current();
    QVERIFY(text.contains(QByteArray::fromStdString(model.summary).left(30)));
    QVERIFY(text.contains(name.endsWith(QLatin1String(".md")) ? "What was rejected of" : "What was rejected, and"));
    QVERIFY(text.contains(QByteArray::number(static_cast<qulonglong>(session_->document()->rejectedCount())) +
                          " rejected"));
    QVERIFY(text.contains(name.endsWith(QLatin1String(".md")) ? "- Keep samples whose fidelity"
                                                              : "<li>Keep samples whose fidelity"));
}

void ReportExportTest::everyDecidedModelIsReported() {
    const SampleId other{syntheticSet(1), 3};
    session_->editor()->judge(SampleSet({other}), HandVerdict::Rejected);
    const QByteArray ofOne = test::contentOf(exported(QStringLiteral("one.html")));
    QCOMPARE(ofOne.count("What was rejected, and"), 1); // by hand, of a model that is not on show
    QVERIFY(ofOne.contains("1 rejected, of these 1 by hand"));
    setRules({{"fidelity", Bound::AtLeast, 0.5}});
    const QByteArray ofAll = test::contentOf(exported(QStringLiteral("all.html")));
    QCOMPARE(ofAll.count("What was rejected, and"), static_cast<qsizetype>(state().audit->models.size()));
}

void ReportExportTest::aPdfHasPagesAndText() {
    const QString folder = qEnvironmentVariable("ASSAY_SHOT_DIR", demo_->file({}));
    const QString path = folder + QStringLiteral("/pages.pdf");
    writeReportFile(content(), path, {});
    const QByteArray pdf = test::contentOf(path);
    QVERIFY(pdf.startsWith("%PDF-") && pdf.trimmed().endsWith("%%EOF"));
    // Verdicts, the comparison, a page for each model, and methods; the rest only where it is asked for.
    const auto models = static_cast<qsizetype>(state().audit->models.size());
    QVERIFY(pagesOf(pdf) >= 2 + models);
    QVERIFY2(pagesOf(pdf) <= 6 + models, qPrintable(QString::number(pagesOf(pdf))));
    ReportContent full = content();
    full.appendix = Appendix::Written;
    writeReportFile(full, folder + QStringLiteral("/appendix.pdf"), {});
    QVERIFY(pagesOf(test::contentOf(folder + QStringLiteral("/appendix.pdf"))) > pagesOf(pdf) + models);
    QVERIFY(pdf.contains("/ToUnicode")); // text stays text
    QVERIFY(pdf.contains("/MediaBox [0 0 595 842]") || pdf.contains("/MediaBox [0 0 595.000000 842.000000]"));
}

void ReportExportTest::aPdfIsMadeOnAWorkerThread() {
    const auto audit = content().audit;
    QTest::failOnWarning(QRegularExpression(QStringLiteral("thread|[Tt]imer"))); // of documents
    QByteArray pdf;
    QThreadPool worker;
    worker.start([&] { pdf = pdfReport(*audit); });
    QVERIFY(worker.waitForDone());
    QCOMPARE(pagesOf(pdf), pagesOf(pdfReport(*audit)));
    QVERIFY(pagesOf(pdf) > 0);
}

void ReportExportTest::aCancelledReportLeavesNothing_data() {
    test::addColumns<QString, double>("name", "at");
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
    QSignalSpy failed(session_, &AuditSession::failed);
    QSignalSpy written(session_, &AuditSession::exported);
    session_->exportReport(file("report.docx"));
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(failed[0][1].toString().contains(QLatin1String(".docx")));
    QVERIFY(failed[0][1].toString().contains(QLatin1String(".pdf")));
    QVERIFY(written.isEmpty());
    QVERIFY(!QFileInfo::exists(file("report.docx")));
    auto* box = child<QMessageBox>("error");
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
    const PrintedPages pages(tableOf(headings, QStringLiteral("<tr>%1</tr>").arg(cells)));
    QImage drawn(1400, 400, QImage::Format_RGB32);
    drawn.setDotsPerMeterX(3937);
    drawn.setDotsPerMeterY(3937);
    drawn.fill(Qt::white);
    QPainter painter(&drawn);
    pages.document->drawContents(&painter);
    painter.end();
    int rightmost = 0;
    for (int row = 0; row < drawn.height(); ++row)
        for (int x = 0; x < drawn.width(); ++x)
            if (drawn.pixelColor(x, row) != Qt::white)
                rightmost = std::max(rightmost, x);
    QVERIFY2(rightmost <= 702, qPrintable(QString::number(rightmost)));
    QVERIFY(rightmost > 300);
    for (int column = 1; column <= 6; ++column) { // numbers are not broken
        const QTextTableCell cell = pages.table()->cellAt(1, column);
        QCOMPARE(cell.firstCursorPosition().block().layout()->lineCount(), 1);
        QCOMPARE(cell.lastCursorPosition().block().layout()->lineCount(), 1);
    }
}

void ReportExportTest::headingsStayWithWhatFollows_data() {
    QTest::addColumn<QString>("next");
    QTest::newRow("text") << QStringLiteral("<p>next</p>");
    QTest::newRow("table") << tableOf(QStringLiteral("<th>next</th>"), QStringLiteral("<tr><td>cell</td></tr>"));
    QTest::newRow("panel") << QStringLiteral("<ol class=\"findings\"><li><p>next</p></li></ol>");
    QTest::newRow("gallery") << QStringLiteral("<p>Among them</p><ol class=\"gallery\"><li><p>next</p></li></ol>");
}

void ReportExportTest::headingsStayWithWhatFollows() {
    QFETCH(QString, next);
    int before = 0; // how often it would have had room on the page before
    for (int count = 1; count < 30; ++count) {
        const PrintedPages pages(lines(count) + QStringLiteral("<h3>Heading</h3>") + next);
        QCOMPARE(pages.pageOf(QStringLiteral("next")), pages.pageOf(QStringLiteral("Heading")));
        const double above = pages.boxOf(pages.blockWith(QStringLiteral("Heading")).previous()).bottom();
        before += pages.pageOf(QStringLiteral("Heading")) == 1 && pages.page.height() - above > 40.0 ? 1 : 0;
    }
    QVERIFY(before > 0);
}

void ReportExportTest::rowsStayWhole() {
    QString rows;
    for (int row = 1; row <= 60; ++row)
        rows +=
            QStringLiteral("<tr><th>row%1</th><td class=\"number\">1.0 <span class=\"below\">0 to 2</span></td></tr>")
                .arg(row);
    for (int count = 0; count < 8; ++count) {
        const PrintedPages pages(lines(count) + tableOf(QStringLiteral("<th>Name</th><th>Value</th>"), rows));
        const QTextTable* table = pages.table();
        QCOMPARE(table->format().headerRowCount(), 1); // which Qt repeats on each page
        QVERIFY(pages.document->pageCount() > 3);
        for (int row = 0; row < table->rows(); ++row) {
            const int page = pages.pageOf(table->cellAt(row, 0).firstCursorPosition().block());
            QCOMPARE(pages.pageOf(table->cellAt(row, 1).firstCursorPosition().block()), page);
            QCOMPARE(pages.pageOf(table->cellAt(row, 1).lastCursorPosition().block()), page);
        }
        QCOMPARE(pages.pageOf(QStringLiteral("row59")), pages.pageOf(QStringLiteral("row60")));
    }
}

void ReportExportTest::contentsNamePages() {
    const QString entry = QStringLiteral("<li><a href=\"#%1\">To %1</a></li>");
    const PrintedPages pages(QStringLiteral("<nav><ul>%1%2</ul></nav><h2 id=\"one\">First</h2>%3"
                                            "<section class=\"model\"><h2 id=\"two\">Second</h2></section>")
                                 .arg(entry.arg(QStringLiteral("one")), entry.arg(QStringLiteral("two")), lines(30)));
    QCOMPARE(pages.pageOf(QStringLiteral("First")), 0);
    const int second = pages.pageOf(QStringLiteral("Second"));
    QVERIFY(second > 1);
    QVERIFY(std::fmod(pages.boxOf(pages.blockWith(QStringLiteral("Second"))).top() + 1.0, pages.page.height()) < 3.0);
    QCOMPARE(pages.table()->cellAt(0, 1).firstCursorPosition().block().text(), QStringLiteral("1"));
    QCOMPARE(pages.table()->cellAt(1, 1).firstCursorPosition().block().text(), QString::number(second + 1));
}

void ReportExportTest::panelsHigherThanAPageGoOn() {
    const PrintedPages pages(
        QStringLiteral("<p>before</p><ol class=\"findings\"><li>%1</li></ol><p>after</p>").arg(lines(60)));
    QCOMPARE(pages.pageOf(QStringLiteral("before")), 0);
    QCOMPARE(pages.pageOf(QStringLiteral("line")), 0); // no page is left empty for what none holds
    QVERIFY(pages.pageOf(QStringLiteral("after")) >= 2);
    int highest = 0;
    for (QTextBlock block = pages.document->begin(); block.isValid(); block = block.next()) {
        QVERIFY(pages.pageOf(block) >= highest && pages.pageOf(block) <= highest + 1); // nor in between
        highest = std::max(highest, pages.pageOf(block));
    }
}

void ReportExportTest::writesAPageToExplore() {
    const QString path = demo_->file("page.html");
    QSignalSpy written(session_, &AuditSession::exported);
    session_->exportPage(path);
    QVERIFY(written.wait(120000));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray page = file.readAll();
    QVERIFY(page.startsWith("<!DOCTYPE html>"));
    QVERIFY(page.contains("default-src 'none'"));
    QVERIFY(page.endsWith("</body></html>\n"));
}

ASSAY_TEST(report_export_test, ReportExportTest)
#include "report_export_test.moc"
