// Densities on the plane: contours of the real set, and where the model has too much and too little.
#include "engine/data/embedding_set.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/settle.h"
#include "tests/widgets/support/space_window.h"
#include "widgets/common/colors.h"
#include "widgets/space/drawing/plane_map.h"

#include <QtTest>
#include <QtWidgets>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace assay;
using test::SpaceFixture;

namespace {

/// Four modes at the corners of a square; a share of the samples at each.
test::Points corners(std::size_t count, const std::vector<double>& shares, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, 0.4F);
    std::discrete_distribution<int> mode(shares.begin(), shares.end());
    test::Points points(count);
    for (auto& point : points) {
        const int at = mode(random);
        point = {(at % 2 == 0 ? -3.0F : 3.0F) + normal(random), (at < 2 ? -2.0F : 2.0F) + normal(random), 0.0F};
    }
    return points;
}

/// The model has collapsed to the mode at the upper right, and has lost the one at the lower left.
SpaceFixture collapsed() {
    static const SpaceFixture fixture = [] {
        SpaceFixture made = test::makeFixture(corners(1'200, {1, 1, 1, 1}, 1), corners(1'200, {0, 1, 1, 8}, 2));
        SpacePoints points = *made.points;
        points.layout.dimensions = 2;
        made.points = std::make_shared<const SpacePoints>(std::move(points));
        made.state.computed.layout = made.points->layout;
        return made;
    }();
    return fixture;
}

} // namespace

class SpaceMapTest : public QObject, test::SpaceWindow {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init();
    void cleanup() { close(); }
    void isOfferedOnThePlaneOnly();
    void asksOnceForWhatIsToBeShown();
    void isHottestAtTheCollapsedMode();
    void oneSideAloneHasNothingToCompare();
    void contoursStandForTheRealSamples();
    void followsTheFilter();
    void dropsWhatWasWantedBefore();
    void regionsAreNamedByTheirCommonestClass();

private:
    QComboBox* maps() const { return view_->findChild<QComboBox*>(QStringLiteral("spaceMap")); }
    QWidget* legend() const { return view_->findChild<QWidget*>(QStringLiteral("spaceDifferenceLegend")); }
    /// From now on nobody answers what is asked for.
    void keepRequests() {
        host_->onRequest = [](const PanelRequest&) {};
    }
    std::size_t asked() const { return host_->asked("density"); }
    static std::shared_ptr<const PlaneDensity> answerTo(const PanelRequest& request) {
        return std::static_pointer_cast<const PlaneDensity>(request.work({}));
    }
    /// The colour in the middle of a mode, without the points.
    QColor colorAt(double x, double y) {
        view_->setSetVisible(SetId::Real, false);
        view_->setSetVisible(syntheticSet(0), false);
        test::waitForFrame(canvas());
        test::settle();
        const QImage picture = grab();
        // The nearest real sample says where the plane's point lies.
        const auto& real = fixture_.points->real;
        const auto nearest = std::ranges::min_element(real, {}, [&](const auto& p) {
            return std::hypot(static_cast<double>(p[0]) - x, static_cast<double>(p[1]) - y);
        });
        view_->setSetVisible(SetId::Real, true);
        const auto at = view_->screenPosition({SetId::Real, static_cast<std::uint32_t>(nearest - real.begin())});
        return picture.pixelColor((*at * picture.devicePixelRatio()).toPoint());
    }
};

void SpaceMapTest::init() {
    open();
    if (!view_->hasOpenGl())
        QSKIP("no OpenGL on this display");
}

void SpaceMapTest::isOfferedOnThePlaneOnly() {
    show(test::smallFixture());
    QVERIFY(!maps()->isVisible());
    view_->setMapKind(space::MapKind::Difference);
    QCOMPARE(view_->mapKind(), space::MapKind::None);
    show(collapsed());
    QVERIFY(maps()->isVisible());
    QCOMPARE(view_->mapKind(), space::MapKind::Difference);
}

void SpaceMapTest::asksOnceForWhatIsToBeShown() {
    view_->setMapKind(space::MapKind::None);
    show(collapsed());
    keepRequests();
    maps()->setFocus();
    QTest::keyClick(maps(), Qt::Key_End);
    QCOMPARE(view_->mapKind(), space::MapKind::Difference);
    QCOMPARE(asked(), std::size_t{1});
    selection_->select(synthetic(3));
    selection_->clear();
    QCOMPARE(asked(), std::size_t{1});
    host_->requests.front().show(host_->requests.front().work({}));
    QTest::keyClick(maps(), Qt::Key_Up);
    QCOMPARE(view_->mapKind(), space::MapKind::RealDensity);
    QCOMPARE(asked(), std::size_t{1}); // one computation for both
}

void SpaceMapTest::oneSideAloneHasNothingToCompare() {
    SpaceFixture fixture = collapsed();
    SpacePoints points = *fixture.points; // as by two scores of synthetic samples
    const float nowhere = std::numeric_limits<float>::quiet_NaN();
    std::ranges::fill(points.real, space::Point{nowhere, nowhere, nowhere});
    fixture.points = std::make_shared<const SpacePoints>(std::move(points));
    show(fixture);
    view_->setMapKind(space::MapKind::Difference);
    QVERIFY(!legend()->isVisible());
    show(collapsed());
    QVERIFY(legend()->isVisible());
}

void SpaceMapTest::isHottestAtTheCollapsedMode() {
    show(collapsed());
    view_->setMapKind(space::MapKind::None);
    test::settle();
    QVERIFY(!legend()->isVisible());
    view_->setMapKind(space::MapKind::Difference);
    QVERIFY(legend()->isVisible());
    QVERIFY(legend()->accessibleName().contains("too few synthetic samples"));
    QVERIFY(legend()->accessibleName().contains("too many"));
    const QColor many = colorAt(3, 2);
    const QColor few = colorAt(-3, -2);
    const QColor between = colorAt(0, 0);
    QVERIFY2(many.red() > many.blue() + 60, qPrintable(many.name()));
    QVERIFY2(few.blue() > few.red() + 60, qPrintable(few.name()));
    QVERIFY2(std::abs(between.red() - between.blue()) < 40, qPrintable(between.name()));
}

void SpaceMapTest::contoursStandForTheRealSamples() {
    show(collapsed());
    view_->setMapKind(space::MapKind::RealDensity);
    QVERIFY(!view_->screenPosition({SetId::Real, 0}));
    QVERIFY(view_->screenPosition(synthetic(0)));
    QVERIFY(!legend()->isVisible());
    const QColor mode = colorAt(-3, -2);
    const QColor nowhere = colorAt(0, 0);
    QVERIFY2(mode.lightness() < nowhere.lightness() - 20, qPrintable(mode.name() + nowhere.name()));
    view_->setMapKind(space::MapKind::None);
    QVERIFY(view_->screenPosition({SetId::Real, 0}));
}

void SpaceMapTest::followsTheFilter() {
    view_->setMapKind(space::MapKind::None);
    show(collapsed());
    keepRequests();
    view_->setMapKind(space::MapKind::Difference);
    ViewState state = test::placed(collapsed());
    state.computed.layout = state.computed.points->layout;
    state.filter.among = std::make_shared<const SampleSet>(SampleSet::all(syntheticSet(0), 100));
    state.shown = shownBy(state);
    view_->showState(state);
    QCOMPARE(asked(), std::size_t{2});
    QCOMPARE(answerTo(host_->requests.back())->map.counts[1], std::size_t{100});
}

void SpaceMapTest::dropsWhatWasWantedBefore() {
    view_->setMapKind(space::MapKind::None);
    show(collapsed());
    keepRequests();
    view_->setMapKind(space::MapKind::Difference);
    const PanelRequest old = host_->requests.front();
    SpaceFixture other = collapsed();
    other.points = std::make_shared<const SpacePoints>(*other.points);
    show(other);
    QCOMPARE(asked(), std::size_t{2});
    const QImage before = grab();
    view_->showDensity(answerTo(old));
    test::settle();
    QCOMPARE(grab(), before);
}

void SpaceMapTest::regionsAreNamedByTheirCommonestClass() {
    const SpaceFixture fixture = collapsed();
    const std::vector<std::array<float, 3>>& real = fixture.points->real;
    const auto cornerOf = [](const std::array<float, 3>& p) { return (p[0] > 0 ? 1U : 0U) + (p[1] > 0 ? 2U : 0U); };
    EmbeddingParts parts;
    parts.rows = real.size();
    parts.dim = 1;
    parts.values = std::vector<float>(real.size());
    parts.labels.names = {"bird", "7", "fish", "none of most", "cat"};
    for (std::size_t row = 0; row < real.size(); ++row) {
        const std::uint32_t corner = cornerOf(real[row]);
        // Nine in ten are of the corner's class; in one corner all classes are as frequent.
        parts.labels.code.push_back(corner == 3 ? static_cast<std::uint32_t>(row % 5) : row % 10 == 0 ? 4 : corner);
    }
    DensityRequest request{fixture.points, {}, {{-6.0, -5.0}, {6.0, 5.0}}};
    QVERIFY(planeDensity(request, {})->regions.empty());
    request.sets[0] = std::make_shared<const EmbeddingSet>(std::move(parts));
    const auto regions = planeDensity(request, {})->regions;
    QCOMPARE(regions.size(), std::size_t{3});
    for (const PlaneRegion& region : regions) {
        const std::array<float, 3> peak{static_cast<float>(region.peak[0]), static_cast<float>(region.peak[1]), 0.0F};
        QCOMPARE(region.name, request.sets[0]->labels().names[cornerOf(peak)]);
        QVERIFY(std::abs(std::abs(region.peak[0]) - 3) < 0.5 && std::abs(std::abs(region.peak[1]) - 2) < 0.5);
        QVERIFY(region.samples > 200 && region.samples < 400);
    }
}

ASSAY_TEST(space_map_test, SpaceMapTest)
#include "space_map_test.moc"
