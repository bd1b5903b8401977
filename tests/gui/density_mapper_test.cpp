// Densities on the plane, computed beside the window.
#include "gui/jobs/finders.h"
#include "tests/support/test_entry.h"

#include <QSignalSpy>
#include <QtTest>

#include <random>

using namespace assay;

namespace {

std::shared_ptr<const DensityRequest> requestOf(std::size_t rows, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    auto points = std::make_shared<SpacePoints>();
    points->layout.dimensions = 2;
    for (auto* set : {&points->real, &points->synthetic})
        for (std::size_t row = 0; row < rows; ++row)
            set->push_back({normal(random), normal(random), 0.0F});
    auto request = std::make_shared<DensityRequest>();
    request->points = points;
    request->grid = {{-4.0, -4.0}, {4.0, 4.0}, 64, 64};
    return request;
}

} // namespace

class DensityMapperTest : public QObject {
    Q_OBJECT

private slots:
    void computesWhatWasRequestedLast();
};

void DensityMapperTest::computesWhatWasRequestedLast() {
    DensityMapper mapper;
    QSignalSpy mapped(&mapper, &DensityMapper::mapped);
    mapper.map(requestOf(200'000, 1));
    const auto last = requestOf(500, 2);
    mapper.map(last);
    QTRY_COMPARE(mapped.size(), 1);
    QTRY_VERIFY(!mapper.jobs()->isRunning());
    QCOMPARE(mapped.size(), 1);
    const auto density = mapped.first().first().value<std::shared_ptr<const PlaneDensity>>();
    QVERIFY(density->request == *last);
    QCOMPARE(density->map.counts[0], std::size_t{500});
    QCOMPARE(density->levels.size(), PlaneDensity::kShares.size());
    QVERIFY(density->levels.front() > density->levels.back());
}

ASSAY_TEST(density_mapper_test, DensityMapperTest)
#include "density_mapper_test.moc"
