// What the window says where many distances are equal: the same words as the command line
// (tests/engine/tied_verdicts_test).
#include "engine/io/numpy/npy_writer.h"
#include "gui/desktop/theme.h"
#include "gui/session/audit_session.h"
#include "gui/window/main_window.h"
#include "tests/gui/support/wait_idle.h"
#include "tests/support/test_entry.h"
#include "tests/support/tied_sets.h"
#include "widgets/findings/finding_card.h"
#include "widgets/link/sample_selection.h"
#include "widgets/models/models_panel.h"
#include "widgets/tables/row_model.h"

#include <QLabel>

#include <memory>

using namespace assay;

class TiedVerdictWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void saysWhatIsRight_data();
    void saysWhatIsRight();

private:
    QString write(const QString& name, const test::Matrix& matrix) const {
        writeNpy(folder_.filePath(name).toStdString(), npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        return folder_.filePath(name);
    }

    QTemporaryDir folder_;
    std::unique_ptr<Theme> theme_;
};

void TiedVerdictWindowTest::initTestCase() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
    theme_ = std::make_unique<Theme>();
}

void TiedVerdictWindowTest::saysWhatIsRight_data() {
    QTest::addColumn<std::size_t>("number");
    const auto all = test::tiedCases();
    for (std::size_t i = 0; i < all.size(); ++i)
        QTest::newRow(all[i].name.c_str()) << i;
}

void TiedVerdictWindowTest::saysWhatIsRight() {
    QFETCH(std::size_t, number);
    const test::TiedCase given = test::tiedCases()[number];
    AuditFiles files;
    files.real = write("real.npy", given.real);
    files.models.push_back({QStringLiteral("model"), write("model.npy", given.model)});
    SampleSelection selection;
    AuditSession session(&selection);
    MainWindow window(&session, theme_.get());
    window.show();
    session.open(files);
    QTRY_VERIFY_WITH_TIMEOUT(session.isOpen() && session.state().hasModel() && session.state().current().complete,
                             60000);
    QVERIFY(test::waitIdle(session));
    const QString summary = window.findChild<QLabel*>(QStringLiteral("findingsSummary"))->text();
    QVERIFY2(summary.startsWith(QString::fromStdString(given.summary)), qPrintable(summary));
    for (const std::string& id : given.finding)
        QVERIFY2(window.findChild<FindingCard*>(QStringLiteral("finding_%1").arg(QString::fromStdString(id))),
                 id.c_str());
    RowModel models;
    models.setContent(modelsTable(session.state().audit, ModelsRoom::Long));
    const bool isGood = given.summary == "As good as real";
    QStringList found;
    for (const Finding& finding : session.state().current().findings)
        found.append(QString::fromUtf8(finding.kind->id.data(), static_cast<qsizetype>(finding.kind->id.size())));
    const QString share = models.index(0, ModelVerdict).data().toString();
    QVERIFY2((share == QStringLiteral("like real")) == isGood, qPrintable(share + ": " + found.join(", ")));
    QCOMPARE(models.index(0, 0).data().toString().contains("(!)"), !isGood);
}

ASSAY_TEST(tied_verdict_window_test, TiedVerdictWindowTest)
#include "tied_verdict_window_test.moc"
