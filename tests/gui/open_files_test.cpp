#include "engine/io/numpy/npy_writer.h"
#include "engine/io/sets/statistics_file.h"
#include "gui/pages/open_dialog.h"
#include "tests/gui/support/dropped_files.h"
#include "tests/gui/support/probe_window.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/screenshot.h"

#include <QtWidgets>

#include <cmath>
#include <span>
#include <vector>

using namespace assay;
using namespace assay::test;

class OpenFilesTest : public QObject, protected ProbeWindow {
    Q_OBJECT

private slots:
    void init() { begin(); }
    void cleanup() { end(); }

    void droppedFilesFillTheDialog();
    void droppedFilesAddModelsToAnOpenAudit();
    void openDialogRefusesWhatMakesNoSense();
    void openDialogOpensWhatWasChosen();
    void failureShowsADialogAndKeepsTheOldState();
    void recentAuditsAreRememberedAndMissingFilesExplained();
    void aMeanAndACovarianceTellFrechetDistances();
    void exportAsksForAFileAndWritesIt();
};

void OpenFilesTest::droppedFilesFillTheDialog() {
    const QString gan = touch("gan.npz");
    const QString train = touch("mnist_train.npz");
    const QString vae = touch("vae.npz");
    drop(*window_, {gan, train, vae});
    QTRY_VERIFY(child<OpenDialog>("openDialog")); // their roles are guessed from what is on the disk, beside the window
    auto* dialog = child<OpenDialog>("openDialog");
    QVERIFY(dialog->isVisible());
    QCOMPARE(dialog->files().real, train);
    QCOMPARE(dialog->files().models,
             (std::vector<ModelFile>{{QStringLiteral("gan"), gan}, {QStringLiteral("vae"), vae}}));
    QVERIFY(dialog->problem().isEmpty());
    dialog->reject();
    QVERIFY(!session_->isOpen());
}

void OpenFilesTest::droppedFilesAddModelsToAnOpenAudit() {
    openFiles();
    drop(*window_, {touch("copycat.npz"), touch("gan.npz")});
    QTRY_COMPARE(session_->state().audit->models.size(), std::size_t{4});
    QCOMPARE(session_->state().audit->models[2]->name, std::string("copycat"));
    QCOMPARE(session_->state().audit->models[3]->name, std::string("gan (2)"));
    QTRY_COMPARE(child<QComboBox>("modelCombo")->count(), 4);
    drop(*window_, {data_.filePath(QStringLiteral("not-there.npz"))}); // ignored
    QVERIFY(!session_->isBusy());
}

void OpenFilesTest::openDialogRefusesWhatMakesNoSense() {
    action("actionOpen")->trigger();
    auto* dialog = child<OpenDialog>("openDialog");
    QVERIFY(dialog);
    auto* problem = dialog->findChild<QLabel*>(QStringLiteral("problem"));
    QVERIFY(!problem->isVisible()); // nobody is scolded before the first attempt
    dialog->accept();
    QVERIFY(dialog->isVisible());
    QVERIFY(problem->isVisible());
    QVERIFY(problem->text().contains(QStringLiteral("real set")));
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("realFile")), QStringLiteral("/no/such/file.npz"));
    QVERIFY(problem->text().contains(QStringLiteral("/no/such/file.npz")));
    dialog->findChild<QLineEdit*>(QStringLiteral("realFile"))->setText(touch("real.npz"));
    QVERIFY(problem->text().contains(QStringLiteral("synthetic")));
    answers_ = {touch("gan.npz"), touch("gan.npz")};
    QTest::mouseClick(dialog->findChild<QToolButton*>(QStringLiteral("addFiles")), Qt::LeftButton);
    QCOMPARE(dialog->files().models[1].name, QStringLiteral("gan (2)"));
    QVERIFY(dialog->problem().isEmpty());
    auto* models = dialog->findChild<QTableWidget*>(QStringLiteral("modelFiles"));
    models->item(1, 0)->setText(QStringLiteral("gan"));
    QVERIFY(dialog->problem().contains(QStringLiteral("gan")));
    models->selectRow(1);
    QTest::mouseClick(dialog->findChild<QToolButton*>(QStringLiteral("removeFiles")), Qt::LeftButton);
    QCOMPARE(dialog->files().models.size(), std::size_t{1});
    QVERIFY(dialog->problem().isEmpty());
    dialog->reject();
}

void OpenFilesTest::openDialogOpensWhatWasChosen() {
    QTest::mouseClick(child<QPushButton>("startOpen"), Qt::LeftButton);
    auto* dialog = child<OpenDialog>("openDialog");
    QVERIFY(dialog);
    answers_ = {touch("real.npz")};
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("chooseReal")), Qt::LeftButton);
    answers_ = {touch("vae.npz")};
    QTest::mouseClick(dialog->findChild<QToolButton*>(QStringLiteral("addFiles")), Qt::LeftButton);
    dialog->findChild<QSpinBox*>(QStringLiteral("k"))->setValue(4);
    dialog->findChild<QSpinBox*>(QStringLiteral("coverK"))->setValue(2);
    dialog->findChild<QSpinBox*>(QStringLiteral("coverC"))->setValue(7);
    dialog->findChild<QLineEdit*>(QStringLiteral("heldOutFile"))->setText(QStringLiteral("/no/such/held.npz"));
    QVERIFY(dialog->problem().contains(QStringLiteral("/no/such/held.npz")));
    answers_ = {touch("held.npz")};
    auto* memory = dialog->findChild<QLineEdit*>(QStringLiteral("memoryLimit"));
    dialog->findChild<QCheckBox*>(QStringLiteral("oneClass"))->setChecked(true);
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("chooseHeldOut")), Qt::LeftButton);
    auto* scaling = dialog->findChild<QComboBox*>(QStringLiteral("scaling"));
    QVERIFY(!dialog->files().choice.scaling); // automatic
    scaling->setCurrentIndex(scaling->findText(QStringLiteral("z-score of each column")));
    memory->setText(QStringLiteral("4 elephants"));
    QVERIFY(dialog->problem().contains(QStringLiteral("4 elephants")));
    memory->setText(QStringLiteral("1.5GiB"));
    dialog->accept();
    QVERIFY(waitIdle(*session_) && session_->isOpen());
    QCOMPARE(session_->state().current().name, std::string("vae"));
    QCOMPARE(engine_->options.k, std::size_t{4});
    QCOMPARE(engine_->options.cover, (CoverSizes{2, 7}));
    QCOMPARE(engine_->heldOut, std::string("held"));
    QCOMPARE(engine_->options.memoryLimit, (std::size_t{3} << 30) / 2);
    QVERIFY(engine_->options.oneClass);
    const QList<AuditFiles> recent = Settings().recentAudits();
    QVERIFY(!recent.isEmpty() && recent.first().heldOut.endsWith(QStringLiteral("held.npz")));
    QCOMPARE(recent.first().options.cover, (CoverSizes{2, 7}));
    QCOMPARE(recent.first().choice.scaling, std::optional(Scaling::ZScore));
    // The real set is scaled as chosen, and every other set as the real one was.
    QCOMPARE(engine_->scalings, (std::vector<Scaling>{Scaling::ZScore, Scaling::ZScore, Scaling::ZScore}));
}

void OpenFilesTest::failureShowsADialogAndKeepsTheOldState() {
    openFiles();
    const auto audit = session_->state().audit;
    AuditFiles broken = *session_->document()->files();
    broken.models[0].file = touch("broken.npz");
    engine_->failReading = broken.models[0].file.toStdString();
    session_->open(broken);
    QTRY_VERIFY(child<QMessageBox>("error"));
    auto* box = child<QMessageBox>("error");
    QVERIFY(box->isVisible());
    QVERIFY(box->informativeText().contains(QStringLiteral("broken.npz")));
    QVERIFY(box->informativeText().contains(QStringLiteral("expected")));
    QCOMPARE(session_->state().audit, audit);
    QVERIFY(!window_->centralWidget()->isVisible());
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY(!child<QMessageBox>("error"));
    QCOMPARE(Settings().recentAudits().size(), 1); // what failed is not worth remembering
}

void OpenFilesTest::recentAuditsAreRememberedAndMissingFilesExplained() {
    openFiles();
    auto* menu = child<QMenu>("menuRecent");
    QVERIFY(menu->isEnabled());
    QVERIFY2(menu->actions()[0]->text().contains(QStringLiteral("gan, vae")), qPrintable(menu->actions()[0]->text()));
    openFiles();
    QCOMPARE(Settings().recentAudits().size(), 1); // once each
    menu->actions()[0]->trigger();
    QVERIFY(waitIdle(*session_));
    QVERIFY(!child<QMessageBox>("missingFile"));

    QFile::remove(data_.filePath(QStringLiteral("vae.npz")));
    menu->actions()[0]->trigger();
    auto* box = child<QMessageBox>("missingFile");
    QVERIFY(box && box->text().contains(QStringLiteral("vae.npz")));
    for (QAbstractButton* button : box->buttons())
        if (box->buttonRole(button) == QMessageBox::DestructiveRole)
            QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(Settings().recentAudits().isEmpty());
    QVERIFY(!menu->isEnabled());
}

/// What a benchmark publishes in place of its real samples.
void OpenFilesTest::aMeanAndACovarianceTellFrechetDistances() {
    const QString reference = data_.filePath(QStringLiteral("reference.npz"));
    writeStatistics({{0.0, 0.0}, {1.0, 0.0, 0.0, 1.0}, {}, {}}, reference.toStdString());
    std::vector<float> values; // mean (3, 0), covariance the identity
    for (int i = 0; i < 4; ++i) {
        const float side = std::sqrt(1.5F);
        values.push_back(3.0F + (i % 2 == 0 ? side : -side) * (i < 2 ? 1.0F : 0.0F));
        values.push_back((i % 2 == 0 ? side : -side) * (i < 2 ? 0.0F : 1.0F));
    }
    const QString gan = data_.filePath(QStringLiteral("gan.npy"));
    writeNpy(gan.toStdString(), npyView(std::span<const float>(values), {4, 2}));
    openFiles();
    const auto before = session_->state().audit;
    AuditFiles files;
    files.real = reference;
    files.models = {{QStringLiteral("gan"), gan}};
    session_->open(files);
    QTRY_VERIFY(child<QDialog>("statisticsScores") && child<QDialog>("statisticsScores")->isVisible());
    const auto* table = child<QTableWidget>("statisticsTable");
    QCOMPARE(table->rowCount(), 1);
    QCOMPARE(table->item(0, 0)->text(), QStringLiteral("gan"));
    QCOMPARE(table->item(0, 1)->text(), QStringLiteral("4"));
    QCOMPARE(table->item(0, 2)->text(), QStringLiteral("9.00"));
    QCOMPARE(table->item(0, 3)->text(), QStringLiteral("\u2013")); // too few samples
    QVERIFY(child<QLabel>("statisticsNote")->text().startsWith(reference));
    test::shoot(*child<QDialog>("statisticsScores"), "statistics_scores");
    QTest::keyClick(child<QDialog>("statisticsScores"), Qt::Key_Escape);
    QTRY_VERIFY(!child<QDialog>("statisticsScores"));
    QCOMPARE(session_->state().audit, before); // what is open stays
    QTRY_VERIFY(!session_->isBusy());
    files.heldOut = gan;
    session_->open(files);
    QTRY_VERIFY(child<QMessageBox>("error"));
    QVERIFY(child<QMessageBox>("error")->informativeText().contains(QStringLiteral("found a mean and a covariance")));
    QTest::keyClick(child<QMessageBox>("error"), Qt::Key_Return);
    QTRY_VERIFY(!child<QMessageBox>("error"));
}

void OpenFilesTest::exportAsksForAFileAndWritesIt() {
    openDemo();
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    action("actionExportKeptIds")->trigger(); // cancelled by the empty answer
    QVERIFY(!session_->isBusy());
    answers_ = {data_.path()};
    action("actionExportKeptIds")->trigger();
    QVERIFY(waitIdle(*session_));
    QCOMPARE(contentOf(data_.filePath("faithful.kept.txt")).count('\n'), 5);
    QTest::keyClick(window_.get(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(waitIdle(*session_));
    QVERIFY(QFile::exists(data_.filePath(QStringLiteral("faithful.rejected.csv"))));
    answers_ = {data_.filePath(QStringLiteral("demo.audit.json"))};
    QTest::keyClick(window_.get(), Qt::Key_R, Qt::ControlModifier);
    QVERIFY(waitIdle(*session_));
    const QJsonObject kept =
        QJsonDocument::fromJson(contentOf(answers_[0])).object()[QStringLiteral("kept")].toObject();
    QCOMPARE(kept[QStringLiteral("kept")].toInt(), 5);
    QCOMPARE(kept[QStringLiteral("rules")].toArray().size(), 1);
}

ASSAY_TEST(open_files_test, OpenFilesTest)
#include "open_files_test.moc"
