// The pictures that VTK draws, against stored ones: tests/widgets/baselines/. ASSAY_WRITE_BASELINES=1 stores them anew.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/space_fixture.h"
#include "widgets/common/colors.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/drawing/point_extent.h"

#include <QtTest>
#include <QtWidgets>

#include <algorithm>
#include <cmath>

using namespace assay;

namespace {

constexpr QSize kPicture(320, 240);
constexpr int kBlock = 8; // pixels: edges of points differ between drivers, means of blocks hardly do
/// Largest difference of a block's mean, of 255. A point that is missing changes its block by about as much.
constexpr double kTolerance = 10.0;

std::array<double, 3> meanOf(const QImage& picture, QPoint corner) {
    std::array<double, 3> sum{};
    for (int y = corner.y(); y < corner.y() + kBlock; ++y)
        for (int x = corner.x(); x < corner.x() + kBlock; ++x) {
            const QColor color = picture.pixelColor(x, y);
            sum[0] += color.red();
            sum[1] += color.green();
            sum[2] += color.blue();
        }
    for (double& value : sum)
        value /= kBlock * kBlock;
    return sum;
}

double largestDifference(const QImage& a, const QImage& b) {
    double largest = 0.0;
    for (int y = 0; y + kBlock <= kPicture.height(); y += kBlock)
        for (int x = 0; x + kBlock <= kPicture.width(); x += kBlock) {
            const auto left = meanOf(a, {x, y});
            const auto right = meanOf(b, {x, y});
            for (std::size_t c = 0; c < left.size(); ++c)
                largest = std::max(largest, std::abs(left[c] - right[c]));
        }
    return largest;
}

QString baselineOf(const QString& name) {
    return QStringLiteral(ASSAY_SOURCE_DIR "/tests/widgets/baselines/%1.png").arg(name);
}

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
    canvas->setFlat(dimensions == 2);
    const space::Box box = space::boxAround(*points);
    canvas->setBox(box, {}, {});
    canvas->setReach(space::reachOf(*points, box));
    canvas->setColors(palette.color(QPalette::Base), colors::mutedText(palette), colors::gridLine(palette),
                      palette.color(QPalette::Text));
    const auto cloud = [&](const std::vector<space::Point>& places, const QColor& color) {
        space::Cloud made;
        made.points = {points, &places};
        made.colors = std::make_shared<const std::vector<space::Rgb>>(places.size(), space::toRgb(color));
        return made;
    };
    canvas->setCloud(space::kRealCloud, cloud(points->real, colors::real(palette)));
    if (withSynthetic)
        canvas->setCloud(space::kSyntheticCloud, cloud(points->synthetic, colors::synthetic(palette)));
    if (map != space::MapKind::None) {
        const DensityRequest request{points, {}, {{-6.0, -4.0}, {6.0, 4.0}, 128, 128}};
        canvas->setPlaneMap(space::planeMap(planeDensity(request, {}), map, palette));
    }
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
    const QString file = baselineOf(QString::fromUtf8(QTest::currentDataTag()));
    if (qEnvironmentVariableIsSet("ASSAY_WRITE_BASELINES"))
        QVERIFY(picture.save(file));
    const QImage stored(file);
    QVERIFY2(stored.size() == kPicture, qPrintable(QStringLiteral("no baseline %1").arg(file)));
    const double difference = largestDifference(picture, stored);
    if (difference > kTolerance)
        picture.save(QDir::tempPath() + QStringLiteral("/%1-now.png").arg(QString::fromUtf8(QTest::currentDataTag())));
    QVERIFY2(difference <= kTolerance, qPrintable(QString::number(difference)));
}

void SpaceBaselineTest::noticesWhatIsMissing() {
    const QPalette palette(QColor(240, 240, 240));
    const QImage all = drawn(2, space::MapKind::None, palette);
    QVERIFY(largestDifference(all, drawn(2, space::MapKind::None, palette)) <= kTolerance);
    QVERIFY(largestDifference(all, drawn(2, space::MapKind::None, palette, false)) > 3 * kTolerance);
    QVERIFY(largestDifference(all, drawn(2, space::MapKind::RealDensity, palette)) > kTolerance);
}

ASSAY_TEST(space_baseline_test, SpaceBaselineTest)
#include "space_baseline_test.moc"
