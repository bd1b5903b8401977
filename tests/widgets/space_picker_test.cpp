// Points under the cursor, in a rectangle and in a lasso, at a million points against a projection of each of them.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/space_fixture.h"
#include "widgets/space/drawing/space_picker.h"

#include <QtTest>

#include <cmath>
#include <ctime>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

using namespace assay;
using test::Points;

namespace {

constexpr QSizeF kSize(900, 640);
constexpr std::size_t kMany = 1'000'000;

space::SpaceCamera inSpace(float zoom) {
    space::SpaceCamera camera;
    camera.setScene({0, 0, 0}, 9.0F);
    camera.fit({0, 0, 0}, 4.0F);
    camera.rotate({130, -45}, kSize);
    camera.zoom(zoom, {500, 300}, kSize);
    return camera;
}

space::SpaceCamera onThePlane(float zoom) {
    space::SpaceCamera camera;
    camera.setScene({0, 0, 0}, 9.0F);
    camera.fitFlat({0, 0, 0}, {4, 3}, kSize);
    camera.zoom(zoom, {400, 350}, kSize);
    return camera;
}

/// A wavy outline that crosses itself.
QPolygonF wavyOutline(int corners) {
    QPolygonF outline;
    for (int i = 0; i < corners; ++i) {
        const double turn = 2.0 * std::numbers::pi * i / corners;
        const double radius = 180.0 + 90.0 * std::sin(7.0 * turn) + 40.0 * std::sin(2.5 * turn);
        outline << QPointF(450 + 1.3 * radius * std::cos(turn), 320 + radius * std::sin(turn));
    }
    return outline;
}

std::vector<std::uint32_t> naivelyInside(const Points& points, const std::vector<bool>* shown,
                                         const space::SpaceCamera& camera, const auto& contains) {
    std::vector<std::uint32_t> rows;
    const QMatrix4x4 matrix = camera.matrix(kSize);
    for (std::size_t row = 0; row < points.size(); ++row)
        if (!shown || (*shown)[row])
            if (const auto screen = space::project(matrix, kSize, points[row]); screen && contains(screen->at))
                rows.push_back(static_cast<std::uint32_t>(row));
    return rows;
}

/// Once covered, the front-most, on the plane the nearest one; else the nearest within reach.
std::optional<std::size_t> naivelyPicked(const Points& points, const space::SpaceCamera& camera, QPointF cursor,
                                         double diameter, double reach) {
    const QMatrix4x4 matrix = camera.matrix(kSize);
    std::optional<std::size_t> covering;
    std::optional<std::size_t> nearest;
    std::pair<float, double> front{std::numeric_limits<float>::infinity(), 0.0};
    std::pair<double, float> least{reach * reach, std::numeric_limits<float>::infinity()};
    for (std::size_t row = 0; row < points.size(); ++row) {
        const auto screen = space::project(matrix, kSize, points[row]);
        if (!screen)
            continue;
        const double squared = QPointF::dotProduct(screen->at - cursor, screen->at - cursor);
        if (squared <= diameter * diameter / 4 && std::pair(screen->depth, squared) < front) {
            front = {screen->depth, squared};
            covering = row;
        }
        if (std::pair(squared, screen->depth) < least) {
            least = {squared, screen->depth};
            nearest = row;
        }
    }
    return covering ? covering : nearest;
}

} // namespace

class SpacePickerTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void equalsANaiveProjection_data();
    void equalsANaiveProjection();
    void leavesOutWhatIsHiddenOrNowhere();
    void takesOutlinesOfAnyShape_data();
    void takesOutlinesOfAnyShape();

private:
    Points points_;
};

void SpacePickerTest::initTestCase() {
    points_ = test::cloud(kMany, {0, 0, 0}, 1.5F, 77);
    for (std::size_t row = 0; row < points_.size(); row += 3)
        points_[row][2] = 0.0F;
}

void SpacePickerTest::equalsANaiveProjection_data() {
    QTest::addColumn<bool>("flat");
    QTest::addColumn<float>("zoom");
    for (const bool flat : {false, true})
        for (const float zoom : {1.0F, 6.0F, 200.0F})
            QTest::addRow("%s, %g times", flat ? "plane" : "space", static_cast<double>(zoom)) << flat << zoom;
}

void SpacePickerTest::equalsANaiveProjection() {
    QFETCH(bool, flat);
    QFETCH(float, zoom);
    Points points = points_;
    if (flat)
        for (auto& point : points)
            point[2] = 0.0F;
    const space::SpaceCamera camera = flat ? onThePlane(zoom) : inSpace(zoom);
    const space::PickableCloud cloud{points, nullptr, 5.0};
    const auto timed = [&](const char* what, const auto& act) {
        // Of the processor: other programs must not count.
        const std::clock_t begun = std::clock();
        auto result = act();
        const double took = 1e3 * static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
        qInfo("%s: %.0f ms", what, took);
        return result;
    };
    const QRectF rectangle(QPointF(210.5, 140.25), QPointF(700.75, 500.5));
    const auto inRectangle = timed("rectangle", [&] { return space::rowsInside(cloud, camera, kSize, rectangle); });
    QCOMPARE(inRectangle, naivelyInside(points, nullptr, camera, [&](QPointF at) { return rectangle.contains(at); }));
    const QPolygonF outline = wavyOutline(400);
    const auto inLasso = timed("lasso", [&] { return space::rowsInside(cloud, camera, kSize, outline); });
    QVERIFY(!inLasso.empty());
    QCOMPARE(inLasso, naivelyInside(points, nullptr, camera,
                                    [&](QPointF at) { return outline.containsPoint(at, Qt::OddEvenFill); }));
    std::mt19937 random(5);
    std::uniform_real_distribution<double> x(0, kSize.width());
    std::uniform_real_distribution<double> y(0, kSize.height());
    for (int i = 0; i < 5; ++i) {
        const QPointF cursor(x(random), y(random));
        const auto pick =
            timed("pick", [&] { return space::pickAt(std::span(&cloud, 1), camera, kSize, cursor, 8.0); });
        QCOMPARE(pick ? std::optional(pick->row) : std::nullopt, naivelyPicked(points, camera, cursor, 5.0, 8.0));
    }
}

void SpacePickerTest::leavesOutWhatIsHiddenOrNowhere() {
    Points points = test::cloud(10'000, {0, 0, 0}, 1.5F, 3);
    std::vector<bool> shown(points.size(), true);
    for (std::size_t row = 0; row < points.size(); row += 2)
        shown[row] = false;
    for (std::size_t row = 1; row < points.size(); row += 4)
        points[row][row % 3] = std::numeric_limits<float>::quiet_NaN();
    const space::PickableCloud cloud{points, &shown, 5.0};
    for (const auto& camera : {inSpace(1.0F), onThePlane(1.0F)}) {
        const auto rows = space::rowsInside(cloud, camera, kSize, QPolygonF(QRectF({}, kSize)));
        QVERIFY(rows.size() > 1'000);
        for (const std::uint32_t row : rows)
            QVERIFY(row % 4 == 3);
        for (int i = 0; i < 50; ++i)
            if (const auto pick = space::pickAt(std::span(&cloud, 1), camera, kSize, QPointF(9.0 * i, 320), 40.0))
                QVERIFY(pick->row % 4 == 3);
    }
}

void SpacePickerTest::takesOutlinesOfAnyShape_data() {
    QTest::addColumn<QPolygonF>("outline");
    QTest::newRow("nothing") << QPolygonF();
    QTest::newRow("a point") << QPolygonF{{450, 320}};
    QTest::newRow("a line") << QPolygonF{{100, 100}, {700, 500}};
    QTest::newRow("level edges") << QPolygonF{{100, 100}, {700, 100}, {700, 500}, {100, 500}};
    QTest::newRow("closed by hand") << QPolygonF{{100, 100}, {700, 100}, {400, 500}, {100, 100}};
    QTest::newRow("a bow") << QPolygonF{{100, 100}, {700, 500}, {700, 100}, {100, 500}};
    QTest::newRow("beyond the view") << QPolygonF{{-9e5, -9e5}, {9e5, -9e5}, {9e5, 9e5}, {-9e5, 9e5}};
}

void SpacePickerTest::takesOutlinesOfAnyShape() {
    QFETCH(QPolygonF, outline);
    const Points points = test::cloud(20'000, {0, 0, 0}, 1.5F, 3);
    const space::SpaceCamera camera = onThePlane(1.0F);
    QCOMPARE(
        space::rowsInside({points, nullptr, 5.0}, camera, kSize, outline),
        naivelyInside(points, nullptr, camera, [&](QPointF at) { return outline.containsPoint(at, Qt::OddEvenFill); }));
}

ASSAY_TEST(space_picker_test, SpacePickerTest)
#include "space_picker_test.moc"
