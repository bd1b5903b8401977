// The pictures that VTK draws, against stored ones: tests/widgets/baselines/. ASSAY_WRITE_BASELINES=1 stores them anew.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/baseline.h"
#include "tests/widgets/support/space_fixture.h"
#include "widgets/common/colors.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/drawing/space_drawing.h"

#include <QtTest>
#include <QtWidgets>

using namespace assay;

namespace {

constexpr QSize kPicture(320, 240);
/// Of a block's mean (largestDifference). Edges of points differ between drivers. A point that is missing changes its
/// block by about as much.
constexpr double kTolerance = 10.0;

SpacePoints pointsOf(std::size_t dimensions) {
    SpacePoints points;
    points.layout.dimensions = dimensions;
    points.real = test::cloud(400, {-1, 0, 0}, 1.2F, 11);
    points.synthetic = test::cloud(300, {2, 1, 0}, 0.9F, 12);
    for (auto* set : {&points.real, &points.synthetic})
        for (auto& point : *set)
            if (dimensions == 2)
                point[2] = 0.0F;
    return points;
}

} // namespace

class SpaceBaselineTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void looksAsStored_data();
    void looksAsStored();
    void noticesWhatIsMissing();

private:
    QImage drawn(std::size_t dimensions, space::MapKind map, const QPalette& palette, bool withSynthetic = true);
};

void SpaceBaselineTest::initTestCase() {
    if (!space::openGlProblem().isEmpty())
        QSKIP("no OpenGL on this display");
}

QImage SpaceBaselineTest::drawn(std::size_t dimensions, space::MapKind map, const QPalette& palette,
                                bool withSynthetic) {
    const auto points = std::make_shared<const SpacePoints>(pointsOf(dimensions));
    QWidget window;
    window.resize(kPicture);
    auto* canvas = new space::SpaceCanvas(&window);
    canvas->setGeometry(QRect({}, kPicture));
    space::Drawing drawing;
    drawing.isFlat = dimensions == 2;
    drawing.box = space::boxAround(*points);
    drawing.reach = space::reachOf(*points, drawing.box);
    drawing.background = palette.color(QPalette::Base);
    drawing.axes = colors::mutedText(palette);
    drawing.frame = colors::gridLine(palette);
    drawing.text = palette.color(QPalette::Text);
    const auto cloud = [&](const std::vector<space::Point>& places, const QColor& color) {
        space::Cloud made;
        made.points = {points, &places};
        made.colors = std::make_shared<const std::vector<space::Rgb>>(places.size(), space::toRgb(color));
        return made;
    };
    drawing.clouds[space::kRealCloud] = cloud(points->real, colors::real(palette));
    if (withSynthetic)
        drawing.clouds[space::kSyntheticCloud] = cloud(points->synthetic, colors::synthetic(palette));
    if (map != space::MapKind::None) {
        const DensityRequest request{points, {}, {{-6.0, -4.0}, {6.0, 4.0}, 128, 128}};
        drawing.map = space::planeMap(planeDensity(request, {}), map, palette);
    }
    canvas->draw(drawing);
    window.show();
    if (!QTest::qWaitForWindowExposed(&window))
        return {};
    canvas->resetView();
    (void)QTest::qWaitFor([canvas] { return canvas->isWhole(); });
    return canvas->grabFramebuffer().scaled(kPicture);
}

void SpaceBaselineTest::looksAsStored_data() {
    QTest::addColumn<std::size_t>("dimensions");
    QTest::addColumn<space::MapKind>("map");
    QTest::addColumn<bool>("dark");
    QTest::newRow("space") << std::size_t{3} << space::MapKind::None << false;
    QTest::newRow("plane") << std::size_t{2} << space::MapKind::None << false;
    QTest::newRow("plane-density") << std::size_t{2} << space::MapKind::RealDensity << false;
    QTest::newRow("plane-difference") << std::size_t{2} << space::MapKind::Difference << false;
    QTest::newRow("plane-difference-dark") << std::size_t{2} << space::MapKind::Difference << true;
}

void SpaceBaselineTest::looksAsStored() {
    QFETCH(std::size_t, dimensions);
    QFETCH(space::MapKind, map);
    QFETCH(bool, dark);
    const QPalette palette = dark ? QPalette(QColor(36, 39, 44)) : QPalette(QColor(240, 240, 240));
    const QImage picture = drawn(dimensions, map, palette);
    QCOMPARE(picture.size(), kPicture);
    const QString wrong = test::differenceFromBaseline(picture, QString::fromUtf8(QTest::currentDataTag()), kTolerance);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void SpaceBaselineTest::noticesWhatIsMissing() {
    const QPalette palette(QColor(240, 240, 240));
    const QImage all = drawn(2, space::MapKind::None, palette);
    QVERIFY(test::largestDifference(all, drawn(2, space::MapKind::None, palette)) <= kTolerance);
    QVERIFY(test::largestDifference(all, drawn(2, space::MapKind::None, palette, false)) > 3 * kTolerance);
    QVERIFY(test::largestDifference(all, drawn(2, space::MapKind::RealDensity, palette)) > kTolerance);
}

ASSAY_TEST(space_baseline_test, SpaceBaselineTest)
#include "space_baseline_test.moc"
