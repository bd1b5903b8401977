#include "gui/space_projector.h"
#include "tests/gui/support/fake_engine.h"

#include "engine/data/embedding_set.h"

#include <QSignalSpy>
#include <QtTest>

using namespace assay;
using namespace assay::test;

namespace {

ViewState stateOf(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    ViewState state;
    state.audit = std::move(audit);
    state.model = model;
    return state;
}

} // namespace

class SpaceProjectorTest : public QObject {
    Q_OBJECT

private slots:
    void placesBothSetsOnTheRealSetsAxes();
    void doesNothingTwice();
    void keepsTheRealPointsWhenTheModelChanges();
    void newestModelWins();
    void dropsThePointsWithTheAudit();
};

void SpaceProjectorTest::placesBothSetsOnTheRealSetsAxes() {
    SpaceProjector projector;
    projector.project(stateOf(makeAudit({"gan"}), 0));
    QTRY_VERIFY(projector.points());
    const SpacePoints& points = *projector.points();
    QCOMPARE(points.real.size(), std::size_t{20});
    QCOMPARE(points.synthetic.size(), std::size_t{10});
    // makeSet's rows are (2i, 2i + 1): all on one line, so one axis explains everything, and the synthetic rows are the
    // first of the real ones.
    QVERIFY(points.explainedShare[0] > 0.999999);
    for (std::size_t row = 0; row < points.synthetic.size(); ++row)
        QVERIFY(std::abs(points.synthetic[row][0] - points.real[row][0]) < 1e-4F);
    QVERIFY(std::abs(std::abs(points.real[1][0] - points.real[0][0]) - std::sqrt(8.0F)) < 1e-4F);
}

void SpaceProjectorTest::doesNothingTwice() {
    SpaceProjector projector;
    QSignalSpy changed(&projector, &SpaceProjector::pointsChanged);
    const ViewState state = stateOf(makeAudit({"gan"}), 0);
    projector.project(state);
    projector.project(state);
    QTRY_COMPARE(changed.size(), 1);
    projector.project(state);
    QVERIFY(!projector.jobs()->isRunning());
    QTest::qWait(20);
    QCOMPARE(changed.size(), 1);
}

void SpaceProjectorTest::keepsTheRealPointsWhenTheModelChanges() {
    SpaceProjector projector;
    const auto audit = makeAudit({"gan", "vae"});
    projector.project(stateOf(audit, 0));
    QTRY_VERIFY(projector.points());
    const auto first = projector.points();
    projector.project(stateOf(audit, 1));
    QVERIFY(!projector.points()); // those of the other model are of no use
    QTRY_VERIFY(projector.points());
    QCOMPARE(projector.points()->real, first->real);
}

void SpaceProjectorTest::newestModelWins() {
    SpaceProjector projector;
    QSignalSpy changed(&projector, &SpaceProjector::pointsChanged);
    auto audit = std::make_shared<AuditResult>(*makeAudit({"gan"}));
    audit->models.push_back(makeModel("vae", 7));
    projector.project(stateOf(audit, 0));
    projector.project(stateOf(audit, 1));
    QTRY_VERIFY(projector.points());
    QTRY_VERIFY(!projector.jobs()->isRunning());
    QCOMPARE(changed.size(), 1);
    QCOMPARE(projector.points()->synthetic.size(), std::size_t{7});
}

void SpaceProjectorTest::dropsThePointsWithTheAudit() {
    SpaceProjector projector;
    const ViewState state = stateOf(makeAudit({"gan"}), 0);
    projector.project(state);
    QTRY_VERIFY(projector.points());
    projector.project({});
    QVERIFY(!projector.points());
    projector.project(state);
    QTRY_VERIFY(projector.points());
}

QTEST_MAIN(SpaceProjectorTest)
#include "space_projector_test.moc"
