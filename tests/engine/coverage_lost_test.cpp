#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/subsets/what_if/kept_audit.h"
#include "engine/subsets/what_if/what_if.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace assay;

class CoverageLostTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithAllDistances_data();
    void agreesWithAllDistances();
    void nothingIsLostWhereAllIsKept();
};

void CoverageLostTest::agreesWithAllDistances_data() {
    QTest::addColumn<double>("kept");
    QTest::addColumn<bool>("collapsed");
    QTest::newRow("half") << 0.5 << false;
    QTest::newRow("few") << 0.06 << false;
    QTest::newRow("half of a collapsed model") << 0.5 << true;
    QTest::newRow("few of a collapsed model") << 0.05 << true; // lists of neighbours end within the balls
}

void CoverageLostTest::agreesWithAllDistances() {
    QFETCH(double, kept);
    QFETCH(bool, collapsed);
    const test::Matrix real = test::gaussian(150, 3, 1);
    const test::Matrix fake = test::gaussian(400, 3, 2, 0.0F, collapsed ? 0.05F : 1.0F);
    AuditRequest request;
    request.real = test::asSet(real, "real");
    request.models = {{"gan", test::asSet(fake, "gan")}};
    const auto audit = runAudit(request);
    const std::vector<bool> flags = randomRows(400, static_cast<std::size_t>(kept * 400));
    CoverageLost expected;
    for (std::uint32_t i = 0; i < 150; ++i) {
        double nearest = INFINITY;
        std::uint32_t coverer = 0;
        bool keptInside = false;
        for (std::uint32_t j = 0; j < 400; ++j) {
            double squared = 0.0;
            for (std::size_t c = 0; c < 3; ++c) {
                const double difference =
                    static_cast<double>(real.values[3 * i + c]) - static_cast<double>(fake.values[3 * j + c]);
                squared += difference * difference;
            }
            keptInside = keptInside || (flags[j] && std::sqrt(squared) <= audit->real->radius[i]);
            if (squared < nearest) {
                nearest = squared;
                coverer = j;
            }
        }
        if (!keptInside && std::sqrt(nearest) <= audit->real->radius[i]) {
            expected.real.push_back(i);
            expected.coverers.push_back(coverer);
        }
    }
    std::sort(expected.coverers.begin(), expected.coverers.end());
    expected.coverers.erase(std::unique(expected.coverers.begin(), expected.coverers.end()), expected.coverers.end());
    const CoverageLost lost = coverageLost(*audit, 0, flags);
    QVERIFY(!expected.real.empty());
    QCOMPARE(lost, expected);
    const double before = audit->models[0]->metric("coverage");
    const double after = WhatIf(audit, 0).evaluate(flags).metric("coverage");
    QCOMPARE(lost.real.size(), static_cast<std::size_t>(std::llround((before - after) * 150)));
    // Kept by hand, they are covered again.
    std::vector<bool> protectedFlags = flags;
    for (const std::uint32_t row : lost.coverers)
        protectedFlags[row] = true;
    QVERIFY(coverageLost(*audit, 0, protectedFlags).real.empty());
}

void CoverageLostTest::nothingIsLostWhereAllIsKept() {
    AuditRequest request;
    request.real = test::asSet(test::gaussian(50, 3, 1), "real");
    request.models = {{"gan", test::asSet(test::gaussian(60, 3, 2), "gan")}};
    const auto audit = runAudit(request);
    QCOMPARE(coverageLost(*audit, 0, std::vector<bool>(60, true)), CoverageLost{});
}

ASSAY_TEST(coverage_lost_test, CoverageLostTest)
#include "coverage_lost_test.moc"
