// Distinct nearest: against a plain loop over all pairs.
#include "engine/audit/run/audit.h"
#include "engine/math/products/kernels.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <set>
#include <vector>

using namespace assay;

class DistinctNearestTest : public QObject {
    Q_OBJECT

private slots:
    void countsSamplesOfOneNearest();
};

void DistinctNearestTest::countsSamplesOfOneNearest() {
    const test::Matrix real = test::gaussian(40, 3, 1);
    const test::Matrix synthetic = test::gaussian(90, 3, 2);
    AuditOptions options;
    options.tablesOnly = true;
    const auto audit = runAudit({test::asSet(real, "real"), {{"model", test::asSet(synthetic, "model")}}, options, {}});
    std::vector<std::size_t> nearest;
    for (std::size_t j = 0; j < 90; ++j) {
        std::vector<double> distances;
        for (std::size_t i = 0; i < 40; ++i)
            distances.push_back(directDistance(synthetic.view(), j, real.view(), i));
        nearest.push_back(static_cast<std::size_t>(std::ranges::min_element(distances) - distances.begin()));
    }
    const ModelAudit& model = *audit->models.front();
    for (std::size_t j = 0; j < 90; ++j)
        QCOMPARE(model.column("sharing_nearest")[j], static_cast<double>(std::ranges::count(nearest, nearest[j])));
    const std::set<std::size_t> distinct(nearest.begin(), nearest.end());
    QVERIFY(std::abs(model.metric("distinct_nearest") - static_cast<double>(distinct.size()) / 90.0) < 1e-12);
}

ASSAY_TEST(distinct_nearest_test, DistinctNearestTest)
#include "distinct_nearest_test.moc"
