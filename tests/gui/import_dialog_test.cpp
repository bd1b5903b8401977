// What a person sees of files before they are opened: what was recognised, how pictures and labels were joined, what
// does not fit; and what they can say about it.
#include "gui/desktop/file_prompts.h"
#include "gui/desktop/settings.h"
#include "gui/pages/open_dialog.h"
#include "gui/pages/set_pane.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/dropped_files.h"
#include "tests/support/test_entry.h"

#include "engine/io/numpy/npy_writer.h"

#include <QtWidgets>

#include <array>
#include <memory>
#include <vector>

using namespace assay;

namespace {

constexpr int kSamples = 60;

} // namespace

class ImportDialogTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void init();
    void aManifestIsShownBeforeItIsOpened();
    void aCancelledAuditIsOfferedAgain();
    void aManifestAmongSetsSaysWhatItIs();
    void rowsWithoutNumbersAreLeftOutByChoice();
    void tablesAreTakenAsChosen();
    void columnsOfATableAreTakenAsChosen();
    void optionsOfTablesFallAwayWithoutTables();
    void optionsOfATableAreNotThoseOfPictures();
    void clearRemovesFilesAndOptions();
    void aSavedAuditIsOpenedAsItIs();
    void nothingIsCrushedOrMoves_data();
    void nothingIsCrushedOrMoves();
    void picturesAreJoinedAndShown();
    void aMismatchIsToldAndNotOpened();
    void theArrayIsChosenAndRemembered();
    void aSampleOfClipsIsChosen();
    void aFolderOfFilesBecomesSets();

private:
    QString found(const OpenDialog& dialog, int row) const;
    QString pane(const OpenDialog& dialog) const { return text(&dialog, "setFound"); }
    void pick(const OpenDialog& dialog, int row) const;
    OpenDialog* dropManifest(const QByteArray& text) const {
        test::writeFile(file("m.json"), text);
        return test::dropOn(*window_, file("m.json"));
    }
    AuditFiles sets(const char* real, const char* model) const {
        return setsOf(file(real), namedModels({file(model)}));
    }
};

void ImportDialogTest::init() {
    QVERIFY(makeWindow());
    test::writeArray(file("real.npy"), kSamples, 4);
    test::writeArray(file("gan.npy"), kSamples - 10, 4);
    test::writeArray(file("wide.npy"), kSamples, 7);
    test::drawPictures(file("real_png"), kSamples);
    test::drawPictures(file("few_png"), 3);
    QByteArray labels = "id,label\n";
    for (int i = 0; i < kSamples; ++i)
        labels += QByteArray::number(i) + (i % 2 == 0 ? ",even\n" : ",odd\n");
    test::writeFile(file("real.csv"), labels);
}

QString ImportDialogTest::found(const OpenDialog& dialog, int row) const {
    const QTableWidgetItem* cell = dialog.findChild<QTableWidget*>(QStringLiteral("modelFiles"))->item(row, 2);
    return cell->text() == QLatin1String("cannot be used") ? cell->toolTip() : cell->text();
}

void ImportDialogTest::pick(const OpenDialog& dialog, int row) const {
    auto* models = dialog.findChild<QTableWidget*>(QStringLiteral("modelFiles"));
    QTest::mouseClick(models->viewport(), Qt::LeftButton, Qt::NoModifier,
                      models->visualItemRect(models->item(row, 0)).center());
}

void ImportDialogTest::aManifestIsShownBeforeItIsOpened() {
    OpenDialog* dialog = dropManifest(
        "{\"real\": {\"embeddings\": \"real.npy\", \"pictures\": \"real_png\", \"labels\": \"real.csv\"},\n"
        " \"models\": {\"gan\": \"gan.npy\"}}");
    QVERIFY(dialog);
    QTRY_COMPARE(found(*dialog, 0), QStringLiteral("50 \u00d7 4"));
    QVERIFY(says(dialog, "setFound", "60 \u00d7 4, pictures, 2 classes"));
    const QString notes = text(dialog, "setNotes");
    QVERIFY2(notes.contains(QStringLiteral("by row, 60 entries for 60 rows")) &&
                 notes.contains(QStringLiteral("leading zeros, 60 pictures for 60 rows")),
             qPrintable(notes));
    auto* samples = dialog->findChild<QTableWidget*>(QStringLiteral("setSamples"));
    QCOMPARE(samples->item(1, 0)->text(), QStringLiteral("1"));
    QVERIFY(!samples->item(1, 0)->icon().isNull());
    QCOMPARE(samples->item(1, 1)->text(), QStringLiteral("odd"));
    test::shoot(*dialog, "import-manifest");
    clickOpen(dialog);
    QVERIFY(waitOpen());
    const EmbeddingSet& real = *state().audit->real->set;
    QCOMPARE(real.labelText(1), std::string("odd"));
    QVERIFY(real.images() != nullptr);
    // Recent audits open with them, too.
    const QList<AuditFiles> recent = Settings().recentAudits();
    QVERIFY(!recent.isEmpty());
    QCOMPARE(recent.first().realBeside.labels, file("real.csv"));
}

void ImportDialogTest::aCancelledAuditIsOfferedAgain() {
    constexpr int kLong = 20'000; // not audited at once
    test::writeArray(file("long.npy"), kLong, 16);
    OpenDialog* dialog = dropManifest(R"({"real": "long.npy", "models": {"gan": "long.npy"}})");
    QVERIFY(dialog);
    QVERIFY(says(dialog, "setFound", "16"));
    const QString gan = dialog->files().models.at(0).file;
    dialog->accept();
    QVERIFY(session_->isBusy());
    session_->cancel();
    QVERIFY(test::waitIdle(*session_) && !session_->isOpen());
    child<QAction>("actionOpen")->trigger();
    QTRY_VERIFY(window_->findChild<OpenDialog*>() != nullptr);
    const AuditFiles offered = window_->findChild<OpenDialog*>()->files();
    QCOMPARE(offered.models.at(0).file, gan);
    QVERIFY(!offered.real.isEmpty());
}

void ImportDialogTest::aManifestAmongSetsSaysWhatItIs() {
    test::writeFile(file("m.json"), "{\"real\": \"real.npy\", \"models\": {\"gan\": \"gan.npy\"}}");
    QStringList chosen{file("gan.npy"), file("m.json")};
    FilePrompts prompts = filePrompts();
    prompts.openMany = [&](QWidget*, const QString&) { return chosen; };
    OpenDialog dialog(prompts);
    dialog.setFiles(setsOf(file("real.npy"), {}));
    dialog.findChild<QToolButton*>(QStringLiteral("addFiles"))->click();
    QCOMPARE(dialog.files().models.size(), std::size_t{2});
    QVERIFY2(dialog.problem().contains(QStringLiteral("m.json is a manifest")), qPrintable(dialog.problem()));
    QTRY_VERIFY(found(dialog, 1).contains(QStringLiteral("is a manifest")));
    // Alone and first it is what is opened.
    OpenDialog empty(prompts);
    chosen = {file("m.json")};
    empty.findChild<QToolButton*>(QStringLiteral("addFiles"))->click();
    QCOMPARE(empty.files().real, file("real.npy"));
    QCOMPARE(empty.files().models.front().name, QStringLiteral("gan"));
}

void ImportDialogTest::rowsWithoutNumbersAreLeftOutByChoice() {
    QByteArray rows = "a,b,c,d\n";
    for (int i = 0; i < kSamples; ++i)
        rows +=
            i == 3 ? QByteArray("nan,0,0,0\n") : QByteArray::number(i % 7) + "," + QByteArray::number(i % 5) + ",1,2\n";
    test::writeFile(file("hole.csv"), rows);
    OpenDialog dialog(filePrompts());
    dialog.setFiles(sets("real.npy", "hole.csv"));
    QTRY_VERIFY(found(dialog, 0).contains(QStringLiteral("60 \u00d7 4"))); // filled unless something else is chosen
    auto* missing = dialog.findChild<QComboBox*>(QStringLiteral("missing"));
    missing->setCurrentIndex(missing->findData(static_cast<int>(Missing::Refuse)));
    QTRY_VERIFY(found(dialog, 0).contains(QStringLiteral("\u201cMissing values\u201d, under Advanced")));
    QVERIFY(!found(dialog, 0).contains(QStringLiteral("--")));
    missing->setCurrentIndex(missing->findText(QStringLiteral("drop: leave such rows out")));
    QTRY_COMPARE(dialog.problem(), QString());
    QVERIFY(openAndWait(dialog.files()));
    QCOMPARE(state().current().set->rows(), std::size_t{kSamples - 1});
}

void ImportDialogTest::tablesAreTakenAsChosen() {
    const auto table = [](int shift) {
        QByteArray text = "index;size;weight;born;sex;note\n";
        for (int i = 0; i < kSamples; ++i) {
            const int at = (7 * i + shift) % kSamples;
            text += QByteArray::number(i) + ";" + QByteArray::number(at % 11) + "," + QByteArray::number(at % 10) +
                    ";" + (i % 8 == 0 ? QByteArray() : QByteArray::number(at % 13)) + ";" +
                    QByteArray::number(1 + at % 28) + ".10.2021;" + (at % 2 == 0 ? "f" : "m") + ";n" +
                    QByteArray::number(at) + "\n";
        }
        return text;
    };
    test::writeFile(file("table.csv"), table(0));
    test::writeFile(file("other.csv"), table(3));
    OpenDialog dialog(filePrompts());
    dialog.setFiles(sets("table.csv", "other.csv"));
    // As they are: gaps are filled, few texts are categories, numbers and names of rows are left out.
    QTRY_VERIFY(found(dialog, 0).contains(QStringLiteral("60 \u00d7 4")));
    QCOMPARE(dialog.problem(), QString());
    QVERIFY(openAndWait(dialog.files()));
    QCOMPARE(state().current().set->dim(), std::size_t{7});
    auto* missing = dialog.findChild<QComboBox*>(QStringLiteral("missing"));
    missing->setCurrentIndex(missing->findData(static_cast<int>(Missing::Indicate)));
    dialog.findChild<QCheckBox*>(QStringLiteral("oneHot"))->setChecked(true);
    auto* ignored = dialog.findChild<QLineEdit*>(QStringLiteral("ignoreColumns"));
    ignored->setText(QStringLiteral("note, index"));
    emit ignored->editingFinished();
    QTRY_VERIFY(found(dialog, 0).contains(QStringLiteral("60 \u00d7 4")));
    QCOMPARE(dialog.problem(), QString());
    QVERIFY(openAndWait(dialog.files()));
    const ValuePreparation& made = *state().current().set->preparation();
    QCOMPARE(made.missing, Missing::Indicate);
    QCOMPARE(made.scaling, Scaling::ZScore);
    QCOMPARE(made.filled.size(), std::size_t{1});
    QCOMPARE(made.dates.size(), std::size_t{1});
    QCOMPARE(made.ignoredColumns, (std::vector<std::string>{"note", "index"}));
    QCOMPARE(state().current().set->dim(), std::size_t{7}); // size, weight, born, f, m, other, missing
    const AuditFiles recent = Settings().recentAudits().front();
    QVERIFY(recent.choice == dialog.files().choice);
}

void ImportDialogTest::columnsOfATableAreTakenAsChosen() {
    const auto table = [](int shift) {
        QByteArray text = "customer_id,age,zip,\"height, cm\",group\n";
        for (int i = 0; i < kSamples; ++i) {
            const int at = (7 * i + shift) % kSamples;
            text += "C" + QByteArray::number(100 + at) + "," + (i % 8 == 0 ? QByteArray() : QByteArray::number(at)) +
                    "," + (at % 3 == 0 ? "10115" : "20095") + "," + QByteArray::number(at * at % 17) + "," +
                    (at % 2 == 0 ? "a" : "b") + "\n";
        }
        return text;
    };
    test::writeFile(file("people.csv"), table(0));
    test::writeFile(file("made.csv"), table(3));
    OpenDialog dialog(filePrompts());
    dialog.setFiles(sets("people.csv", "made.csv"));
    dialog.show();
    const auto kind = [&](const char* column) {
        return dialog.findChild<QComboBox*>(QStringLiteral("kindOf ") + QLatin1String(column));
    };
    QTRY_VERIFY(kind("customer_id") != nullptr);
    QCOMPARE(kind("customer_id")->currentText(), QStringLiteral("id"));
    QCOMPARE(kind("age")->currentText(), QStringLiteral("number"));
    QCOMPARE(kind("zip")->currentText(), QStringLiteral("number"));
    QCOMPARE(kind("group")->currentText(), QStringLiteral("category (2)"));
    QVERIFY2(pane(dialog).contains(QStringLiteral("7 dimensions")), qPrintable(pane(dialog)));
    auto* samples = dialog.findChild<QTableWidget*>(QStringLiteral("setSamples"));
    QCOMPARE(samples->item(2, 0)->text(), QStringLiteral("C107"));
    QCOMPARE(samples->horizontalHeaderItem(3)->text(), QStringLiteral("height, cm"));
    const auto choose = [&](const char* column, const QString& text) {
        QComboBox* box = kind(column);
        box->setFocus();
        box->setCurrentIndex(box->findText(text));
        emit box->activated(box->currentIndex());
        return QTest::qWaitFor([&] { return samples->isEnabled() && kind(column)->currentText().startsWith(text); });
    };
    QVERIFY(choose("zip", QStringLiteral("category")));
    QVERIFY(choose("height, cm", QStringLiteral("left out")));
    QVERIFY(choose("group", QStringLiteral("label")));
    test::shoot(dialog, "import-table");
    QTRY_COMPARE(dialog.problem(), QString());
    QVERIFY(openAndWait(dialog.files()));
    const EmbeddingSet& real = *state().audit->real->set;
    QCOMPARE(real.dim(), std::size_t{5}); // age, two codes, others, where age is missing
    QCOMPARE(real.idText(1), std::string("C107"));
    QCOMPARE(real.labelText(1), std::string("b"));
    QVERIFY(Settings().recentAudits().front().choice == dialog.files().choice);
    // What was said is taken back.
    kind("zip")->setCurrentIndex(kind("zip")->findText(QStringLiteral("automatic")));
    emit kind("zip")->activated(kind("zip")->currentIndex());
    QTRY_COMPARE(kind("zip")->currentText(), QStringLiteral("number"));
}

void ImportDialogTest::optionsOfTablesFallAwayWithoutTables() {
    OpenDialog dialog(filePrompts());
    AuditFiles files = sets("real.npy", "gan.npy");
    files.choice.oneHot = true; // of the audit before
    files.choice.ignoredColumns = {"note"};
    files.choice.columnKinds = {{"zip", ColumnKind::Category}};
    dialog.setFiles(files);
    QTRY_VERIFY(found(dialog, 0).contains(QStringLiteral("50 \u00d7 4")));
    QVERIFY(says(&dialog, "setFound", "60 \u00d7 4"));
    QCOMPARE(dialog.problem(), QString());
    QVERIFY(dialog.files().choice == PreparationChoice{});
    QVERIFY(openAndWait(dialog.files()));
}

void ImportDialogTest::optionsOfATableAreNotThoseOfPictures() {
    FilePrompts prompts = filePrompts();
    prompts.openFolder = [this](QWidget*, const QString&) { return file("real_png"); };
    OpenDialog dialog(prompts);
    AuditFiles before;
    before.real = file("real.csv");
    before.realBeside.labels = file("real.csv");
    before.choice.oneHot = true;
    before.choice.columnKinds = {{"label", ColumnKind::Category}};
    before.embedding.network = QStringLiteral("dinov2-vits14");
    dialog.setFiles(before);
    dialog.show();
    auto* oneHot = dialog.findChild<QCheckBox*>(QStringLiteral("oneHot"));
    QVERIFY(oneHot->isChecked() && oneHot->isVisible()); // what is not as usual is unfolded
    click(&dialog, "chooseRealFolder");
    QVERIFY(says(&dialog, "setFound", "60 pictures"));
    QVERIFY(!oneHot->isChecked());
    QVERIFY(dialog.files().choice == PreparationChoice{} && dialog.files().embedding == NetworkChoice{});
    QVERIFY(dialog.files().realBeside == BesideFiles{});
}

void ImportDialogTest::clearRemovesFilesAndOptions() {
    OpenDialog dialog(filePrompts());
    AuditFiles files = sets("real.npy", "gan.npy");
    files.heldOut = file("real.npy");
    files.options.k = 9;
    dialog.setFiles(files);
    dialog.show();
    dialog.accept();
    click(&dialog, "clearFiles");
    const AuditFiles left = dialog.files();
    QVERIFY(left.real.isEmpty() && left.heldOut.isEmpty() && left.models.empty());
    QCOMPARE(left.options.k, AuditOptions{}.k);
    QVERIFY(!dialog.findChild<QLabel*>(QStringLiteral("problem"))->isVisible());
}

void ImportDialogTest::aSavedAuditIsOpenedAsItIs() {
    session_->openDemo();
    QVERIFY(waitOpen());
    QSignalSpy written(session_, &AuditSession::exported);
    session_->saveSelfContained(file("kept.assay"));
    QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 60000);
    session_->openDemo();
    QVERIFY(test::waitIdle(*session_) && session_->document()->auditFile().isEmpty());
    child<QAction>("actionOpen")->trigger();
    QTRY_VERIFY(window_->findChild<OpenDialog*>() != nullptr);
    auto* dialog = window_->findChild<OpenDialog*>();
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("realFile")), file("kept.assay"));
    QVERIFY(says(dialog, "setFound", "A saved audit"));
    clickOpen(dialog);
    QTRY_COMPARE(session_->document()->auditFile(), file("kept.assay"));
}

void ImportDialogTest::nothingIsCrushedOrMoves_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("table") << QStringLiteral("wide.csv");
    QTest::newRow("pictures") << QStringLiteral("real_png");
}

void ImportDialogTest::nothingIsCrushedOrMoves() {
    QFETCH(QString, name);
    QByteArray rows;
    for (int c = 0; c < 40; ++c)
        rows += (c > 0 ? ",column" : "column") + QByteArray::number(c);
    for (int i = 0; i < kSamples; ++i)
        rows += "\n" + QByteArray::number(i) + QByteArray(",2").repeated(39);
    test::writeFile(file("wide.csv"), rows);
    OpenDialog dialog(filePrompts());
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    QVERIFY(dialog.width() <= 1440 && dialog.height() <= 900);
    click(&dialog, "advanced");
    QCoreApplication::processEvents();
    std::vector<QWidget*> fields;
    for (const char* field : {"realFile", "heldOutFile", "k", "scaling", "missing", "ignoreColumns", "memoryLimit"})
        fields.push_back(dialog.findChild<QWidget*>(QString::fromUtf8(field)));
    std::vector<QPoint> places;
    for (const QWidget* field : fields)
        places.push_back(field->mapTo(&dialog, QPoint()));
    dialog.findChild<QLineEdit*>(QStringLiteral("realFile"))->setText(file(qPrintable(name)));
    QVERIFY(says(&dialog, "setFound", "60"));
    QTest::qWait(50); // for the layout
    for (std::size_t at = 0; at < fields.size(); ++at) {
        QCOMPARE(fields[at]->mapTo(&dialog, QPoint()), places[at]);
        QVERIFY2(fields[at]->height() >= fields[at]->minimumSizeHint().height(), qPrintable(fields[at]->objectName()));
    }
    QCOMPARE(dialog.findChild<QLineEdit*>(QStringLiteral("setPictures"))->isVisible(),
             name == QLatin1String("real_png")); // a table has none
    test::shoot(dialog, QStringLiteral("import-advanced-%1").arg(name));
}

void ImportDialogTest::picturesAreJoinedAndShown() {
    OpenDialog* dialog = test::dropOn(*window_, file("real.npy"));
    QVERIFY(dialog);
    QVERIFY(says(dialog, "setFound", "60 \u00d7 4"));
    auto* pictures = dialog->findChild<QLineEdit*>(QStringLiteral("setPictures"));
    QVERIFY(!dialog->findChild<QComboBox*>(QStringLiteral("setJoin"))->isVisible());
    QVERIFY(test::takeKeyboard(*pictures));
    QTest::keyClicks(pictures, file("real_png"));
    QTest::keyClick(pictures, Qt::Key_Tab);
    QVERIFY(says(dialog, "setFound", "60 \u00d7 4, pictures"));
    QVERIFY(dialog->findChild<QComboBox*>(QStringLiteral("setJoin"))->isVisible());
    QCOMPARE(dialog->files().realBeside.pictures, file("real_png"));
    QVERIFY(text(dialog, "setNotes").contains(QStringLiteral("0000.png")));
    dialog->reject();
}

void ImportDialogTest::aMismatchIsToldAndNotOpened() {
    OpenDialog* dialog = dropManifest("{\"real\": {\"embeddings\": \"real.npy\", \"pictures\": \"few_png\"},\n"
                                      " \"models\": {\"gan\": \"gan.npy\", \"wide\": \"wide.npy\"}}");
    QVERIFY(dialog);
    const auto* said = dialog->findChild<QLabel*>(QStringLiteral("setProblem"));
    QTRY_VERIFY2(said->text().contains(QStringLiteral("expected 60 pictures, one for each row")),
                 qPrintable(said->text()));
    dialog->accept();
    QVERIFY(dialog->isVisible());
    QVERIFY(!text(dialog, "problem").contains(QStringLiteral("60"))); // said once
    auto* problem = dialog->findChild<QLabel*>(QStringLiteral("problem"));
    QVERIFY(problem->isVisible() && said->text().contains(QStringLiteral("found 3")));
    test::shoot(*dialog, "import-mismatch");
    auto* pictures = dialog->findChild<QLineEdit*>(QStringLiteral("setPictures"));
    QVERIFY(test::takeKeyboard(*pictures));
    pictures->clear();
    QTest::keyClick(pictures, Qt::Key_Tab);
    QTRY_VERIFY2(found(*dialog, 1).contains(QStringLiteral("expected 4 columns, as in the real set, found 7")),
                 qPrintable(found(*dialog, 1)));
    QTRY_VERIFY(problem->text().contains(QStringLiteral("found 7")));
    pick(*dialog, 1);
    QTest::keyClick(dialog->findChild<QTableWidget*>(QStringLiteral("modelFiles")), Qt::Key_Delete);
    QTRY_VERIFY(!problem->isVisible());
    dialog->reject();
}

void ImportDialogTest::theArrayIsChosenAndRemembered() {
    std::vector<float> values(static_cast<std::size_t>(kSamples) * 4, 0.5F);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i * 31 % 17);
    const auto view = npyView<float>(values, {static_cast<std::size_t>(kSamples), 4});
    const std::array arrays{NpzItem{"layer3", view}, NpzItem{"layer4", view}};
    for (const char* name : {"one.npz", "two.npz"})
        writeNpz(file(name).toStdString(), arrays, NpzPacking::Stored);
    OpenDialog* dialog =
        dropManifest("{\"real\": \"real.npy\", \"models\": {\"one\": \"one.npz\", \"two\": \"two.npz\"}}");
    QVERIFY(dialog);
    QTRY_VERIFY(found(*dialog, 1).contains(QStringLiteral("2 arrays: which one?")));
    QVERIFY(dialog->problem().contains(QStringLiteral("one.npz")));
    pick(*dialog, 0);
    auto* array = dialog->findChild<QComboBox*>(QStringLiteral("setArray"));
    QTRY_VERIFY(array->isVisible());
    test::shoot(*dialog, "import-array");
    QVERIFY(test::takeKeyboard(*array));
    QTest::keyClick(array, Qt::Key_Down);
    QVERIFY(dialog->files().models[0].file.endsWith(QStringLiteral("one.npz:layer3")));
    // The other file has an array of the same name.
    QTRY_VERIFY(dialog->files().models[1].file.endsWith(QStringLiteral("two.npz:layer3")));
    QTRY_COMPARE(found(*dialog, 0), QStringLiteral("60 \u00d7 4"));
    QTRY_COMPARE(found(*dialog, 1), QStringLiteral("60 \u00d7 4"));
    QVERIFY(dialog->problem().isEmpty());
    dialog->reject();
}

void ImportDialogTest::aSampleOfClipsIsChosen() {
    for (const char* folder : {"clips_real", "clips_gan"}) {
        QVERIFY(QDir().mkpath(file(folder)));
        for (int clip = 0; clip < 12; ++clip)
            test::writeArray(file(folder) + QStringLiteral("/%1.npy").arg(clip + 10), 5, 4);
    }
    const AuditFiles guess = guessRoles({file("clips_real"), file("clips_gan")});
    QCOMPARE(guess.real, file("clips_real"));
    QCOMPARE(guess.models.size(), std::size_t{1});
    OpenDialog* dialog = dropManifest("{\"real\": \"clips_real\", \"models\": {\"gan\": \"clips_gan\"}}");
    QVERIFY(dialog);
    QTRY_COMPARE(found(*dialog, 0), QStringLiteral("What is one sample?"));
    QVERIFY(dialog->problem().contains(QStringLiteral("Choose what one sample of")));
    pick(*dialog, 0);
    auto* unit = dialog->findChild<QComboBox*>(QStringLiteral("setArray"));
    QTRY_VERIFY(unit->isVisible());
    QCOMPARE(unit->itemText(1), QStringLiteral("a clip: the mean of its frames"));
    QCOMPARE(unit->itemText(2), QStringLiteral("a frame"));
    test::shoot(*dialog, "import-clips");
    QVERIFY(test::takeKeyboard(*unit));
    QTest::keyClick(unit, Qt::Key_Down);
    QTRY_COMPARE(found(*dialog, 0), QStringLiteral("12 \u00d7 4"));
    // The real set follows the choice.
    QTRY_VERIFY(dialog->files().real.endsWith(QStringLiteral("clips_real:clips")));
    QTRY_VERIFY(dialog->problem().isEmpty());
    dialog->reject();
}

void ImportDialogTest::aFolderOfFilesBecomesSets() {
    const QDir folder(file("run"));
    QVERIFY(folder.mkpath(QStringLiteral(".")));
    for (const char* name : {"gan.npy", "mnist_train.npy", "vae.npy"})
        QVERIFY(QFile::copy(file("real.npy"), folder.filePath(QString::fromUtf8(name))));
    test::writeFile(file("run/notes.md"), "not a set");
    const AuditFiles guess = guessRoles({folder.path()});
    QVERIFY(guess.real.endsWith(QStringLiteral("mnist_train.npy")));
    QCOMPARE(guess.models.size(), std::size_t{2});
    QCOMPARE(guess.models[1].name, QStringLiteral("vae"));
    // Folders of pictures in a folder: sets where one is named like a real set, else classes.
    test::drawPictures(file("classes/cat"), 2);
    test::drawPictures(file("classes/dog"), 2);
    QCOMPARE(guessRoles({file("classes")}).models.size(), std::size_t{1});
    test::drawPictures(file("sets/real"), 2);
    test::drawPictures(file("sets/gan"), 2);
    QVERIFY(guessRoles({file("sets")}).real.endsWith(QStringLiteral("sets/real")));
    // Parts of embeddings are one set, whatever lies beside them.
    for (const char* part :
         {"clip/img_emb/img_emb_0.npy", "clip/img_emb/img_emb_1.npy", "clip/text_emb/text_emb_0.npy"}) {
        const QString name = file(part);
        QVERIFY(QDir().mkpath(QFileInfo(name).path()) && QFile::copy(file("real.npy"), name));
    }
    QCOMPARE(guessRoles({file("clip")}).models.size(), std::size_t{1});
    QCOMPARE(guessRoles({file("clip/img_emb")}).models.size(), std::size_t{1});
    OpenDialog* dialog = test::dropOn(*window_, folder.path());
    QVERIFY(dialog);
    QTRY_COMPARE(found(*dialog, 1), QStringLiteral("60 \u00d7 4"));
    dialog->reject();
}

ASSAY_TEST(import_dialog_test, ImportDialogTest)
#include "import_dialog_test.moc"
