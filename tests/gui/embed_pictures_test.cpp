// A network is chosen for folders of pictures and files of series, its Python checked, and assay-embed run as a job. A
// small shell script plays Python with assay-embed.
#include "gui/desktop/settings.h"
#include "gui/jobs/embedding_networks.h"
#include "gui/pages/open_dialog.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/dropped_files.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

#include <memory>

using namespace assay;

namespace {

constexpr int kReal = 40;
constexpr int kModel = 30;
constexpr int kDimensions = 4;

} // namespace

class EmbedPicturesTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void init();
    void aNetworkEmbedsAllSetsOfPictures();
    void missingPackagesAreNamed();
    void aPythonThatCannotBeStartedIsTold();
    void failuresAreTold_data();
    void failuresAreTold();
    void loadingTheNetworkIsAStageOfItsOwn();
    void cancellingStopsTheProgram();
    void theNextRunWaitsForTheOneThatStops();
    void theBuiltInEmbeddingRunsNothing();
    void embeddingsGoToTheCacheWhereTheFolderCannotBeWritten();
    void embeddingsAreNoSetsOfTheirOwn();
    void seriesAreEmbeddedByANetworkFittedOnTheRealOnes();
    void seriesOfAnotherShapeAreToldBeforeTheyAreOpened();

private:
    void mode(const char* mode) const { test::writeFile(file("python/mode"), mode); }
    QString log() const;
    /// Drops the folders, and picks the network once they were looked at.
    OpenDialog* dropAndPick(const QString& network, const char* sets = "sets") const;
    void pick(QComboBox* box, int row) const;
};

void EmbedPicturesTest::init() {
    QVERIFY(makeWindow());
    test::playPython(file("python"), "fake_python");
    test::drawPictures(file("sets/real_png"), kReal);
    test::drawPictures(file("sets/gan_png"), kModel);
    test::writeArray(file("python/real_png.npy"), kReal, kDimensions);
    test::writeArray(file("python/gan_png.npy"), kModel, kDimensions);
}

QString EmbedPicturesTest::log() const {
    QFile log(file("python/log"));
    return log.open(QIODevice::ReadOnly) ? QString::fromUtf8(log.readAll()) : QString();
}

void EmbedPicturesTest::pick(QComboBox* box, int row) const {
    QTest::mouseClick(box, Qt::LeftButton);
    QTRY_VERIFY(box->view()->isVisible());
    QTest::keyClick(box->view(), Qt::Key_Home);
    for (int i = 0; i < row; ++i)
        QTest::keyClick(box->view(), Qt::Key_Down);
    QTest::keyClick(box->view(), Qt::Key_Return);
    QTRY_COMPARE(box->currentIndex(), row);
}

OpenDialog* EmbedPicturesTest::dropAndPick(const QString& network, const char* sets) const {
    OpenDialog* dialog = test::dropOn(*window_, file(sets));
    auto* box = dialog->findChild<QComboBox*>(QStringLiteral("embedding"));
    [&] { QTRY_VERIFY_WITH_TIMEOUT(box->isVisible(), test::kHang); }(); // once the folders were looked at
    pick(box, box->findData(network));
    return dialog;
}

void EmbedPicturesTest::aNetworkEmbedsAllSetsOfPictures() {
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vits14"));
    QTRY_COMPARE_WITH_TIMEOUT(text(dialog, "embeddingState"),
                              QStringLiteral("Ready: Python 3.11.2, torch 2.1.0, on cuda"), test::kHang);
    QVERIFY(text(dialog, "embeddingWhere").contains(QStringLiteral("_png.dinov2-vits14.npz")));
    QVERIFY2(text(dialog, "setFound").contains(QStringLiteral("DINOv2 ViT-S/14 will make them")),
             qPrintable(text(dialog, "setFound")));
    test::shoot(*dialog, "embedding-ready");
    clickOpen(dialog);
    QVERIFY(waitOpen());
    const AuditResult& audit = *state().audit;
    QCOMPARE(audit.real->set->dim(), std::size_t{kDimensions});
    QCOMPARE(audit.real->set->rows(), std::size_t{kReal});
    QCOMPARE(audit.models[0]->set->rows(), std::size_t{kModel});
    QCOMPARE(audit.models[0]->name, std::string("gan_png"));
    const QStringList runs = log().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(runs.size(), 2);
    QCOMPARE(runs[0], QStringLiteral("run %1 --out %1.dinov2-vits14.npz --model dinov2-vits14 --progress json --reuse")
                          .arg(file("sets/real_png")));
    // The next time it is chosen already.
    const AuditFiles recent = Settings().recentAudits().at(0);
    QCOMPARE(recent.embedding.network, QStringLiteral("dinov2-vits14"));
    QVERIFY(recent.real.endsWith(QStringLiteral("/real_png")));
}

void EmbedPicturesTest::missingPackagesAreNamed() {
    mode("missing");
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vitl14"));
    QVERIFY(says(dialog, "embeddingState", "-m pip install torch timm"));
    clickOpen(dialog);
    QVERIFY(dialog->isVisible());
    QCOMPARE(text(dialog, "problem"), QStringLiteral("The chosen Python cannot run DINOv2 ViT-L/14 yet."));
    test::shoot(*dialog, "embedding-missing");
    mode("ready"); // they are installed
    click(dialog, "checkEmbeddingPython");
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "embeddingState").startsWith(QStringLiteral("Ready")), test::kHang);
    QVERIFY(dialog->problem().isEmpty());
}

void EmbedPicturesTest::aPythonThatCannotBeStartedIsTold() {
    OpenDialog* dialog = dropAndPick(QStringLiteral("inception-v3"));
    auto* python = dialog->findChild<QLineEdit*>(QStringLiteral("embeddingPython"));
    // The list that was picked from gives the keyboard back a little later; a field without it ends no editing.
    dialog->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    QTest::mouseClick(python, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(python->hasFocus(), test::kHang);
    python->selectAll();
    QTest::keyClicks(python, file("no/python"));
    QTest::keyClick(python, Qt::Key_Tab);
    QVERIFY(says(dialog, "embeddingState", "cannot be started"));
    QCOMPARE(Settings().embedPython(), file("python/python")); // only one that works is remembered
}

void EmbedPicturesTest::failuresAreTold_data() {
    test::addColumns<QByteArray, QString>("mode", "words");
    QTest::newRow("said by the program") << QByteArray("fail")
                                         << QStringLiteral("failed on a batch of 8: no kernel image");
    QTest::newRow("the last line") << QByteArray("crash") << QStringLiteral("exit code 1: ImportError: libGL.so.1");
}

void EmbedPicturesTest::failuresAreTold() {
    QFETCH(QByteArray, mode);
    QFETCH(QString, words);
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vits14"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    this->mode(mode.constData());
    clickOpen(dialog);
    QVERIFY(test::waitIdle(*session_));
    QVERIFY(!session_->isOpen());
    auto* box = child<QMessageBox>("error");
    QVERIFY(box);
    QVERIFY2(box->informativeText().contains(words), qPrintable(box->informativeText()));
}

void EmbedPicturesTest::loadingTheNetworkIsAStageOfItsOwn() {
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vits14"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    mode("load");
    clickOpen(dialog);
    auto* stage = child<QLabel>("jobStage");
    QTRY_VERIFY_WITH_TIMEOUT(stage->toolTip().endsWith(QStringLiteral("DINOv2 ViT-S/14: loading the network")),
                             test::kHang);
    test::writeFile(file("python/go"), {});
    QVERIFY(waitOpen());
}

void EmbedPicturesTest::cancellingStopsTheProgram() {
    test::writeFile(file("python/go"), {});
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vits14"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    mode("hang");
    clickOpen(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("python/running")), test::kHang);
    auto* stage = child<QLabel>("jobStage");
    QTRY_COMPARE_WITH_TIMEOUT(stage->text(), QStringLiteral("Embedding real_png by DINOv2 ViT-S/14"), test::kHang);
    // A quarter of the larger of two sets.
    auto* bar = child<QProgressBar>("jobProgress");
    QTRY_COMPARE_WITH_TIMEOUT(bar->value(), 128, test::kHang);
    test::shoot(*window_, "embedding-job");
    QTest::mouseClick(child<QToolButton>("jobCancel"), Qt::LeftButton);
    QVERIFY(test::waitIdle(*session_));
    QVERIFY(!session_->isOpen());
    QTRY_VERIFY_WITH_TIMEOUT(log().endsWith(QStringLiteral("stopped\n")), test::kHang);
    QVERIFY(!child<QMessageBox>("error"));
}

void EmbedPicturesTest::theNextRunWaitsForTheOneThatStops() {
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vits14"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    mode("hang");
    const AuditFiles files = dialog->files();
    clickOpen(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("python/running")), test::kHang);
    QTest::mouseClick(child<QToolButton>("jobCancel"), Qt::LeftButton);
    QVERIFY(test::waitIdle(*session_)); // at once, though the program still keeps what is done
    QVERIFY(!log().contains(QStringLiteral("stopped")));
    mode("ready");
    session_->open(files);
    QVERIFY(session_->isBusy());
    test::writeFile(file("python/go"), {});
    QVERIFY(waitOpen());
    const QStringList lines = log().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines[1], QStringLiteral("stopped"));
}

void EmbedPicturesTest::theBuiltInEmbeddingRunsNothing() {
    OpenDialog* dialog = test::dropOn(*window_, file("sets"));
    auto* box = dialog->findChild<QComboBox*>(QStringLiteral("embedding"));
    QTRY_VERIFY_WITH_TIMEOUT(box->isVisible(), test::kHang);
    // Each field by its letter; without a window manager one of the keys may be lost.
    const auto reaches = [dialog](Qt::Key letter, const QWidget* field) {
        dialog->activateWindow();
        return QTest::qWaitFor(
            [&] {
                QTest::keyClick(dialog, letter, Qt::AltModifier);
                return field->hasFocus();
            },
            test::kHang);
    };
    QVERIFY(reaches(Qt::Key_P, dialog->findChild<QLineEdit*>(QStringLiteral("setPictures"))));
    QVERIFY(reaches(Qt::Key_E, box));
    QVERIFY(!dialog->findChild<QLineEdit*>(QStringLiteral("embeddingPython"))->isVisible());
    test::shoot(*dialog, "embedding-built-in");
    clickOpen(dialog);
    QVERIFY(waitOpen());
    QVERIFY(log().isEmpty());
    QVERIFY(!state().audit->real->set->source().builtIn.empty());
    // What it cannot see can be read for as long as the audit is open.
    auto* notes = child<QToolButton>("notes");
    QVERIFY(notes->isVisible());
    QCOMPARE(notes->text(), QStringLiteral("2 notes"));
    QTest::mouseClick(notes, Qt::LeftButton);
    auto* notesBox = child<QMessageBox>("notesBox");
    QVERIFY(notesBox && notesBox->isVisible());
    QVERIFY2(notesBox->text().contains(QStringLiteral("gan_png")), qPrintable(notesBox->text()));
    test::shoot(*notesBox, "notes");
    test::shoot(*window_, "notes-button");
    QTest::keyClick(notesBox, Qt::Key_Escape);
}

void EmbedPicturesTest::embeddingsGoToTheCacheWhereTheFolderCannotBeWritten() {
    const QString source = file("sets/real_png");
    const QString cache = file("cache");
    QCOMPARE(embeddingFile(source + QLatin1Char('/'), QStringLiteral("clip-vitb32"), cache),
             source + QStringLiteral(".clip-vitb32.npz"));
    const QString arrays = file("two.npz");
    test::writeFile(arrays, "x");
    QCOMPARE(embeddingFile(arrays + QStringLiteral(":train"), QStringLiteral("lstm"), cache),
             arrays + QStringLiteral("-train.lstm.npz"));
    QVERIFY(isNamedEmbeddingFile(arrays + QStringLiteral("-train.lstm.npz")));
    QVERIFY(!isNamedEmbeddingFile(file("three.npz-train.lstm.npz")));
#ifdef Q_OS_UNIX
    if (geteuid() == 0)
        QSKIP("root writes everywhere");
#endif
    QVERIFY(QFile::setPermissions(file("sets"), QFile::ReadOwner | QFile::ExeOwner));
    const QString there = embeddingFile(source, QStringLiteral("clip-vitb32"), cache);
    QVERIFY(QFile::setPermissions(file("sets"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY2(there.startsWith(cache) && there.endsWith(QStringLiteral("-real_png.clip-vitb32.npz")), qPrintable(there));
}

void EmbedPicturesTest::embeddingsAreNoSetsOfTheirOwn() {
    QVERIFY(QDir().mkpath(file("files")));
    test::writeFile(file("files/real.zip"), "x");
    test::writeFile(file("files/gan.zip"), "x");
    test::writeFile(file("files/gan.zip.dinov2-vitl14.npz"), "x");
    test::writeFile(file("files/other.dinov2-vitl14.npz"), "x"); // of nothing that is there
    const AuditFiles files = guessRoles({file("files")});
    QCOMPARE(files.models.size(), std::size_t{2});
    QCOMPARE(files.models[0].name, QStringLiteral("gan"));
    QCOMPARE(files.models[1].name, QStringLiteral("other.dinov2-vitl14"));
}

void EmbedPicturesTest::seriesAreEmbeddedByANetworkFittedOnTheRealOnes() {
    QVERIFY(QDir().mkpath(file("series")));
    test::writeSeries(file("series/real.npy"), kReal, 6);
    test::writeSeries(file("series/gan.npy"), kModel, 9); // an autoencoder takes any length
    for (const char* name : {"real", "gan"})
        test::writeArray(file("python/") + QString::fromUtf8(name) + QStringLiteral(".npy.npy"), kReal, kDimensions);
    OpenDialog* dialog = dropAndPick(QStringLiteral("lstm"), "series");
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    QCOMPARE(text(dialog, "setFound"),
             QStringLiteral("Real set: a NumPy array (.npy). 40 series of 6 steps \u00d7 2 features. "
                            "No embeddings: LSTM autoencoder will make them of the series"));
    test::shoot(*dialog, "embedding-series");
    mode("fit");
    clickOpen(dialog);
    auto* stage = child<QLabel>("jobStage");
    QTRY_VERIFY_WITH_TIMEOUT(stage->toolTip().endsWith(QStringLiteral("LSTM autoencoder: fitting the network")),
                             test::kHang);
    test::writeFile(file("python/go"), {});
    QVERIFY(waitOpen());
    QCOMPARE(state().audit->real->set->dim(), std::size_t{kDimensions});
    const QString real = file("series/real.npy");
    const QStringList runs = log().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(runs.size(), 2);
    QVERIFY2(runs[0].startsWith(QStringLiteral("run %1 --out %1.lstm.npz --model lstm").arg(real)),
             qPrintable(runs[0]));
    QVERIFY2(runs[0].endsWith(QStringLiteral("--save-weights %1.lstm-network.npz").arg(real)), qPrintable(runs[0]));
    QVERIFY2(runs[1].endsWith(QStringLiteral("--weights %1.lstm-network.npz").arg(real)), qPrintable(runs[1]));
    // A model that is added later is embedded by the same network.
    test::writeSeries(file("series/later.npy"), kModel, 6);
    test::writeArray(file("python/later.npy.npy"), kModel, kDimensions);
    session_->addModels({{QStringLiteral("later"), file("series/later.npy")}});
    QVERIFY(test::waitIdle(*session_));
    QCOMPARE(state().audit->models.size(), std::size_t{2});
    QVERIFY(log().endsWith(QStringLiteral("--weights %1.lstm-network.npz\n").arg(real)));
    // Neither the embeddings nor the network is a set.
    test::writeFile(file("series/real.npy.lstm-network.npz"), "x");
    QCOMPARE(guessRoles({file("series")}).models.size(), std::size_t{2});
}

void EmbedPicturesTest::seriesOfAnotherShapeAreToldBeforeTheyAreOpened() {
    QVERIFY(QDir().mkpath(file("series")));
    test::writeSeries(file("series/real.npy"), kReal, 6);
    test::writeSeries(file("series/gan.npy"), kModel, 9);
    const OpenDialog* dialog = test::dropOn(*window_, file("series"));
    QTRY_COMPARE_WITH_TIMEOUT(dialog->problem(),
                              file("series/gan.npy") +
                                  QStringLiteral(": expected series of 6 steps \u00d7 2 features, as in the real set, "
                                                 "found series of 9 steps \u00d7 2 features."),
                              test::kHang);
}

ASSAY_TEST(embed_pictures_test, EmbedPicturesTest)
#include "embed_pictures_test.moc"
