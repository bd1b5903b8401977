// A network is chosen for folders of pictures, its Python checked, and assay-embed run as a job. A small shell script
// plays Python with assay-embed.
#include "gui/app/settings.h"
#include "gui/pages/open_dialog.h"
#include "gui/session/embedding_networks.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/wait_idle.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/screenshot.h"

#include "engine/io/numpy/npy_writer.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QUrl>
#include <QtTest>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

#include <memory>

using namespace assay;

namespace {

constexpr int kReal = 40;
constexpr int kModel = 30;
constexpr int kDimensions = 4;
constexpr int kWaitMs = 30000; // only ends a hang

} // namespace

class EmbedPicturesTest : public QObject {
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

private:
    QString file(const char* name) const { return program_->file(QString::fromUtf8(name)); }
    void write(const char* name, const QByteArray& bytes) const;
    void mode(const char* mode) const { write("python/mode", mode); }
    QString log() const;
    void writeArray(const char* name, int rows) const;
    void drawPictures(const char* name, int count) const;
    OpenDialog* drop() const;
    /// Drops the folders, and picks the network once they were looked at.
    OpenDialog* dropAndPick(const QString& network) const;
    void pick(QComboBox* box, int row) const;
    QString text(const OpenDialog* dialog, const char* label) const;
    void clickOpen(const OpenDialog* dialog) const;

    std::unique_ptr<test::DemoWindow> program_;
};

void EmbedPicturesTest::init() {
    program_.reset();
    program_ = std::make_unique<test::DemoWindow>();
    QVERIFY(QDir().mkpath(file("python")));
    drawPictures("sets/real_png", kReal);
    drawPictures("sets/gan_png", kModel);
    writeArray("python/real_png.npy", kReal);
    writeArray("python/gan_png.npy", kModel);
    QVERIFY(QFile::copy(QStringLiteral(ASSAY_SOURCE_DIR "/tests/gui/support/fake_python.sh"), file("python/python")));
    QVERIFY(QFile::setPermissions(file("python/python"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    mode("ready");
    Settings().setEmbedPython(file("python/python"));
    program_->window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&program_->window));
}

void EmbedPicturesTest::write(const char* name, const QByteArray& bytes) const {
    QFile target(file(name));
    QVERIFY(target.open(QIODevice::WriteOnly));
    QCOMPARE(target.write(bytes), bytes.size());
}

QString EmbedPicturesTest::log() const {
    QFile log(file("python/log"));
    return log.open(QIODevice::ReadOnly) ? QString::fromUtf8(log.readAll()) : QString();
}

void EmbedPicturesTest::writeArray(const char* name, int rows) const {
    std::vector<float> values(static_cast<std::size_t>(rows * kDimensions));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i * 7919 % 101) / 101.0F;
    writeNpy(file(name).toStdString(),
             npyView<float>(values, {static_cast<std::size_t>(rows), std::size_t{kDimensions}}));
}

void EmbedPicturesTest::drawPictures(const char* name, int count) const {
    const QDir folder(file(name));
    QVERIFY(folder.mkpath(QStringLiteral(".")));
    for (int i = 0; i < count; ++i) {
        QImage picture(16, 16, QImage::Format_RGB32);
        picture.fill(QColor::fromHsv(i * 37 % 360, 200, 250));
        QVERIFY(picture.save(folder.filePath(QStringLiteral("%1.png").arg(i, 4, 10, QLatin1Char('0')))));
    }
}

OpenDialog* EmbedPicturesTest::drop() const {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file("sets"))});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&program_->window, &enter);
    QDropEvent event(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&program_->window, &event);
    return program_->window.findChild<OpenDialog*>();
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

OpenDialog* EmbedPicturesTest::dropAndPick(const QString& network) const {
    OpenDialog* dialog = drop();
    auto* box = dialog->findChild<QComboBox*>(QStringLiteral("embedding"));
    [&] { QTRY_VERIFY_WITH_TIMEOUT(box->isVisible(), kWaitMs); }(); // once the folders were looked at
    pick(box, box->findData(network));
    return dialog;
}

QString EmbedPicturesTest::text(const OpenDialog* dialog, const char* label) const {
    return dialog->findChild<QLabel*>(QString::fromUtf8(label))->text();
}

void EmbedPicturesTest::clickOpen(const OpenDialog* dialog) const {
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open), Qt::LeftButton);
}

void EmbedPicturesTest::aNetworkEmbedsAllSetsOfPictures() {
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vits14"));
    QTRY_COMPARE_WITH_TIMEOUT(text(dialog, "embeddingState"),
                              QStringLiteral("Ready: Python 3.11.2, torch 2.1.0, on cuda"), kWaitMs);
    QVERIFY(text(dialog, "embeddingWhere").contains(QStringLiteral("_png.dinov2-vits14.npz")));
    QVERIFY2(text(dialog, "setFound").contains(QStringLiteral("DINOv2 ViT-S/14 will make them")),
             qPrintable(text(dialog, "setFound")));
    test::shoot(*dialog, QStringLiteral("embedding-ready"));
    clickOpen(dialog);
    QVERIFY(test::waitIdle(program_->session) && program_->session.isOpen());
    const AuditResult& audit = *program_->session.state().audit;
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
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "embeddingState").contains(QStringLiteral("-m pip install torch timm")),
                             kWaitMs);
    clickOpen(dialog);
    QVERIFY(dialog->isVisible());
    QCOMPARE(text(dialog, "problem"), QStringLiteral("The chosen Python cannot run DINOv2 ViT-L/14 yet."));
    test::shoot(*dialog, QStringLiteral("embedding-missing"));
    mode("ready"); // they are installed
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("checkEmbeddingPython")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "embeddingState").startsWith(QStringLiteral("Ready")), kWaitMs);
    QVERIFY(dialog->problem().isEmpty());
}

void EmbedPicturesTest::aPythonThatCannotBeStartedIsTold() {
    OpenDialog* dialog = dropAndPick(QStringLiteral("inception-v3"));
    auto* python = dialog->findChild<QLineEdit*>(QStringLiteral("embeddingPython"));
    // The list that was picked from gives the keyboard back a little later; a field without it ends no editing.
    dialog->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    QTest::mouseClick(python, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(python->hasFocus(), kWaitMs);
    python->selectAll();
    QTest::keyClicks(python, file("no/python"));
    QTest::keyClick(python, Qt::Key_Tab);
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "embeddingState").contains(QStringLiteral("cannot be started")), kWaitMs);
    QCOMPARE(Settings().embedPython(), file("python/python")); // only one that works is remembered
}

void EmbedPicturesTest::failuresAreTold_data() {
    QTest::addColumn<QByteArray>("mode");
    QTest::addColumn<QString>("words");
    QTest::newRow("said by the program") << QByteArray("fail")
                                         << QStringLiteral("failed on a batch of 8: no kernel image");
    QTest::newRow("the last line") << QByteArray("crash") << QStringLiteral("exit code 1: ImportError: libGL.so.1");
}

void EmbedPicturesTest::failuresAreTold() {
    QFETCH(QByteArray, mode);
    QFETCH(QString, words);
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vits14"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), kWaitMs);
    this->mode(mode.constData());
    clickOpen(dialog);
    QVERIFY(test::waitIdle(program_->session));
    QVERIFY(!program_->session.isOpen());
    auto* box = program_->window.findChild<QMessageBox*>(QStringLiteral("error"));
    QVERIFY(box);
    QVERIFY2(box->informativeText().contains(words), qPrintable(box->informativeText()));
}

void EmbedPicturesTest::loadingTheNetworkIsAStageOfItsOwn() {
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vits14"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), kWaitMs);
    mode("load");
    clickOpen(dialog);
    auto* stage = program_->window.findChild<QLabel*>(QStringLiteral("jobStage"));
    QTRY_VERIFY_WITH_TIMEOUT(stage->toolTip().endsWith(QStringLiteral("DINOv2 ViT-S/14: loading the network")),
                             kWaitMs);
    write("python/go", {});
    QVERIFY(test::waitIdle(program_->session) && program_->session.isOpen());
}

void EmbedPicturesTest::cancellingStopsTheProgram() {
    write("python/go", {});
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vits14"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), kWaitMs);
    mode("hang");
    clickOpen(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("python/running")), kWaitMs);
    auto* stage = program_->window.findChild<QLabel*>(QStringLiteral("jobStage"));
    QTRY_COMPARE_WITH_TIMEOUT(stage->text(), QStringLiteral("Embedding real_png by DINOv2 ViT-S/14"), kWaitMs);
    // A quarter of the larger of two sets.
    auto* bar = program_->window.findChild<QProgressBar*>(QStringLiteral("jobProgress"));
    QTRY_COMPARE_WITH_TIMEOUT(bar->value(), 128, kWaitMs);
    test::shoot(program_->window, QStringLiteral("embedding-job"));
    QTest::mouseClick(program_->window.findChild<QToolButton*>(QStringLiteral("jobCancel")), Qt::LeftButton);
    QVERIFY(test::waitIdle(program_->session));
    QVERIFY(!program_->session.isOpen());
    QTRY_VERIFY_WITH_TIMEOUT(log().endsWith(QStringLiteral("stopped\n")), kWaitMs);
    QVERIFY(!program_->window.findChild<QMessageBox*>(QStringLiteral("error")));
}

void EmbedPicturesTest::theNextRunWaitsForTheOneThatStops() {
    OpenDialog* dialog = dropAndPick(QStringLiteral("dinov2-vits14"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), kWaitMs);
    mode("hang");
    const AuditFiles files = dialog->files();
    clickOpen(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("python/running")), kWaitMs);
    QTest::mouseClick(program_->window.findChild<QToolButton*>(QStringLiteral("jobCancel")), Qt::LeftButton);
    QVERIFY(test::waitIdle(program_->session)); // at once, though the program still keeps what is done
    QVERIFY(!log().contains(QStringLiteral("stopped")));
    mode("ready");
    program_->session.open(files);
    QVERIFY(program_->session.isBusy());
    write("python/go", {});
    QVERIFY(test::waitIdle(program_->session) && program_->session.isOpen());
    const QStringList lines = log().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines[1], QStringLiteral("stopped"));
}

void EmbedPicturesTest::theBuiltInEmbeddingRunsNothing() {
    OpenDialog* dialog = drop();
    auto* box = dialog->findChild<QComboBox*>(QStringLiteral("embedding"));
    QTRY_VERIFY_WITH_TIMEOUT(box->isVisible(), kWaitMs);
    QVERIFY(!dialog->findChild<QLineEdit*>(QStringLiteral("embeddingPython"))->isVisible());
    test::shoot(*dialog, QStringLiteral("embedding-built-in"));
    clickOpen(dialog);
    QVERIFY(test::waitIdle(program_->session) && program_->session.isOpen());
    QVERIFY(log().isEmpty());
    QVERIFY(!program_->session.state().audit->real->set->source().builtIn.empty());
}

void EmbedPicturesTest::embeddingsGoToTheCacheWhereTheFolderCannotBeWritten() {
    const QString source = file("sets/real_png");
    const QString cache = file("cache");
    QCOMPARE(embeddingFile(source + QLatin1Char('/'), QStringLiteral("clip-vitb32"), cache),
             source + QStringLiteral(".clip-vitb32.npz"));
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
    write("files/real.zip", "x");
    write("files/gan.zip", "x");
    write("files/gan.zip.dinov2-vitl14.npz", "x");
    write("files/other.dinov2-vitl14.npz", "x"); // of nothing that is there
    const AuditFiles files = guessRoles({file("files")});
    QCOMPARE(files.models.size(), std::size_t{2});
    QCOMPARE(files.models[0].name, QStringLiteral("gan"));
    QCOMPARE(files.models[1].name, QStringLiteral("other.dinov2-vitl14"));
}

ASSAY_TEST(embed_pictures_test, EmbedPicturesTest)
#include "embed_pictures_test.moc"
