#include "gui/session/selection_commands.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/fake_engine.h"
#include "tests/support/test_entry.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_table.h"
#include "widgets/ranking/ranking_view.h"
#include "widgets/samples/sample_grid.h"

#include "engine/data/embedding_set.h"

#include <QtWidgets>

using namespace assay;

namespace {

SampleId sample(std::size_t model, std::uint32_t row) {
    return {syntheticSet(model), row};
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A session with two models of ten samples.
struct Session {
    test::FakeEngine engine;
    SampleSelection selection;
    AuditSession session{&selection, engine.calls()};

    Session() {
        session.openDemo();
        QVERIFY(test::waitIdle(session) && session.isOpen());
    }
    QString kept() const {
        QString text;
        for (std::size_t row = 0; row < 10; ++row)
            text += session.state().isKept(row) ? '1' : '0';
        return text;
    }
};

} // namespace

/// Samples rejected by hand: what the session makes of them, then how Space does it in the window on a demo.
class RejectByHandTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void addsToWhatTheRulesReject();
    void takesBackOnlyWhenAllAreRejected();
    void leavesRealSamplesAndOtherModelsAlone();
    void canBeUndone();
    void isExportedWithItsReason();

    void spaceRejectsInTheGallery();
    void spaceRejectsInTheListWhateverItsOrder();
    void spaceRejectsFromTheInspector();
    void spaceIsFirstForButtons();
    void keptScoresAndReportFollow();

private:
    QString label(const char* name) const { return window_->findChild<QLabel*>(QLatin1String(name))->text(); }
    SampleId clickFirstTile(QPoint at = QPoint(40, 40)) {
        auto* gallery = window_->findChild<SampleGrid*>(QStringLiteral("rankingGallery"));
        QTest::mouseClick(gallery->viewport(), Qt::LeftButton, {}, at);
        return selection_->samples().front();
    }
};

void RejectByHandTest::initTestCase() {
    QVERIFY(openDemo());
}

void RejectByHandTest::init() {
    QVERIFY(demo_->reset());
}

void RejectByHandTest::addsToWhatTheRulesReject() {
    Session own;
    own.session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.2}});
    own.selection.replace({sample(0, 1), sample(0, 7)});
    own.session.editor()->toggleByHand(HandVerdict::Rejected);
    QCOMPARE(own.kept(), QStringLiteral("0011111011"));
    QCOMPARE(own.session.document()->keptCount(), std::size_t{7});
    QCOMPARE(own.session.document()->rejectedCount(), std::size_t{3});
    QVERIFY(own.session.state().isRejectedByHand(1) && own.session.state().isRejectedByHand(7));
    QVERIFY(!own.session.state().isRejectedByHand(0));
    own.session.editor()->setRules({});
    QCOMPARE(own.kept(), QStringLiteral("1011111011")); // whatever the rules are
    SelectionCommands(&own.session).rejectedByHand();
    QCOMPARE(own.selection.samples(), (std::vector<SampleId>{sample(0, 1), sample(0, 7)}));
}

void RejectByHandTest::takesBackOnlyWhenAllAreRejected() {
    Session own;
    own.selection.replace({sample(0, 1)});
    own.session.editor()->toggleByHand(HandVerdict::Rejected);
    own.selection.replace({sample(0, 1), sample(0, 2)});
    QVERIFY(!own.session.editor()->isSelectionJudged(HandVerdict::Rejected));
    own.session.editor()->toggleByHand(HandVerdict::Rejected);
    QVERIFY(own.session.editor()->isSelectionJudged(HandVerdict::Rejected));
    QCOMPARE(own.kept(), QStringLiteral("1001111111"));
    own.session.editor()->toggleByHand(HandVerdict::Rejected);
    QVERIFY(!own.session.state().kept && !own.session.state().byHand);
}

void RejectByHandTest::leavesRealSamplesAndOtherModelsAlone() {
    Session own;
    own.selection.replace({{SetId::Real, 4}});
    QVERIFY(!own.session.editor()->canDecide());
    own.session.editor()->toggleByHand(HandVerdict::Rejected);
    QVERIFY(!own.session.document()->undoGroup()->canUndo() || !own.session.state().byHand);
    own.selection.replace({{SetId::Real, 4}, sample(0, 4)});
    own.session.editor()->toggleByHand(HandVerdict::Rejected);
    QCOMPARE(*own.session.state().byHand, (std::vector<std::uint32_t>{4}));
    own.session.editor()->setModel(1);
    QVERIFY(!own.session.state().byHand && !own.session.state().kept);
    own.session.addModels({{QStringLiteral("more"), QStringLiteral("/data/more.npz")}});
    QVERIFY(test::waitIdle(own.session));
    own.session.editor()->setModel(0);
    QCOMPARE(own.kept(), QStringLiteral("1111011111"));
}

void RejectByHandTest::canBeUndone() {
    Session own;
    QUndoGroup* undo = own.session.document()->undoGroup();
    own.selection.select(sample(0, 3));
    QSignalSpy states(own.session.document(), &Document::stateChanged);
    own.session.editor()->toggleByHand(HandVerdict::Rejected);
    QCOMPARE(states.size(), 1);
    undo->undo();
    QCOMPARE(own.kept(), QStringLiteral("1111111111"));
    QVERIFY(own.selection.contains(sample(0, 3)));
    undo->redo();
    QCOMPARE(own.kept(), QStringLiteral("1110111111"));
}

void RejectByHandTest::isExportedWithItsReason() {
    Session own;
    own.selection.replace({sample(0, 0), sample(0, 6)});
    own.session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.05}});
    own.session.editor()->toggleByHand(HandVerdict::Rejected);
    const QTemporaryDir folder;
    QSignalSpy exported(&own.session, &AuditSession::exported);
    own.session.exportSamples({.what = ExportWhat::Rejected, .models = {own.session.state().model}},
                              folder.filePath(QStringLiteral("r.csv")));
    QTRY_COMPARE(exported.size(), 1);
    own.session.exportSamples({.models = {own.session.state().model}, .format = "ids"},
                              folder.filePath(QStringLiteral("k.txt")));
    QTRY_COMPARE(exported.size(), 2);
    const QList<QByteArray> lines = contentOf(folder.filePath(QStringLiteral("r.csv"))).trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[1].endsWith(",fidelity 0 < 0.05; rejected by hand"));
    QVERIFY(lines[2].startsWith("6,") && lines[2].endsWith(",rejected by hand"));
    QCOMPARE(contentOf(folder.filePath(QStringLiteral("k.txt"))), QByteArray("1\n2\n3\n4\n5\n7\n8\n9\n"));
}

void RejectByHandTest::spaceRejectsInTheGallery() {
    auto* gallery = window_->findChild<SampleGrid*>(QStringLiteral("rankingGallery"));
    QVERIFY(!action("actionRejectByHand")->isEnabled());
    const SampleId chosen = clickFirstTile();
    const QImage before = gallery->grab().toImage();
    press(gallery, Qt::Key_Space);
    QCOMPARE(*session_->state().byHand, (std::vector<std::uint32_t>{chosen.row}));
    QVERIFY(selection_->contains(chosen));
    QVERIFY(action("actionRejectByHand")->isChecked());
    QVERIFY(gallery->grab().toImage() != before); // faded and crossed out
    QVERIFY(label("inspectorOrigin").endsWith(QStringLiteral("rejected by hand")));
    QVERIFY2(label("rejectedCount").contains(QStringLiteral("<b>1</b>")) &&
                 label("rejectedCount").endsWith(QStringLiteral("1 by hand")),
             qPrintable(label("rejectedCount")));
    QVERIFY(label("status").contains(QStringLiteral("rejected 1")));
    test::shoot(*window_, "by-hand");
    press(gallery, Qt::Key_Space);
    QVERIFY(!session_->state().byHand);
    QCOMPARE(gallery->grab().toImage(), before);
    press(gallery, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session_->state().isRejectedByHand(chosen.row));
    press(gallery, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!session_->state().kept);
}

void RejectByHandTest::spaceRejectsInTheListWhateverItsOrder() {
    auto* ranking = window_->findChild<RankingView*>();
    auto* table = window_->findChild<RankingTable*>();
    QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("rankingAsTable")), Qt::LeftButton);
    const QModelIndex third = table->model()->index(2, 0);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(third).center());
    const SampleId chosen = ranking->model()->sampleAt(2);
    QVERIFY(selection_->contains(chosen));
    press(table, Qt::Key_Space);
    QCOMPARE(*session_->state().byHand, (std::vector<std::uint32_t>{chosen.row}));
    QCOMPARE(table->model()->index(2, RankingModel::KeptColumn).data().toString(), QStringLiteral("rejected by hand"));
    test::shoot(*window_, "by-hand-list");
    ranking->model()->setOrder({"id", Qt::DescendingOrder});
    QCOMPARE(*session_->state().byHand, (std::vector<std::uint32_t>{chosen.row}));
    ranking->model()->setShow(RankingShow::Rejected);
    QCOMPARE(ranking->model()->size(), std::size_t{1});
    QCOMPARE(ranking->model()->sampleAt(0), chosen);
    press(table, Qt::Key_Space);
    QCOMPARE(ranking->model()->size(), std::size_t{0});
    ranking->model()->setShow(RankingShow::All);
    ranking->model()->setOrder({"pce", Qt::DescendingOrder});
    // What a rule rejects already can be rejected by hand as well: nothing is kept that was not, but the reason is
    // told.
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 2.0}});
    const auto place = ranking->model()->positionOf(chosen);
    QVERIFY(place);
    const QModelIndex again = table->model()->index(static_cast<int>(*place), RankingModel::KeptColumn);
    QCOMPARE(again.data().toString(), QStringLiteral("rejected"));
    QSignalSpy changed(table->model(), &QAbstractItemModel::dataChanged);
    press(table, Qt::Key_Space);
    QCOMPARE(again.data().toString(), QStringLiteral("rejected by hand"));
    QVERIFY(!changed.isEmpty());
    QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("rankingAsGallery")), Qt::LeftButton);
}

void RejectByHandTest::spaceRejectsFromTheInspector() {
    const SampleId chosen = clickFirstTile();
    press(window_->findChild<QLabel*>(QStringLiteral("inspectorReason")), Qt::Key_Space);
    QVERIFY(session_->state().isRejectedByHand(chosen.row));
}

void RejectByHandTest::spaceIsFirstForButtons() {
    clickFirstTile();
    auto* check = window_->findChild<QCheckBox*>(QStringLiteral("ruleCheck_authentic"));
    press(check, Qt::Key_Space);
    QVERIFY(check->isChecked());
    QVERIFY(!session_->state().byHand);
}

void RejectByHandTest::keptScoresAndReportFollow() {
    QVERIFY(test::waitIdle(*session_));
    QVERIFY(!session_->keptScorer()->scores()); // of what an earlier test kept
    const SampleId chosen = clickFirstTile();
    press(window_->findChild<SampleGrid*>(QStringLiteral("rankingGallery")), Qt::Key_Space);
    const std::size_t rows = session_->state().current().set->rows();
    QVERIFY(test::waitIdle(*session_) && session_->keptScorer()->scores());
    QCOMPARE(session_->keptScorer()->scores()->keptCount, rows - 1);
    QSignalSpy exported(session_, &AuditSession::exported);
    const QString file = demo_->file(QStringLiteral("report.json"));
    session_->exportReport(file);
    QTRY_COMPARE(exported.size(), 1);
    const QJsonObject kept = QJsonDocument::fromJson(contentOf(file)).object()[QStringLiteral("kept")].toObject();
    const QJsonObject first = kept[QStringLiteral("rejected_by_hand")].toArray().first().toObject();
    QCOMPARE(first[QStringLiteral("row")].toInt(), static_cast<int>(chosen.row));
    QCOMPARE(first[QStringLiteral("id")].toString().toStdString(), session_->state().current().set->idText(chosen.row));
    QCOMPARE(kept[QStringLiteral("rejected")].toInt(), 1);
    QVERIFY(kept.contains(QStringLiteral("metrics")));
}

ASSAY_TEST(reject_by_hand_test, RejectByHandTest)
#include "reject_by_hand_test.moc"
