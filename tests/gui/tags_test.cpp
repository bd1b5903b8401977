#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_table.h"
#include "widgets/ranking/ranking_view.h"
#include "widgets/samples/sample_grid.h"

#include <QtWidgets>

using namespace assay;

/// Tags given by keys in the window on a demo.
class TagsTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

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
    QWidget* gallery() const { return window_->findChild<SampleGrid*>(QStringLiteral("rankingGallery")); }
    QString tags(std::uint32_t row) const {
        const ViewState& state = session_->state();
        return QString::fromStdString(tagsText(state.tagsOf({state.currentSet(), row})));
    }
    SampleId clickTile(QPoint at = QPoint(40, 40)) {
        QTest::mouseClick(window_->findChild<SampleGrid*>(QStringLiteral("rankingGallery"))->viewport(), Qt::LeftButton,
                          {}, at);
        return selection_->focus().value();
    }
};

void TagsTest::initTestCase() {
    QVERIFY(openDemo());
}

void TagsTest::init() {
    QVERIFY(demo_->reset());
}

void TagsTest::digitsGiveAndTakeTags() {
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
    QVERIFY(
        window_->findChild<QLabel*>(QStringLiteral("inspectorOrigin"))->text().endsWith(QLatin1String("tags: 1 3")));
    QVERIFY(!session_->state().kept); // a tag rejects nothing
    test::shoot(*window_, "tags");
    press(gallery(), Qt::Key_3);
    QCOMPARE(tags(chosen.row), QStringLiteral("1"));
    press(gallery(), Qt::Key_Z, Qt::ControlModifier);
    press(gallery(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(tags(chosen.row), QStringLiteral("3"));
    press(gallery(), Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(tags(chosen.row), QStringLiteral("1 3"));
}

void TagsTest::zeroTakesAllTags() {
    const SampleId chosen = clickTile();
    press(gallery(), Qt::Key_9);
    press(gallery(), Qt::Key_5);
    press(gallery(), Qt::Key_0);
    QCOMPARE(tags(chosen.row), QString());
    QVERIFY(!session_->state().tags);
    press(gallery(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(tags(chosen.row), QStringLiteral("5 9"));
}

void TagsTest::aTagIsGivenToAllBeforeItIsTaken() {
    const SetId set = session_->state().currentSet();
    selection_->replace({{set, 4}});
    press(gallery(), Qt::Key_2);
    selection_->replace({{set, 4}, {set, 8}});
    QVERIFY(!action("actionTag2")->isChecked());
    press(gallery(), Qt::Key_2);
    QCOMPARE(tags(4) + tags(8), QStringLiteral("22"));
    press(gallery(), Qt::Key_2);
    QVERIFY(!session_->state().tags);
}

void TagsTest::tagsBelongToTheModelsSamples() {
    const SetId set = session_->state().currentSet();
    selection_->replace({{SetId::Real, 7}, {set, 7}});
    press(gallery(), Qt::Key_6);
    const std::size_t shown = session_->state().model;
    session_->editor()->setModel(shown == 0 ? 1 : 0);
    QCOMPARE(tags(7), QString());
    QCOMPARE(session_->state().tagsOf({SetId::Real, 7}), tagSet(6)); // real samples are every model's
    session_->editor()->setModel(shown);
    QCOMPARE(tags(7), QStringLiteral("6"));
}

void TagsTest::listShowsAndSortsTags() {
    auto* ranking = window_->findChild<RankingView*>();
    auto* table = window_->findChild<RankingTable*>();
    QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("rankingAsTable")), Qt::LeftButton);
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
    QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("rankingAsGallery")), Qt::LeftButton);
}

void TagsTest::menuSelectsWhatHasATag() {
    const SetId set = session_->state().currentSet();
    QVERIFY(!action("actionSelectTag4")->isEnabled());
    selection_->replace({{set, 11}, {set, 3}});
    press(gallery(), Qt::Key_4);
    selection_->replace({{set, 5}});
    press(gallery(), Qt::Key_5);
    QVERIFY(action("actionSelectTag4")->isEnabled() && !action("actionSelectTag6")->isEnabled());
    action("actionSelectTag4")->trigger();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{{set, 3}, {set, 11}}));
}

void TagsTest::digitsStayInNumbersAndLists() {
    clickTile();
    auto* spin = window_->findChild<QDoubleSpinBox*>(QStringLiteral("ruleSpin_pce"));
    spin->setFocus();
    spin->selectAll();
    QTest::keyClick(spin, Qt::Key_7);
    QVERIFY(spin->text().startsWith(QLatin1Char('7')));
    QTest::keyClick(spin, Qt::Key_Escape);
    press(window_->findChild<QComboBox*>(QStringLiteral("rankingOrder")), Qt::Key_2);
    QVERIFY(!session_->state().tags);
}

void TagsTest::taggedSamplesAreExported() {
    const SampleId chosen = clickTile();
    press(gallery(), Qt::Key_8);
    const QString path = demo_->file(QStringLiteral("kept.csv"));
    QSignalSpy exported(session_, &AuditSession::exported);
    session_->exportSamples({.models = {session_->state().model}}, path);
    QTRY_COMPARE(exported.size(), 1);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QVERIFY(lines[0].endsWith(",tags"));
    QVERIFY(lines[static_cast<qsizetype>(chosen.row) + 1].endsWith(",8"));
}

void TagsTest::taggingScoresNothingAnew() {
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.4}});
    QVERIFY(test::waitIdle(*session_) && session_->keptScorer()->scores());
    clickTile();
    test::settle();
    QVERIFY(!session_->isBusy());
    const auto before = session_->keptScorer()->scores();
    const auto kept = session_->state().kept;
    press(gallery(), Qt::Key_1);
    test::settle(); // the scorer has been told
    QVERIFY(session_->state().tags);
    QCOMPARE(session_->state().kept, kept);
    QVERIFY(!session_->isBusy());
    QCOMPARE(session_->keptScorer()->scores(), before);
}

ASSAY_TEST(tags_test, TagsTest)
#include "tags_test.moc"
