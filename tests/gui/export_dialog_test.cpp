// Which samples to write, and how: the dialog, driven by keys, up to the files.
#include "gui/pages/export_dialog.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/probe_window.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

using namespace assay;
using test::waitIdle;

class ExportDialogTest : public QObject, private test::ProbeWindow {
    Q_OBJECT

private slots:
    void init() {
        begin();
        openDemo();
    }
    void cleanup() { end(); }

    void keysWriteRejectedSamples();
    void selectedAndTaggedSamplesCanBeWritten();
    void saysWhyThereIsNothingToWrite();
    void allModelsGetAFolder();
    void picturesNeedASetThatHasThem();
    void escapeWritesNothing();
    void quickActionsKnowWhatTheyWrite();
    void picturesOfTheDemoCanBeWritten();

private:
    ExportDialog* showDialog() const {
        action("actionExportSamples")->trigger();
        auto* dialog = child<ExportDialog>("exportDialog");
        dialog->activateWindow();
        return QTest::qWaitFor([dialog] { return dialog->isActiveWindow(); }) ? dialog : nullptr;
    }
    static void choose(ExportDialog* dialog, const char* box, const QString& text) {
        auto* choice = dialog->findChild<QComboBox*>(QString::fromUtf8(box));
        const int index = choice->findText(text, Qt::MatchStartsWith);
        QVERIFY2(index >= 0, qPrintable(text));
        choice->setCurrentIndex(index);
    }
    static QString told(const ExportDialog* dialog) {
        return dialog->findChild<QLabel*>(QStringLiteral("exportCount"))->text();
    }
    static QPushButton* button(const ExportDialog* dialog) {
        return dialog->findChild<QPushButton*>(QStringLiteral("exportButton"));
    }
    QByteArray content(const QString& name) const { return test::contentOf(data_.filePath(name)); }
};

void ExportDialogTest::keysWriteRejectedSamples() {
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    answers_ = {data_.path()};
    ExportDialog* dialog = showDialog();
    QVERIFY(dialog);
    QCOMPARE(told(dialog), QStringLiteral("5 of 10 samples of faithful"));
    auto* samples = dialog->findChild<QComboBox*>(QStringLiteral("exportSamples"));
    QVERIFY(samples->hasFocus());
    for (const char* name : {"exportSamples", "exportModels", "exportFormat"})
        QVERIFY(!dialog->findChild<QComboBox*>(QString::fromUtf8(name))->accessibleName().isEmpty());
    QTest::keyClick(samples, Qt::Key_Down);
    QCOMPARE(samples->currentText(), QStringLiteral("Rejected"));
    QTest::keyClick(dialog, Qt::Key_A, Qt::AltModifier); // As
    auto* format = dialog->findChild<QComboBox*>(QStringLiteral("exportFormat"));
    QVERIFY(format->hasFocus());
    QTest::keyClick(format, Qt::Key_Down);
    QTest::keyClick(dialog, Qt::Key_Return);
    QVERIFY(waitIdle(*session_));
    const QList<QByteArray> lines = content(QStringLiteral("faithful.rejected.jsonl")).trimmed().split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY2(lines[0].contains(R"("reason":"fidelity 0 < 0.5")"), lines[0].constData());
}

void ExportDialogTest::selectedAndTaggedSamplesCanBeWritten() {
    answers_ = {data_.path()};
    selection_->replace({sample(2), sample(7), {SetId::Real, 1}});
    session_->editor()->toggleTag(4);
    session_->editor()->nameTag(4, QStringLiteral("odd"));
    selection_->replace({sample(3)});
    ExportDialog* dialog = showDialog();
    QVERIFY(dialog);
    choose(dialog, "exportSamples", QStringLiteral("Selected"));
    QCOMPARE(told(dialog), QStringLiteral("1 of 10 samples of faithful"));
    choose(dialog, "exportSamples", QStringLiteral("Tagged 4: odd"));
    QCOMPARE(told(dialog), QStringLiteral("2 of 10 samples of faithful; real samples are not written (1)"));
    choose(dialog, "exportFormat", QStringLiteral("Ids"));
    QTest::mouseClick(button(dialog), Qt::LeftButton);
    QVERIFY(waitIdle(*session_));
    QCOMPARE(content(QStringLiteral("faithful.samples.txt")), QByteArray("2\n7\n"));
}

void ExportDialogTest::saysWhyThereIsNothingToWrite() {
    const ExportDialog* dialog = showDialog();
    QVERIFY(dialog);
    auto* shown = child<ExportDialog>("exportDialog");
    QVERIFY(button(dialog)->isEnabled());
    choose(shown, "exportSamples", QStringLiteral("Rejected"));
    QCOMPARE(told(dialog), QStringLiteral("There are no such samples."));
    QVERIFY(!button(dialog)->isEnabled());
    choose(shown, "exportSamples", QStringLiteral("Selected"));
    QVERIFY(!button(dialog)->isEnabled());
    QCOMPARE(dialog->findChild<QComboBox*>(QStringLiteral("exportSamples"))->findText(QStringLiteral("Tagged 1")), -1);
    QSignalSpy asked(shown, &ExportDialog::exportRequested);
    shown->accept();
    QVERIFY(shown->isVisible());
    QCOMPARE(asked.count(), 0);
}

void ExportDialogTest::allModelsGetAFolder() {
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    answers_ = {data_.path()};
    ExportDialog* dialog = showDialog();
    QVERIFY(dialog);
    choose(dialog, "exportModels", QStringLiteral("All models"));
    QVERIFY2(told(dialog).startsWith(QStringLiteral("The kept samples of the ")), qPrintable(told(dialog)));
    choose(dialog, "exportFormat", QStringLiteral("NumPy archive"));
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    QTest::keyClick(dialog, Qt::Key_Return);
    QVERIFY(waitIdle(*session_));
    QVERIFY2(failed.isEmpty(), qPrintable(failed.value(0).value(1).toString()));
    const QStringList files = QDir(data_.filePath(QStringLiteral("models"))).entryList(QDir::Files);
    QCOMPARE(files.size(), static_cast<qsizetype>(session_->state().audit->models.size()));
    QVERIFY(files.contains(QStringLiteral("faithful.kept.npz")));
}

void ExportDialogTest::picturesNeedASetThatHasThem() {
    ExportDialog* dialog = showDialog();
    QVERIFY(dialog);
    choose(dialog, "exportFormat", QStringLiteral("Folder of pictures"));
    QCOMPARE(told(dialog), QStringLiteral("faithful has no pictures."));
    QVERIFY(!button(dialog)->isEnabled());
    choose(dialog, "exportFormat", QStringLiteral("CSV"));
    QVERIFY(button(dialog)->isEnabled());
}

void ExportDialogTest::escapeWritesNothing() {
    answers_ = {data_.path()};
    const QStringList before = QDir(data_.path()).entryList();
    ExportDialog* dialog = showDialog();
    QVERIFY(dialog);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
    QVERIFY(waitIdle(*session_));
    answers_.clear(); // no file is chosen
    dialog = showDialog();
    QVERIFY(dialog);
    QTest::keyClick(dialog, Qt::Key_Return);
    QVERIFY(!session_->isBusy());
    QCOMPARE(QDir(data_.path()).entryList(), before);
}

void ExportDialogTest::quickActionsKnowWhatTheyWrite() {
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    answers_ = {data_.path()};
    for (const char* name :
         {"actionExportKeptCsv", "actionExportRejectedCsv", "actionExportKeptIds", "actionExportRejectedIds"}) {
        action(name)->trigger();
        QVERIFY(waitIdle(*session_));
    }
    QCOMPARE(content(QStringLiteral("faithful.kept.csv")).count('\n'), 6);
    QCOMPARE(content(QStringLiteral("faithful.rejected.csv")).count('\n'), 6);
    QCOMPARE(content(QStringLiteral("faithful.kept.txt")), QByteArray("5\n6\n7\n8\n9\n"));
    QCOMPARE(content(QStringLiteral("faithful.rejected.txt")), QByteArray("0\n1\n2\n3\n4\n"));
}

void ExportDialogTest::picturesOfTheDemoCanBeWritten() {
    end();
    {
        test::DemoWindow demo;
        QVERIFY(demo.open());
        demo.session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
        ExportDialog dialog(&demo.session, &demo.window);
        choose(&dialog, "exportFormat", QStringLiteral("Zip archive"));
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QVERIFY(button(&dialog)->isEnabled() && button(&dialog)->isDefault());
        const QLabel* text = dialog.findChild<QLabel*>(QStringLiteral("exportContent"));
        QVERIFY(text->height() >= text->heightForWidth(text->width()));
        test::shoot(dialog, QStringLiteral("export-dialog"));
        QSignalSpy exported(&demo.session, &AuditSession::exported);
        ExportRequest request = dialog.request();
        demo.session.exportSamples(request, demo.file(QStringLiteral("kept.zip")));
        request.format = "pictures";
        demo.session.exportSamples(request, demo.file(QStringLiteral("kept")));
        QTRY_COMPARE(exported.count(), 2);
        const QStringList files = QDir(demo.file(QStringLiteral("kept"))).entryList(QDir::Files);
        QCOMPARE(static_cast<std::size_t>(files.size()), demo.session.document()->keptCount() + 1);
        QVERIFY(!QImage(demo.file(QStringLiteral("kept/") + files[0])).isNull());
    }
    begin();
}

ASSAY_TEST(export_dialog_test, ExportDialogTest)
#include "export_dialog_test.moc"
