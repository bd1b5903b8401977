// Files that only libraries of Python read are converted from the window: dropped, opened by the program's arguments,
// and added to an audit. A small shell script plays Python with assay-convert.
#include "gui/commands/commands.h"
#include "gui/desktop/settings.h"
#include "gui/pages/conversion_pane.h"
#include "gui/pages/open_dialog.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/dropped_files.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <algorithm>
#include <memory>

using namespace assay;

namespace {

constexpr int kReal = 40;
constexpr int kModel = 30;
constexpr int kDimensions = 4;

} // namespace

class ConvertFilesTest : public QObject, protected test::DemoTest {
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
    void mode(const char* mode) const { test::writeFile(file("python/mode"), mode); }
    QStringList runs() const;
    static bool waitForOffer(const QWidget* dialog);
    AuditFiles bothSets() const {
        return setsOf(file("sets/real.parquet"), {{QStringLiteral("gan"), file("sets/gan.jsonl")}});
    }
};

void ConvertFilesTest::init() {
    QVERIFY(makeWindow());
    qputenv("XDG_CACHE_HOME", file("cache").toUtf8());
    test::playPython(file("python"), "fake_converter");
    QVERIFY(QDir().mkpath(file("sets")));
    test::writeFile(file("sets/real.parquet"), "PAR1 real");
    test::writeFile(file("sets/gan.jsonl"), "{\"a\": 1}\n");
    test::writeArray(file("python/real.parquet.npy"), kReal, kDimensions);
    test::writeArray(file("python/gan.jsonl.npy"), kModel, kDimensions);
}

QStringList ConvertFilesTest::runs() const {
    const QString log = file("python/log");
    if (!QFile::exists(log))
        return {};
    return QString::fromUtf8(test::contentOf(log)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

bool ConvertFilesTest::waitForOffer(const QWidget* dialog) {
    const auto* button = dialog->findChild<QPushButton*>(QStringLiteral("convert"));
    return QTest::qWaitFor([&] { return button->isVisible() && button->isEnabled(); }, test::kHang);
}

void ConvertFilesTest::droppedFilesAreConvertedWhenThePersonSaysSo() {
    OpenDialog* dialog = test::dropOn(*window_, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    QVERIFY(says(dialog, "conversionFiles", "gan.jsonl (JSON Lines)"));
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
    test::shoot(*dialog, "convert-offer");

    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    QVERIFY(says(dialog, "setFound", "40 \u00d7 4"));
    QVERIFY(!dialog->findChild<QWidget*>(QStringLiteral("conversionPane"))->isVisible());
    QCOMPARE(runs().size(), 2);
    clickOpen(dialog);
    QVERIFY(waitOpen());
    const AuditResult& audit = *state().audit;
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
    window_->commands()->open(bothSets());
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<OpenDialog*>() != nullptr, test::kHang);
    auto* dialog = window_->findChild<OpenDialog*>();
    QVERIFY(waitForOffer(dialog));
    QVERIFY(says(dialog, "conversionFiles", "these files"));
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(window_->findChild<OpenDialog*>() == nullptr);

    window_->commands()->open(bothSets());
    QTRY_VERIFY_WITH_TIMEOUT(session_->isBusy() || session_->isOpen(), test::kHang);
    QVERIFY(waitOpen());
    QVERIFY(window_->findChild<OpenDialog*>() == nullptr);
    QCOMPARE(runs().size(), 2);
}

void ConvertFilesTest::anotherFileOfThatNameIsConvertedAnew() {
    OpenDialog* dialog = test::dropOn(*window_, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    QVERIFY(says(dialog, "conversionFiles", "these files"));
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the next one may have its address
    QVERIFY(window_->findChild<OpenDialog*>() == nullptr);
    test::writeFile(file("sets/gan.jsonl"), "{\"a\": 2}\n");
    window_->commands()->open(bothSets());
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<OpenDialog*>() != nullptr, test::kHang);
    dialog = window_->findChild<OpenDialog*>();
    QVERIFY(waitForOffer(dialog));
    QVERIFY2(text(dialog, "conversionFiles")
                 .startsWith(QStringLiteral("gan.jsonl is JSON Lines, which Assay reads through Python")),
             qPrintable(text(dialog, "conversionFiles")));
}

void ConvertFilesTest::aLibraryThatIsMissingIsNamed() {
    mode("missing");
    OpenDialog* dialog = test::dropOn(*window_, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    click(dialog, "convert");
    QVERIFY(says(dialog, "conversionState", "-m pip install pyarrow"));
    QVERIFY(text(dialog, "conversionState").contains(QStringLiteral("needs pyarrow, which ") + file("python/python")));
    QVERIFY(text(dialog, "conversionState").contains(QStringLiteral("choose another Python")));
    QVERIFY(waitForOffer(dialog));
    test::shoot(*dialog, "convert-missing");

    // Another Python that cannot be started is told, too, and not remembered.
    auto* python = dialog->findChild<QLineEdit*>(QStringLiteral("conversionPython"));
    python->setText(file("no/python"));
    QVERIFY(text(dialog, "conversionCommand").startsWith(file("no/python")));
    click(dialog, "convert");
    QVERIFY(says(dialog, "conversionState", "expected a Python that can be started"));
    QCOMPARE(Settings().embedPython(), file("python/python"));
}

void ConvertFilesTest::cancellingStopsPython() {
    mode("hang");
    OpenDialog* dialog = test::dropOn(*window_, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    QVERIFY(says(dialog, "conversionFiles", "these files"));
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("python/running")), test::kHang);
    QVERIFY(dialog->findChild<QProgressBar*>(QStringLiteral("conversionProgress"))->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(text(dialog, "conversionState").startsWith(QStringLiteral("Converting ")), test::kHang);
    test::shoot(*dialog, "convert-running");
    click(dialog, "cancelConversion");
    QVERIFY(waitForOffer(dialog)); // long before Python would have ended
    QCOMPARE(runs().size(), 1);
    QVERIFY(text(dialog, "conversionState").isEmpty());
    QVERIFY(QDir(file("cache/assay/converted")).isEmpty());
}

void ConvertFilesTest::theDialogClosesWhilePythonRuns() {
    mode("hang");
    OpenDialog* dialog = test::dropOn(*window_, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file("python/running")), test::kHang);
    QElapsedTimer timer;
    timer.start();
    dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(window_->findChild<OpenDialog*>() == nullptr);
    QVERIFY(timer.elapsed() < 5000);
    QVERIFY(QDir(file("cache/assay/converted")).isEmpty());
}

void ConvertFilesTest::addedModelsAreConvertedFirst() {
    test::writeArray(file("sets/real.npy"), kReal, kDimensions);
    test::writeArray(file("sets/vae.npy"), kModel, kDimensions);
    window_->commands()->open(setsOf(file("sets/real.npy"), {{QStringLiteral("vae"), file("sets/vae.npy")}}));
    QVERIFY(waitOpen());
    window_->commands()->openFiles({file("sets/gan.jsonl")});
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<ConvertDialog*>() != nullptr, test::kHang);
    auto* dialog = window_->findChild<ConvertDialog*>();
    QVERIFY(waitForOffer(dialog));
    QVERIFY(dialog->findChild<QPushButton*>(QStringLiteral("openUnconverted")) == nullptr);
    test::shoot(*dialog, "convert-added");
    click(dialog, "convert");
    QTRY_COMPARE_WITH_TIMEOUT(state().audit->models.size(), std::size_t{2}, test::kHang);
    QVERIFY(test::waitIdle(*session_));
    QCOMPARE(state().audit->models[1]->name, std::string("gan"));
    QCOMPARE(state().audit->models[1]->set->rows(), std::size_t{kModel});
}

void ConvertFilesTest::picturesComeAlong() {
    mode("pictures");
    test::drawPictures(file("python/pictures"), kModel);
    OpenDialog* dialog = test::dropOn(*window_, file("sets"));
    QVERIFY(dialog != nullptr && waitForOffer(dialog));
    QVERIFY(says(dialog, "conversionFiles", "these files"));
    click(dialog, "convert");
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().isEmpty(), test::kHang);
    QVERIFY(says(dialog, "setFound", "30 pictures"));
    // Embeddings of a network go beside the pictures, and not beside the file that they come from.
    auto* network = dialog->findChild<QComboBox*>(QStringLiteral("embedding"));
    QVERIFY(network->isVisible());
    network->setCurrentIndex(network->findData(QStringLiteral("dinov2-vits14")));
    QVERIFY(says(dialog, "embeddingWhere", "real_pictures.dinov2-vits14.npz"));
    network->setCurrentIndex(0);
    clickOpen(dialog);
    QVERIFY(waitOpen());
    QVERIFY(state().audit->models[0]->set->images() != nullptr);
}

ASSAY_TEST(convert_files_test, ConvertFilesTest)
#include "convert_files_test.moc"
