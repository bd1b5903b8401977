// Files that only libraries of Python read are converted from the window: dropped, opened by the program's arguments,
// and added to an audit. A small shell script plays Python with assay-convert.
#include "gui/commands/commands.h"
#include "gui/desktop/settings.h"
#include "gui/pages/conversion_pane.h"
#include "gui/pages/open_dialog.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/dropped_files.h"
#include "tests/gui/support/wait_idle.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/screenshot.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QtTest>

#include <algorithm>
#include <memory>

using namespace assay;

namespace {

constexpr int kReal = 40;
constexpr int kModel = 30;
constexpr int kDimensions = 4;

} // namespace

class ConvertFilesTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanupTestCase() { qunsetenv("XDG_CACHE_HOME"); }
    void droppedFilesAreConvertedWhenThePersonSaysSo();
    void convertedFilesOpenAtOnce();
    void anotherFileOfThatNameIsConvertedAnew();
    void aLibraryThatIsMissingIsNamed();
    void cancellingStopsPython();
    void theDialogClosesWhilePythonRuns();
    void addedModelsAreConvertedFirst();
    void picturesComeAlong();

private:
    QString file(const char* name) const { return program_->file(QString::fromUtf8(name)); }
    void mode(const char* mode) const { test::writeFile(file("python/mode"), mode); }
    QStringList runs() const;
    static bool waitForOffer(const QWidget* dialog);
    static void click(const QWidget* dialog, const char* button);
    static QString text(const QWidget* dialog, const char* label);
    static void clickOpen(const OpenDialog* dialog);
    AuditFiles bothSets() const;

    std::unique_ptr<test::DemoWindow> program_;
};

void ConvertFilesTest::init() {
    program_.reset();
    program_ = std::make_unique<test::DemoWindow>();
    qputenv("XDG_CACHE_HOME", program_->file(QStringLiteral("cache")).toUtf8());
    QVERIFY(QDir().mkpath(file("python")) && QDir().mkpath(file("sets")));
    test::writeFile(file("sets/real.parquet"), "PAR1 real");
    test::writeFile(file("sets/gan.jsonl"), "{\"a\": 1}\n");
    test::writeArray(file("python/real.parquet.npy"), kReal, kDimensions);
    test::writeArray(file("python/gan.jsonl.npy"), kModel, kDimensions);
    const QString script = QStringLiteral(ASSAY_SOURCE_DIR "/tests/gui/support/fake_converter.sh");
    QVERIFY(QFile::copy(script, file("python/python")));
    QVERIFY(QFile::setPermissions(file("python/python"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    mode("ready");
    Settings().setEmbedPython(file("python/python"));
    program_->window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&program_->window));
}

QStringList ConvertFilesTest::runs() const {
    QFile log(file("python/log"));
    return log.open(QIODevice::ReadOnly) ? QString::fromUtf8(log.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts)
                                         : QStringList();
}

bool ConvertFilesTest::waitForOffer(const QWidget* dialog) {
    const auto* button = dialog->findChild<QPushButton*>(QStringLiteral("convert"));
    return QTest::qWaitFor([&] { return button->isVisible() && button->isEnabled(); }, test::kHang);
}

void ConvertFilesTest::click(const QWidget* dialog, const char* button) {
    QTest::mouseClick(dialog->findChild<QPushButton*>(QString::fromUtf8(button)), Qt::LeftButton);
}

QString ConvertFilesTest::text(const QWidget* dialog, const char* label) {
    return dialog->findChild<QLabel*>(QString::fromUtf8(label))->text();
}

void ConvertFilesTest::clickOpen(const OpenDialog* dialog) {
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open), Qt::LeftButton);
}

AuditFiles ConvertFilesTest::bothSets() const {
    AuditFiles files;
    files.real = file("sets/real.parquet");
    files.models = {{QStringLiteral("gan"), file("sets/gan.jsonl")}};
    return files;
}

void ConvertFilesTest::droppedFilesAreConvertedWhenThePersonSaysSo() {
    OpenDialog* dialog = test::dropOn(program_->window, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "conversionFiles").contains(QStringLiteral("gan.jsonl (JSON Lines)")),
                             test::kHang);
    QVERIFY(text(dialog, "conversionFiles").contains(QStringLiteral("real.parquet (a Parquet file)")));
    const QString command = text(dialog, "conversionCommand");
    QVERIFY2(command.contains(file("python/python") + QLatin1Char(' ')), qPrintable(command));
    QVERIFY2(command.contains(QStringLiteral("assay-convert ") + file("sets/real.parquet")), qPrintable(command));
    QVERIFY2(text(dialog, "setFound").contains(QStringLiteral("not converted yet")),
             qPrintable(text(dialog, "setFound")));
    clickOpen(dialog);
    QVERIFY(dialog->isVisible());
    QVERIFY2(
        text(dialog, "setProblem").endsWith(QStringLiteral(": a Parquet file, which Python has to convert first.")),
        qPrintable(text(dialog, "setProblem")));
    QVERIFY(runs().isEmpty()); // nothing runs that nobody asked for
    test::shoot(*dialog, QStringLiteral("convert-offer"));

    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "setFound").contains(QStringLiteral("40 \u00d7 4")), test::kHang);
    QVERIFY(!dialog->findChild<QWidget*>(QStringLiteral("conversionPane"))->isVisible());
    QCOMPARE(runs().size(), 2);
    clickOpen(dialog);
    QVERIFY(test::waitIdle(program_->session) && program_->session.isOpen());
    const AuditResult& audit = *program_->session.state().audit;
    QCOMPARE(audit.real->set->rows(), std::size_t{kReal});
    QCOMPARE(audit.models[0]->set->rows(), std::size_t{kModel});
    QCOMPARE(audit.models[0]->name, std::string("gan"));
    const std::vector<std::string>& notes = audit.real->set->source().notes;
    QVERIFY(std::ranges::any_of(notes, [](const std::string& note) {
        return note.find("real.parquet: converted by Python") != std::string::npos;
    }));
    // What is remembered is the person's own file.
    QCOMPARE(Settings().recentAudits().at(0).real, file("sets/real.parquet"));
}

void ConvertFilesTest::convertedFilesOpenAtOnce() {
    program_->window.commands()->open(bothSets());
    QTRY_VERIFY_WITH_TIMEOUT(program_->window.findChild<OpenDialog*>() != nullptr, test::kHang);
    auto* dialog = program_->window.findChild<OpenDialog*>();
    QVERIFY(waitForOffer(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "conversionFiles").contains(QStringLiteral("these files")), test::kHang);
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(program_->window.findChild<OpenDialog*>() == nullptr);

    program_->window.commands()->open(bothSets());
    QTRY_VERIFY_WITH_TIMEOUT(program_->session.isBusy() || program_->session.isOpen(), test::kHang);
    QVERIFY(test::waitIdle(program_->session) && program_->session.isOpen());
    QVERIFY(program_->window.findChild<OpenDialog*>() == nullptr);
    QCOMPARE(runs().size(), 2);
}

void ConvertFilesTest::anotherFileOfThatNameIsConvertedAnew() {
    OpenDialog* dialog = test::dropOn(program_->window, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "conversionFiles").contains(QStringLiteral("these files")), test::kHang);
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    dialog->reject();
    test::writeFile(file("sets/gan.jsonl"), "{\"a\": 2}\n");
    program_->window.commands()->open(bothSets());
    QTRY_VERIFY_WITH_TIMEOUT(program_->window.findChild<OpenDialog*>() != nullptr &&
                                 program_->window.findChild<OpenDialog*>() != dialog,
                             test::kHang);
    dialog = program_->window.findChild<OpenDialog*>();
    QVERIFY(waitForOffer(dialog));
    QVERIFY2(text(dialog, "conversionFiles")
                 .startsWith(QStringLiteral("gan.jsonl is JSON Lines, which Assay reads through Python")),
             qPrintable(text(dialog, "conversionFiles")));
}

void ConvertFilesTest::aLibraryThatIsMissingIsNamed() {
    mode("missing");
    OpenDialog* dialog = test::dropOn(program_->window, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "conversionState").contains(QStringLiteral("-m pip install pyarrow")),
                             test::kHang);
    QVERIFY(text(dialog, "conversionState").contains(QStringLiteral("needs pyarrow, which ") + file("python/python")));
    QVERIFY(text(dialog, "conversionState").contains(QStringLiteral("choose another Python")));
    QVERIFY(waitForOffer(dialog));
    test::shoot(*dialog, QStringLiteral("convert-missing"));

    // Another Python that cannot be started is told, too, and not remembered.
    auto* python = dialog->findChild<QLineEdit*>(QStringLiteral("conversionPython"));
    python->setText(file("no/python"));
    QVERIFY(text(dialog, "conversionCommand").startsWith(file("no/python")));
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(
        text(dialog, "conversionState").contains(QStringLiteral("expected a Python that can be started")), test::kHang);
    QCOMPARE(Settings().embedPython(), file("python/python"));
}

void ConvertFilesTest::cancellingStopsPython() {
    mode("hang");
    OpenDialog* dialog = test::dropOn(program_->window, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "conversionFiles").contains(QStringLiteral("these files")), test::kHang);
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("python/running")), test::kHang);
    QVERIFY(dialog->findChild<QProgressBar*>(QStringLiteral("conversionProgress"))->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "conversionState").startsWith(QStringLiteral("Converting ")), test::kHang);
    test::shoot(*dialog, QStringLiteral("convert-running"));
    click(dialog, "cancelConversion");
    QVERIFY(waitForOffer(dialog)); // long before Python would have ended
    QCOMPARE(runs().size(), 1);
    QVERIFY(text(dialog, "conversionState").isEmpty());
    QVERIFY(QDir(file("cache/assay/converted")).isEmpty());
}

void ConvertFilesTest::theDialogClosesWhilePythonRuns() {
    mode("hang");
    OpenDialog* dialog = test::dropOn(program_->window, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("python/running")), test::kHang);
    QElapsedTimer timer;
    timer.start();
    dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(program_->window.findChild<OpenDialog*>() == nullptr);
    QVERIFY(timer.elapsed() < 5000);
    QVERIFY(QDir(file("cache/assay/converted")).isEmpty());
}

void ConvertFilesTest::addedModelsAreConvertedFirst() {
    test::writeArray(file("sets/real.npy"), kReal, kDimensions);
    test::writeArray(file("sets/vae.npy"), kModel, kDimensions);
    AuditFiles files;
    files.real = file("sets/real.npy");
    files.models = {{QStringLiteral("vae"), file("sets/vae.npy")}};
    program_->window.commands()->open(files);
    QVERIFY(test::waitIdle(program_->session) && program_->session.isOpen());
    program_->window.commands()->openFiles({file("sets/gan.jsonl")});
    QTRY_VERIFY_WITH_TIMEOUT(program_->window.findChild<ConvertDialog*>() != nullptr, test::kHang);
    auto* dialog = program_->window.findChild<ConvertDialog*>();
    QVERIFY(waitForOffer(dialog));
    QVERIFY(dialog->findChild<QPushButton*>(QStringLiteral("openUnconverted")) == nullptr);
    test::shoot(*dialog, QStringLiteral("convert-added"));
    click(dialog, "convert");
    QTRY_COMPARE_WITH_TIMEOUT(program_->session.state().audit->models.size(), std::size_t{2}, test::kHang);
    QVERIFY(test::waitIdle(program_->session));
    QCOMPARE(program_->session.state().audit->models[1]->name, std::string("gan"));
    QCOMPARE(program_->session.state().audit->models[1]->set->rows(), std::size_t{kModel});
}

void ConvertFilesTest::picturesComeAlong() {
    mode("pictures");
    test::drawPictures(file("python/pictures"), kModel);
    OpenDialog* dialog = test::dropOn(program_->window, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "conversionFiles").contains(QStringLiteral("these files")), test::kHang);
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "setFound").contains(QStringLiteral("30 pictures")), test::kHang);
    // Embeddings of a network go beside the pictures, and not beside the file that they come from.
    auto* network = dialog->findChild<QComboBox*>(QStringLiteral("embedding"));
    QVERIFY(network->isVisible());
    network->setCurrentIndex(network->findData(QStringLiteral("dinov2-vits14")));
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "embeddingWhere").contains(QStringLiteral("real_pictures.dinov2-vits14.npz")),
                             test::kHang);
    network->setCurrentIndex(0);
    clickOpen(dialog);
    QVERIFY(test::waitIdle(program_->session) && program_->session.isOpen());
    QVERIFY(program_->session.state().audit->models[0]->set->images() != nullptr);
}

ASSAY_TEST(convert_files_test, ConvertFilesTest)
#include "convert_files_test.moc"
