// Pictures in place of points on the plane.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/settle.h"
#include "tests/widgets/support/space_window.h"
#include "widgets/link/thumbnail_cache.h"
#include "widgets/space/drawing/space_drawing.h"
#include "widgets/space/drawing/space_picker.h"

#include <QtTest>
#include <QtWidgets>

#include <cmath>

using namespace assay;
using test::SpaceFixture;

namespace {

constexpr QSizeF kSheet(800, 600);

std::shared_ptr<const EmbeddingSet> withPictures(const test::Points& points) {
    EmbeddingParts parts;
    parts.rows = points.size();
    parts.dim = 3;
    std::vector<float> values;
    for (const auto& p : points)
        values.insert(values.end(), p.begin(), p.end());
    parts.values = std::move(values);
    parts.images = std::make_shared<const ImageStore>(std::vector<std::uint8_t>(points.size() * 8 * 8 * 3, 60),
                                                      points.size(), 8, 8, 3);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

SpaceFixture picturedFixture() {
    SpaceFixture fixture = test::smallFixture();
    SpacePoints points = *fixture.points;
    points.layout.dimensions = 2;
    for (auto* set : {&points.real, &points.synthetic})
        for (auto& point : *set)
            point[2] = 0.0F;
    auto audit = std::make_shared<AuditResult>(*fixture.state.audit);
    auto analysis = std::make_shared<RealAnalysis>(*audit->real);
    auto model = std::make_shared<ModelAudit>(*audit->models[0]);
    analysis->set = withPictures(points.real);
    model->set = withPictures(points.synthetic);
    audit->real = analysis;
    audit->models = {model};
    fixture.state.audit = audit;
    fixture.points = std::make_shared<const SpacePoints>(std::move(points));
    fixture.state.computed.layout = fixture.points->layout;
    return fixture;
}

space::SpaceCamera overThePlane(float zoom) {
    space::SpaceCamera camera;
    camera.setScene({0, 0, 0}, 6.0F);
    camera.fitFlat({0, 0, 0}, {4, 3}, kSheet);
    camera.zoom(zoom, {400, 300}, kSheet);
    return camera;
}

} // namespace

class SpacePicturesTest : public QObject, test::SpaceWindow {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init();
    void cleanup() { close(); }
    void placesAsManyAsFitWithoutOverlap();
    void keepsToPointsWhereMostWouldHaveNoRoom();
    void comeWhenOneZoomsIn();
    void areClickedLikePoints();
    void canBeTurnedOff();

private:
    void zoomIn(QPoint at, int steps) {
        for (int i = 0; i < steps; ++i) {
            QWheelEvent wheel(at, canvas()->mapToGlobal(at), {}, {0, 240}, {}, {}, Qt::NoScrollPhase, false);
            QApplication::sendEvent(canvas(), &wheel);
        }
    }

    ThumbnailCache pictures_;
};

void SpacePicturesTest::init() {
    open(&pictures_);
    if (!view_->hasOpenGl())
        QSKIP("no OpenGL on this display");
}

void SpacePicturesTest::placesAsManyAsFitWithoutOverlap() {
    test::Points real = test::cloud(2'000, {0, 0, 0}, 1.5F, 1);
    test::Points fake = test::cloud(2'000, {0, 0, 0}, 1.5F, 2);
    for (auto* set : {&real, &fake})
        for (auto& point : *set)
            point[2] = 0.0F;
    const std::array<space::PickableCloud, 2> clouds{space::PickableCloud{real, nullptr, 5.0},
                                                     space::PickableCloud{fake, nullptr, 5.0}};
    constexpr double kEdge = 40.0;
    const space::SpaceCamera camera = overThePlane(12.0F);
    const auto places = space::picturePlaces(clouds, camera, kSheet, kEdge, 1'000);
    std::vector<QPointF> taken;
    const auto placeOf = [&](std::size_t cloud, std::size_t row) {
        return space::project(camera.matrix(kSheet), kSheet, clouds[cloud].points[row])->at;
    };
    const auto overlaps = [&](QPointF at) {
        return std::ranges::any_of(taken, [&](QPointF other) {
            return std::abs(other.x() - at.x()) < kEdge && std::abs(other.y() - at.y()) < kEdge;
        });
    };
    for (const space::Pick& pick : places.picks) {
        const QPointF at = placeOf(pick.cloud, pick.row);
        QVERIFY(!overlaps(at));
        taken.push_back(at);
    }
    QVERIFY(taken.size() > 5);
    // Nothing in sight has room left.
    std::size_t inSight = 0;
    for (std::size_t cloud = 0; cloud < clouds.size(); ++cloud)
        for (std::size_t row = 0; row < clouds[cloud].points.size(); ++row)
            if (const QPointF at = placeOf(cloud, row); QRectF({}, kSheet).contains(at)) {
                ++inSight;
                QVERIFY(overlaps(at));
            }
    QCOMPARE(places.inSight, inSight);
}

void SpacePicturesTest::keepsToPointsWhereMostWouldHaveNoRoom() {
    const test::Points real = test::cloud(2'000, {0, 0, 0}, 1.0F, 1);
    const space::PickableCloud cloud{real, nullptr, 5.0};
    const auto far = space::picturePlaces(std::span(&cloud, 1), overThePlane(1.0F), kSheet, 40.0, 600);
    QCOMPARE(far.inSight, std::size_t{2'000});
    QVERIFY(!space::arePicturesWorthIt(far));
    const auto near = space::picturePlaces(std::span(&cloud, 1), overThePlane(60.0F), kSheet, 40.0, 600);
    QVERIFY(near.inSight < 30 && space::arePicturesWorthIt(near));
    QVERIFY(!space::arePicturesWorthIt({}));
}

void SpacePicturesTest::comeWhenOneZoomsIn() {
    const SpaceFixture fixture = picturedFixture();
    pictures_.setAudit(fixture.state.audit);
    show(fixture);
    QVERIFY(view_->pictured().empty());
    const SampleId id = isolated(syntheticSet(0));
    zoomIn(spotOf(id), 8);
    QTRY_VERIFY(view_->pictured().contains(id));
    // The grey of the picture, framed in the colour of the sample's point.
    test::settle();
    const QPointF at = *view_->screenPosition(id);
    QCOMPARE(grab().pixelColor((at + QPointF(6, 6)).toPoint()), QColor(60, 60, 60));
    QTest::keyClick(canvas(), Qt::Key_R);
    QTRY_VERIFY(view_->pictured().empty());
}

void SpacePicturesTest::areClickedLikePoints() {
    const SpaceFixture fixture = picturedFixture();
    pictures_.setAudit(fixture.state.audit);
    show(fixture);
    const SampleId id = isolated(syntheticSet(0));
    zoomIn(spotOf(id), 8);
    QTRY_VERIFY(view_->pictured().contains(id));
    const QPoint corner = spotOf(id) + QPoint(space::Thumbnail::kEdge / 2 - 4, 4 - space::Thumbnail::kEdge / 2);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, corner);
    QCOMPARE(selection_->focus(), std::optional(id));
}

void SpacePicturesTest::canBeTurnedOff() {
    const SpaceFixture fixture = picturedFixture();
    pictures_.setAudit(fixture.state.audit);
    show(fixture);
    zoomIn(spotOf(isolated(syntheticSet(0))), 8);
    QTRY_VERIFY(!view_->pictured().empty());
    QTest::mouseClick(view_->findChild<QCheckBox*>(QStringLiteral("spacePictures")), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(view_->pictured().empty());
}

ASSAY_TEST(space_pictures_test, SpacePicturesTest)
#include "space_pictures_test.moc"
