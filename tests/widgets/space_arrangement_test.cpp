// The 3D view with the samples arranged in one way and in another.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/space_fixture.h"
#include "tests/widgets/support/space_window.h"
#include "tests/widgets/support/test_host.h"
#include "widgets/link/sample_selection.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/drawing/space_drawing.h"
#include "widgets/space/view/space_view.h"

#include <QtTest>
#include <QtWidgets>

#include <limits>

using namespace assay;
using test::SpaceFixture;

namespace {

std::shared_ptr<const SpacePoints> byNeighbors(const SpaceFixture& fixture, double kept) {
    SpacePoints points = *fixture.points;
    points.layout.arrangement = Arrangement::Neighbors;
    points.keptNeighbors = kept;
    points.neighbors = 15;
    return std::make_shared<const SpacePoints>(std::move(points));
}

} // namespace

class SpaceArrangementTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void aFreshPanelAsksForTheMap();
    void aChoiceIsNotOverridden_data();
    void aChoiceIsNotOverridden();
    void saysThatTheMapIsComing();
    void asksForWhatIsChosenByKey();
    void showsWhatItIsToldWithoutAsking();
    void keepsThePointsUntilOthersCome();
    void saysHowManyNeighborsLieTogether();
    void drawsNoBallWhereLengthsHaveNoUnit();
    void saysThatItIsArranging();
    void theBoxIsWithinReach();

private:
    QComboBox* picker() const { return view_->findChild<QComboBox*>("spaceArrangement"); }
    void show(const std::shared_ptr<const SpacePoints>& points, Arrangement arrangement = Arrangement::Components) {
        ViewState state = view_->state();
        state.computed.points = points;
        state.computed.layout.arrangement = arrangement;
        view_->showState(state);
    }
    QString caption() const { return view_->findChild<QLabel*>("spaceCaption")->text(); }

    SpaceFixture fixture_ = test::smallFixture();
    std::unique_ptr<SampleSelection> selection_;
    std::unique_ptr<test::TestHost> host_;
    std::unique_ptr<SpaceView> view_;
};

void SpaceArrangementTest::initTestCase() {
    QApplication::setStyle(QStringLiteral("Fusion"));
}

void SpaceArrangementTest::init() {
    view_.reset();
    selection_ = std::make_unique<SampleSelection>();
    host_ = std::make_unique<test::TestHost>(selection_.get());
    view_ = std::make_unique<SpaceView>(*host_);
    view_->resize(760, 560);
    view_->showState(test::placed(fixture_));
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    if (!view_->hasOpenGl())
        QSKIP("no OpenGL on this display");
    QTRY_COMPARE(host_->layouts, (std::vector{SpaceLayout{Arrangement::Neighbors, 2}})); // the default
    host_->layouts.clear();
}

void SpaceArrangementTest::aFreshPanelAsksForTheMap() {
    SpacePoints flat = *byNeighbors(fixture_, 0.25);
    flat.layout.dimensions = 2;
    show(std::make_shared<const SpacePoints>(flat), Arrangement::Neighbors);
    QCOMPARE(picker()->currentText(), QStringLiteral("UMAP"));
    QCOMPARE(view_->mapKind(), space::MapKind::Difference);
    view_->showState({});
    view_->showState(test::placed(fixture_));
    QTest::qWait(1);
    QVERIFY(host_->layouts.empty()); // once
}

void SpaceArrangementTest::aChoiceIsNotOverridden_data() {
    QTest::addColumn<bool>("saved");
    QTest::newRow("by the person") << false;
    QTest::newRow("in a saved state") << true;
}

void SpaceArrangementTest::aChoiceIsNotOverridden() {
    QFETCH(bool, saved);
    // Nobody has seen a layout of it: there is none to save.
    SpaceView unseen(*host_);
    QVERIFY(!unseen.saveState().contains("arrangement"));
    SpaceView fresh(*host_);
    fresh.showState(test::placed(fixture_));
    if (saved)
        fresh.restoreState(view_->saveState()); // by components
    else
        fresh.findChild<QToolButton*>("spaceDeep")->click();
    QTest::qWait(1);
    QCOMPARE(host_->layouts, (std::vector{SpaceLayout{Arrangement::Components, 3}}));
}

void SpaceArrangementTest::saysThatTheMapIsComing() {
    const auto notice = [this] { return view_->findChild<space::SpaceCanvas*>()->drawing().notice; };
    show(fixture_.points);
    QVERIFY(notice().isEmpty());
    show(fixture_.points, Arrangement::Neighbors);
    QVERIFY2(notice().contains("UMAP"), qPrintable(notice()));
    QVERIFY(view_->message().isEmpty());
    show(byNeighbors(fixture_, 0.25), Arrangement::Neighbors);
    QVERIFY(notice().isEmpty());
}

void SpaceArrangementTest::asksForWhatIsChosenByKey() {
    const auto& chosen = host_->layouts;
    picker()->setFocus();
    QTest::keyClick(picker(), Qt::Key_Down);
    QCOMPARE(chosen.size(), std::size_t{1});
    QCOMPARE(chosen.front().arrangement, Arrangement::Neighbors);
    QVERIFY(picker()->toolTip().contains("UMAP"));
    QTest::keyClick(picker(), Qt::Key_Up);
    QCOMPARE(chosen.size(), std::size_t{2});
    QCOMPARE(chosen.back().arrangement, Arrangement::Components);
}

void SpaceArrangementTest::showsWhatItIsToldWithoutAsking() {
    const auto& chosen = host_->layouts;
    show(view_->state().computed.points, Arrangement::Neighbors);
    QCOMPARE(view_->layoutWanted().arrangement, Arrangement::Neighbors);
    QVERIFY(chosen.empty());
}

void SpaceArrangementTest::keepsThePointsUntilOthersCome() {
    const SampleId sample{syntheticSet(0), 7};
    QVERIFY(view_->screenPosition(sample));
    picker()->setCurrentIndex(1);
    QVERIFY(view_->message().isEmpty());
    QVERIFY(view_->screenPosition(sample));
}

void SpaceArrangementTest::saysHowManyNeighborsLieTogether() {
    QVERIFY(!caption().contains("%"));
    show(byNeighbors(fixture_, 0.254));
    QVERIFY2(caption().contains("25\u00a0% of each sample\u2019s 15 nearest"), qPrintable(caption()));
}

void SpaceArrangementTest::drawsNoBallWhereLengthsHaveNoUnit() {
    const SampleId sample{syntheticSet(0), 7};
    selection_->select(sample);
    QVERIFY(caption().contains("projection of the ball"));
    const QString components = caption();
    show(byNeighbors(fixture_, 0.25));
    QVERIFY(caption().contains("5 nearest real and 5 nearest synthetic samples"));
    QVERIFY2(!caption().contains("ball"), qPrintable(caption()));
    show(fixture_.points);
    QCOMPARE(caption(), components);
}

void SpaceArrangementTest::saysThatItIsArranging() {
    show(nullptr, Arrangement::Neighbors);
    QVERIFY2(view_->message().contains("nearest neighbours"), qPrintable(view_->message()));
}

void SpaceArrangementTest::theBoxIsWithinReach() {
    // Points along the axes: the corners of their box are farther from its centre than any of them.
    SpacePoints cross = *byNeighbors(fixture_, 0.5);
    for (auto* set : {&cross.real, &cross.synthetic})
        for (std::size_t i = 0; i < set->size(); ++i) {
            (*set)[i] = {0, 0, 0};
            (*set)[i][i % 3] = i % 2 == 0 ? 1.0F : -1.0F;
        }
    const space::Box box = space::boxAround(cross);
    QVERIFY(space::reachOf(cross, box) >= (space::toVector(box.high) - box.centre()).length() * 0.9999F);
    cross.real[0] = {100, 0, 0};
    QVERIFY(space::reachOf(cross, space::boxAround(cross)) > 99.0F);
}

ASSAY_TEST(space_arrangement_test, SpaceArrangementTest)
#include "space_arrangement_test.moc"
