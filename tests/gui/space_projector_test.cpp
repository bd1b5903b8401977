#include "gui/jobs/space_projector.h"
#include "tests/gui/support/fake_engine.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/settle.h"

#include "engine/audit/run/audit.h"
#include "engine/data/embedding_set.h"

#include <QSignalSpy>
#include <QtTest>

#include <random>

using namespace assay;
using namespace assay::test;

namespace {

ViewState stateOf(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    ViewState state;
    state.audit = std::move(audit);
    state.model = model;
    return state;
}

std::shared_ptr<const EmbeddingSet> randomSet(const std::string& name, std::size_t rows, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    EmbeddingParts parts;
    parts.name = name;
    parts.rows = rows;
    parts.dim = 6;
    std::vector<float> values(rows * parts.dim);
    for (float& value : values)
        value = normal(random);
    parts.values = std::move(values);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// 90 real samples and models of 60 and 40, really searched.
std::shared_ptr<const AuditResult> auditOfTwo() {
    static const auto audit = [] {
        AuditOptions options;
        options.tablesOnly = true;
        return runAudit({randomSet("real", 90, 1),
                         {{"gan", randomSet("gan", 60, 2)}, {"vae", randomSet("vae", 40, 3)}},
                         options,
                         {}},
                        {});
    }();
    return audit;
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
    void arrangesByNeighborsWhenAsked();
    void knowsBothArrangementsOfASet();
    void arrangesTheNextModelAlike();
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
    settle();
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

void SpaceProjectorTest::arrangesByNeighborsWhenAsked() {
    SpaceProjector projector;
    QSignalSpy changed(&projector, &SpaceProjector::arrangementChanged);
    projector.project(stateOf(auditOfTwo(), 0));
    projector.arrange(Arrangement::Neighbors);
    QCOMPARE(changed.size(), 1);
    QTRY_VERIFY(projector.points());
    const SpacePoints& points = *projector.points();
    QCOMPARE(points.arrangement, Arrangement::Neighbors);
    QCOMPARE(points.real.size(), std::size_t{90});
    QCOMPARE(points.synthetic.size(), std::size_t{60});
    QCOMPARE(points.neighbors, std::size_t{15});
    QVERIFY(points.keptNeighbors > 0.3 && points.keptNeighbors <= 1.0);
}

void SpaceProjectorTest::knowsBothArrangementsOfASet() {
    SpaceProjector projector;
    projector.project(stateOf(auditOfTwo(), 0));
    QTRY_VERIFY(projector.points());
    const auto components = projector.points();
    QVERIFY(components->keptNeighbors > 0.0);
    projector.arrange(Arrangement::Neighbors);
    QVERIFY(!projector.points());
    QTRY_VERIFY(projector.points());
    const auto neighbors = projector.points();
    projector.arrange(Arrangement::Components);
    QCOMPARE(projector.points(), components);
    projector.arrange(Arrangement::Neighbors);
    QCOMPARE(projector.points(), neighbors);
}

void SpaceProjectorTest::arrangesTheNextModelAlike() {
    SpaceProjector projector;
    const auto audit = auditOfTwo();
    projector.arrange(Arrangement::Neighbors);
    projector.project(stateOf(audit, 0));
    QTRY_VERIFY(projector.points());
    projector.project(stateOf(audit, 1));
    QTRY_VERIFY(projector.points());
    QCOMPARE(projector.points()->arrangement, Arrangement::Neighbors);
    QCOMPARE(projector.points()->synthetic.size(), std::size_t{40});
}

ASSAY_TEST(space_projector_test, SpaceProjectorTest)
#include "space_projector_test.moc"
