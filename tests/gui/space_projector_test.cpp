#include "gui/jobs/space_projector.h"
#include "tests/gui/support/fake_engine.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/settle.h"

#include "engine/audit/run/audit.h"
#include "engine/data/embedding_set.h"
#include "engine/report/space/sample_places.h"

#include <QSignalSpy>
#include <QtTest>

#include <cmath>
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

/// Whether the samples lie as wanted; until then they may lie by components.
bool isArranged(const SpaceProjector& projector) {
    return projector.points() && projector.points()->layout == projector.layout();
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
    void liesByComponentsUntilTheMapIsThere();
    void aLayoutChosenMeanwhileWins();
    void knowsBothArrangementsOfASet();
    void arrangesTheNextModelAlike();
    void placesOnThePlane_data();
    void placesOnThePlane();
    void placesByColumns();
    void otherModelsLieWhereTheyWouldAsTheCurrentOne();
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
    QSignalSpy changed(&projector, &SpaceProjector::layoutChanged);
    projector.project(stateOf(auditOfTwo(), 0));
    projector.arrange({Arrangement::Neighbors});
    QCOMPARE(changed.size(), 1);
    QTRY_VERIFY(isArranged(projector));
    const SpacePoints& points = *projector.points();
    QCOMPARE(points.layout.arrangement, Arrangement::Neighbors);
    QCOMPARE(points.real.size(), std::size_t{90});
    QCOMPARE(points.synthetic.size(), std::size_t{60});
    QCOMPARE(points.neighbors, std::size_t{15});
    QVERIFY(points.keptNeighbors > 0.3 && points.keptNeighbors <= 1.0);
}

void SpaceProjectorTest::liesByComponentsUntilTheMapIsThere() {
    SpaceProjector projector;
    std::vector<SpaceLayout> shown;
    connect(&projector, &SpaceProjector::pointsChanged, this,
            [&](const std::shared_ptr<const SpacePoints>& points) { shown.push_back(points->layout); });
    projector.arrange({Arrangement::Neighbors, 2});
    projector.project(stateOf(auditOfTwo(), 0));
    QTRY_VERIFY(isArranged(projector));
    QCOMPARE(shown, (std::vector{SpaceLayout{Arrangement::Components, 2}, SpaceLayout{Arrangement::Neighbors, 2}}));
}

void SpaceProjectorTest::aLayoutChosenMeanwhileWins() {
    SpaceProjector projector;
    projector.arrange({Arrangement::Neighbors, 2});
    projector.project(stateOf(auditOfTwo(), 0));
    connect(&projector, &SpaceProjector::pointsChanged, this, [&](const std::shared_ptr<const SpacePoints>& points) {
        if (points->layout.arrangement == Arrangement::Components) // while the map is on its way
            projector.arrange({Arrangement::Components, 3});
    });
    QTRY_VERIFY(isArranged(projector));
    QTRY_VERIFY(!projector.jobs()->isRunning());
    settle();
    QCOMPARE(projector.points()->layout, (SpaceLayout{Arrangement::Components, 3}));
}

void SpaceProjectorTest::knowsBothArrangementsOfASet() {
    SpaceProjector projector;
    projector.project(stateOf(auditOfTwo(), 0));
    QTRY_VERIFY(projector.points());
    const auto components = projector.points();
    QVERIFY(components->keptNeighbors > 0.0);
    projector.arrange({Arrangement::Neighbors});
    QCOMPARE(projector.points(), components); // meanwhile
    QTRY_VERIFY(isArranged(projector));
    const auto neighbors = projector.points();
    projector.arrange({Arrangement::Components});
    QCOMPARE(projector.points(), components);
    projector.arrange({Arrangement::Neighbors});
    QCOMPARE(projector.points(), neighbors);
}

void SpaceProjectorTest::arrangesTheNextModelAlike() {
    SpaceProjector projector;
    const auto audit = auditOfTwo();
    projector.arrange({Arrangement::Neighbors});
    projector.project(stateOf(audit, 0));
    QTRY_VERIFY(isArranged(projector));
    projector.project(stateOf(audit, 1));
    QTRY_VERIFY(isArranged(projector));
    QCOMPARE(projector.points()->layout.arrangement, Arrangement::Neighbors);
    QCOMPARE(projector.points()->synthetic.size(), std::size_t{40});
}

void SpaceProjectorTest::placesOnThePlane_data() {
    QTest::addColumn<Arrangement>("arrangement");
    QTest::newRow("components") << Arrangement::Components;
    QTest::newRow("neighbours") << Arrangement::Neighbors;
}

void SpaceProjectorTest::placesOnThePlane() {
    QFETCH(Arrangement, arrangement);
    SpaceProjector projector;
    projector.project(stateOf(auditOfTwo(), 0));
    projector.arrange({arrangement, 2});
    QTRY_VERIFY(isArranged(projector));
    const SpacePoints flat = *projector.points();
    QVERIFY(flat.layout == (SpaceLayout{arrangement, 2}));
    for (const auto* set : {&flat.real, &flat.synthetic})
        for (const auto& point : *set)
            QCOMPARE(point[2], 0.0F);
    projector.arrange({arrangement, 3});
    QTRY_VERIFY(isArranged(projector));
    // A plane has room for fewer neighbours.
    QVERIFY(flat.keptNeighbors < projector.points()->keptNeighbors);
    if (arrangement == Arrangement::Components)
        for (std::size_t row = 0; row < flat.real.size(); ++row)
            QCOMPARE(flat.real[row][1], projector.points()->real[row][1]);
}

void SpaceProjectorTest::otherModelsLieWhereTheyWouldAsTheCurrentOne() {
    const auto audit = auditOfTwo();
    for (const std::size_t dimensions : {2U, 3U}) {
        SpaceProjector first, second;
        first.arrange({Arrangement::Components, dimensions});
        second.arrange({Arrangement::Components, dimensions});
        first.project(stateOf(audit, 0));
        second.project(stateOf(audit, 1));
        QTRY_VERIFY(first.points() && second.points());
        QCOMPARE(placeOtherModels({first.points(), audit, 0}, {})->points, second.points()->synthetic);
    }
    SpaceProjector columns;
    columns.project(stateOf(audit, 0));
    columns.arrange({Arrangement::Columns, 2, {SpaceAxis{{}, 1}, SpaceAxis{"fidelity", 0}}});
    QTRY_VERIFY(columns.points());
    const auto others = placeOtherModels({columns.points(), audit, 0}, {});
    const std::vector<double>& fidelity = audit->models[1]->column("fidelity");
    QCOMPARE(others->points.size(), fidelity.size());
    for (std::size_t row = 0; row < fidelity.size(); ++row)
        QVERIFY(std::abs(columns.points()->ranges[1].valueAt(static_cast<double>(others->points[row][1])) -
                         fidelity[row]) < 1e-5);
}

void SpaceProjectorTest::placesByColumns() {
    SpaceProjector projector;
    const auto audit = auditOfTwo();
    projector.project(stateOf(audit, 0));
    projector.arrange({Arrangement::Columns, 2, {SpaceAxis{{}, 1}, SpaceAxis{"fidelity", 0}}});
    QTRY_VERIFY(projector.points());
    const SpacePoints& points = *projector.points();
    const std::vector<double>& fidelity = audit->models[0]->column("fidelity");
    for (std::size_t row = 0; row < points.synthetic.size(); ++row) {
        const double feature = static_cast<double>(audit->models[0]->set->matrix().row(row)[1]);
        QVERIFY(std::abs(points.ranges[0].valueAt(static_cast<double>(points.synthetic[row][0])) - feature) < 1e-5);
        QVERIFY(std::abs(points.ranges[1].valueAt(static_cast<double>(points.synthetic[row][1])) - fidelity[row]) <
                1e-5);
    }
    for (const auto& point : points.real) {
        QVERIFY(std::isfinite(point[0]));
        QVERIFY(std::isnan(point[1])); // no fidelity
    }
    projector.arrange({Arrangement::Columns, 2, {SpaceAxis{{}, 1}, SpaceAxis{{}, 2}}});
    QTRY_VERIFY(projector.points());
    for (const auto& point : projector.points()->real)
        QVERIFY(std::isfinite(point[0] + point[1]));
}

ASSAY_TEST(space_projector_test, SpaceProjectorTest)
#include "space_projector_test.moc"
