#include "gui/session/selection_commands.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_table.h"

#include <QtWidgets>

using namespace assay;

/// Space rejects and digits tag in the window on a demo; hand_verdict_test.cpp has what a session makes of verdicts.
class DecideByKeysTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(openDemo()); }
    void init() { QVERIFY(demo_->reset()); }

    void spaceRejectsInTheGallery();
    void spaceRejectsInTheListWhateverItsOrder();
    void spaceRejectsFromTheInspector();
    void spaceIsFirstForButtons();
    void keptScoresAndReportFollow();

    void digitsGiveAndTakeTags();
    void zeroTakesAllTags();
    void aTagIsGivenToAllBeforeItIsTaken();
    void tagsBelongToTheModelsSamples();
    void listShowsAndSortsTags();
    void menuSelectsWhatHasATag();
    void digitsStayInNumbersAndLists();
    void taggedSamplesAreExported();
    void taggingScoresNothingAnew();

private:
    QString tags(std::uint32_t row) const {
        const ViewState& state = session_->state();
        return QString::fromStdString(tagsText(state.tagsOf({state.currentSet(), row})));
    }
};

void DecideByKeysTest::spaceRejectsInTheGallery() {
    QVERIFY(!action("actionRejectByHand")->isEnabled());
    const SampleId chosen = clickTile();
    const QImage before = gallery()->grab().toImage();
    press(gallery(), Qt::Key_Space);
    QCOMPARE(*state().rejectedByHand, (std::vector<std::uint32_t>{chosen.row}));
    QVERIFY(selection_->contains(chosen));
    QVERIFY(action("actionRejectByHand")->isChecked());
    QVERIFY(gallery()->grab().toImage() != before); // faded and crossed out
    QVERIFY(text("inspectorOrigin").endsWith(QStringLiteral("rejected by hand")));
    QVERIFY2(text("rejectedCount").contains(QStringLiteral("<b>1</b>")) &&
                 text("rejectedCount").endsWith(QStringLiteral("1 by hand")),
             qPrintable(text("rejectedCount")));
    QVERIFY(text("status").contains(QStringLiteral("rejected 1")));
    test::shoot(*window_, "by-hand");
    press(gallery(), Qt::Key_Space);
    QVERIFY(!state().rejectedByHand);
    QCOMPARE(gallery()->grab().toImage(), before);
    press(gallery(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(state().isRejectedByHand(chosen.row));
    press(gallery(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!state().kept);
}

void DecideByKeysTest::spaceRejectsInTheListWhateverItsOrder() {
    auto* ranking = window_->findChild<RankingView*>();
    auto* table = window_->findChild<RankingTable*>();
    QTest::mouseClick(child<QToolButton>("rankingAsTable"), Qt::LeftButton);
    const QModelIndex third = table->model()->index(2, 0);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(third).center());
    const SampleId chosen = ranking->model()->sampleAt(2);
    QVERIFY(selection_->contains(chosen));
    press(table, Qt::Key_Space);
    QCOMPARE(*state().rejectedByHand, (std::vector<std::uint32_t>{chosen.row}));
    QCOMPARE(table->model()->index(2, RankingModel::KeptColumn).data().toString(), QStringLiteral("rejected by hand"));
    test::shoot(*window_, "by-hand-list");
    ranking->model()->setOrder({"id", Qt::DescendingOrder});
    QCOMPARE(*state().rejectedByHand, (std::vector<std::uint32_t>{chosen.row}));
    ranking->model()->setShow(RankingShow::Rejected);
    QCOMPARE(ranking->model()->size(), std::size_t{1});
    QCOMPARE(ranking->model()->sampleAt(0), chosen);
    press(table, Qt::Key_Space);
    QCOMPARE(ranking->model()->size(), std::size_t{0});
    ranking->model()->setShow(RankingShow::All);
    ranking->model()->setOrder({"pce", Qt::DescendingOrder});
    // What a rule rejects already can be rejected by hand as well: nothing is kept that was not, but the reason is
    // told.
    setRules({{"fidelity", Bound::AtLeast, 2.0}});
    const auto place = ranking->model()->positionOf(chosen);
    QVERIFY(place);
    const QModelIndex again = table->model()->index(static_cast<int>(*place), RankingModel::KeptColumn);
    QCOMPARE(again.data().toString(), QStringLiteral("rejected"));
    QSignalSpy changed(table->model(), &QAbstractItemModel::dataChanged);
    press(table, Qt::Key_Space);
    QCOMPARE(again.data().toString(), QStringLiteral("rejected by hand"));
    QVERIFY(!changed.isEmpty());
    QTest::mouseClick(child<QToolButton>("rankingAsGallery"), Qt::LeftButton);
}

void DecideByKeysTest::spaceRejectsFromTheInspector() {
    const SampleId chosen = clickTile();
    press(child<QLabel>("inspectorReason"), Qt::Key_Space);
    QVERIFY(state().isRejectedByHand(chosen.row));
}

void DecideByKeysTest::spaceIsFirstForButtons() {
    clickTile();
    auto* check = child<QCheckBox>("ruleCheck_authentic");
    press(check, Qt::Key_Space);
    QVERIFY(check->isChecked());
    QVERIFY(!state().rejectedByHand);
}

void DecideByKeysTest::keptScoresAndReportFollow() {
    QVERIFY(test::waitIdle(*session_));
    QVERIFY(!session_->keptScorer()->scores()); // of what an earlier test kept
    const SampleId chosen = clickTile();
    press(gallery(), Qt::Key_Space);
    const std::size_t rows = state().current().set->rows();
    QVERIFY(test::waitIdle(*session_) && session_->keptScorer()->scores());
    QCOMPARE(session_->keptScorer()->scores()->keptCount, rows - 1);
    QSignalSpy exported(session_, &AuditSession::exported);
    const QString file = this->file("report.json");
    session_->exportReport(file);
    QTRY_COMPARE(exported.size(), 1);
    const QJsonObject kept = QJsonDocument::fromJson(test::contentOf(file)).object()[QStringLiteral("kept")].toObject();
    const QJsonObject first = kept[QStringLiteral("rejected_by_hand")].toArray().first().toObject();
    QCOMPARE(first[QStringLiteral("row")].toInt(), static_cast<int>(chosen.row));
    QCOMPARE(first[QStringLiteral("id")].toString().toStdString(), state().current().set->idText(chosen.row));
    QCOMPARE(kept[QStringLiteral("rejected")].toInt(), 1);
    QVERIFY(kept.contains(QStringLiteral("metrics")));
}

void DecideByKeysTest::digitsGiveAndTakeTags() {
    QVERIFY(!action("actionTag3")->isEnabled());
    const SampleId chosen = clickTile();
    const QImage before = gallery()->grab().toImage();
    press(gallery(), Qt::Key_3);
    press(gallery(), Qt::Key_1);
    QCOMPARE(tags(chosen.row), QStringLiteral("1 3"));
    QVERIFY(action("actionTag3")->isChecked() && !action("actionTag2")->isChecked());
    const QImage tagged = gallery()->grab().toImage();
    QVERIFY(tagged != before);
    QCOMPARE(tagged.pixelColor(40, 55), before.pixelColor(40, 55)); // the picture is still there
    QVERIFY(text("inspectorOrigin").endsWith(QLatin1String("tags: 1 3")));
    QVERIFY(!state().kept); // a tag rejects nothing
    test::shoot(*window_, "tags");
    press(gallery(), Qt::Key_3);
    QCOMPARE(tags(chosen.row), QStringLiteral("1"));
    press(gallery(), Qt::Key_Z, Qt::ControlModifier);
    press(gallery(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(tags(chosen.row), QStringLiteral("3"));
    press(gallery(), Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(tags(chosen.row), QStringLiteral("1 3"));
}

void DecideByKeysTest::zeroTakesAllTags() {
    const SampleId chosen = clickTile();
    press(gallery(), Qt::Key_9);
    press(gallery(), Qt::Key_5);
    press(gallery(), Qt::Key_0);
    QCOMPARE(tags(chosen.row), QString());
    QVERIFY(!state().tags);
    press(gallery(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(tags(chosen.row), QStringLiteral("5 9"));
}

void DecideByKeysTest::aTagIsGivenToAllBeforeItIsTaken() {
    const SetId set = state().currentSet();
    selection_->replace({{set, 4}});
    press(gallery(), Qt::Key_2);
    selection_->replace({{set, 4}, {set, 8}});
    QVERIFY(!action("actionTag2")->isChecked());
    press(gallery(), Qt::Key_2);
    QCOMPARE(tags(4) + tags(8), QStringLiteral("22"));
    press(gallery(), Qt::Key_2);
    QVERIFY(!state().tags);
}

void DecideByKeysTest::tagsBelongToTheModelsSamples() {
    const SetId set = state().currentSet();
    selection_->replace({{SetId::Real, 7}, {set, 7}});
    press(gallery(), Qt::Key_6);
    const std::size_t shown = state().model;
    session_->editor()->setModel(shown == 0 ? 1 : 0);
    QCOMPARE(tags(7), QString());
    QCOMPARE(state().tagsOf({SetId::Real, 7}), tagSet(6)); // real samples are every model's
    session_->editor()->setModel(shown);
    QCOMPARE(tags(7), QStringLiteral("6"));
}

void DecideByKeysTest::listShowsAndSortsTags() {
    auto* ranking = window_->findChild<RankingView*>();
    auto* table = window_->findChild<RankingTable*>();
    QTest::mouseClick(child<QToolButton>("rankingAsTable"), Qt::LeftButton);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(2, 0)).center());
    const SampleId chosen = ranking->model()->sampleAt(2);
    press(table, Qt::Key_7);
    QCOMPARE(table->model()->index(2, RankingModel::TagsColumn).data().toString(), QStringLiteral("7"));
    test::shoot(*window_, "tags-list");
    ranking->model()->setOrder({"tags", Qt::DescendingOrder});
    QCOMPARE(ranking->model()->sampleAt(0), chosen);
    press(table, Qt::Key_0); // and the list follows
    QVERIFY(ranking->model()->sampleAt(0) != chosen);
    ranking->model()->setOrder({"pce", Qt::DescendingOrder});
    QTest::mouseClick(child<QToolButton>("rankingAsGallery"), Qt::LeftButton);
}

void DecideByKeysTest::menuSelectsWhatHasATag() {
    const SetId set = state().currentSet();
    QVERIFY(!action("actionSelectTag4")->isEnabled());
    selection_->replace({{set, 11}, {set, 3}});
    press(gallery(), Qt::Key_4);
    selection_->replace({{set, 5}});
    press(gallery(), Qt::Key_5);
    QVERIFY(action("actionSelectTag4")->isEnabled() && !action("actionSelectTag6")->isEnabled());
    action("actionSelectTag4")->trigger();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{{set, 3}, {set, 11}}));
}

void DecideByKeysTest::digitsStayInNumbersAndLists() {
    clickTile();
    auto* spin = child<QDoubleSpinBox>("ruleSpin_pce");
    spin->setFocus();
    spin->selectAll();
    QTest::keyClick(spin, Qt::Key_7);
    QVERIFY(spin->text().startsWith(QLatin1Char('7')));
    QTest::keyClick(spin, Qt::Key_Escape);
    press(child<QComboBox>("rankingOrder"), Qt::Key_2);
    QVERIFY(!state().tags);
}

void DecideByKeysTest::taggedSamplesAreExported() {
    const SampleId chosen = clickTile();
    press(gallery(), Qt::Key_8);
    const QString path = file("kept.csv");
    QSignalSpy exported(session_, &AuditSession::exported);
    session_->exportSamples({.models = {state().model}}, path);
    QTRY_COMPARE(exported.size(), 1);
    const QList<QByteArray> lines = test::contentOf(path).split('\n');
    QVERIFY(lines[0].endsWith(",tags"));
    QVERIFY(lines[static_cast<qsizetype>(chosen.row) + 1].endsWith(",8"));
}

void DecideByKeysTest::taggingScoresNothingAnew() {
    setRules({{"fidelity", Bound::AtLeast, 0.4}});
    QVERIFY(test::waitIdle(*session_) && session_->keptScorer()->scores());
    clickTile();
    test::settle();
    QVERIFY(!session_->isBusy());
    const auto before = session_->keptScorer()->scores();
    const auto kept = state().kept;
    press(gallery(), Qt::Key_1);
    test::settle(); // the scorer has been told
    QVERIFY(state().tags);
    QCOMPARE(state().kept, kept);
    QVERIFY(!session_->isBusy());
    QCOMPARE(session_->keptScorer()->scores(), before);
}

ASSAY_TEST(decide_by_keys_test, DecideByKeysTest)
#include "decide_by_keys_test.moc"
