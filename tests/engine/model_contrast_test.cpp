// Two models beside each other, sample by sample.
#include "engine/audit/result/compare.h"
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/matrices.h"
#include "tests/support/plain_distance.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace assay;

namespace {

struct ContrastSets {
    test::Matrix real, first, second;
};

/// The real set is two groups; the first model makes both, the second one of them.
ContrastSets twoGroups() {
    const test::Matrix left = test::gaussian(120, 3, 1);
    const test::Matrix right = test::gaussian(80, 3, 2, 9.0F);
    return {test::joined(left, right), test::joined(test::gaussian(90, 3, 3), test::gaussian(90, 3, 4, 9.0F)),
            test::gaussian(150, 3, 5)};
}

std::shared_ptr<const AuditResult> contrastedAudit(const ContrastSets& sets, bool quick = false) {
    AuditRequest request;
    request.real = test::asSet(sets.real, "real");
    request.models = {{"first", test::asSet(sets.first, "first")}, {"second", test::asSet(sets.second, "second")}};
    request.options.tablesOnly = quick;
    return runAudit(request);
}

/// Whether a synthetic sample is no farther from a real one than its fifth-nearest other real sample, by a plain
/// search.
bool isCoveredPlainly(const test::Matrix& real, std::size_t row, const test::Matrix& synthetic, std::size_t k) {
    std::vector<double> distances;
    for (std::size_t other = 0; other < real.rows; ++other)
        if (other != row)
            distances.push_back(
                test::plainSquaredDistance(&real.values[row * real.dim], &real.values[other * real.dim], real.dim));
    std::ranges::nth_element(distances, distances.begin() + static_cast<std::ptrdiff_t>(k - 1));
    const double radius = std::sqrt(distances[k - 1]);
    for (std::size_t at = 0; at < synthetic.rows; ++at)
        if (std::sqrt(test::plainSquaredDistance(&real.values[row * real.dim], &synthetic.values[at * real.dim],
                                                 real.dim)) <= radius)
            return true;
    return false;
}

} // namespace

class ModelContrastTest : public QObject {
    Q_OBJECT

private slots:
    void groupsAreThoseOfAPlainSearch();
    void groupsAddUpToCoverage();
    void theOtherWayRoundSwapsTheGroups();
    void examplesLieApart();
    void distributionsAddUpToOne();
    void stopsWhenAsked();
};

void ModelContrastTest::groupsAreThoseOfAPlainSearch() {
    const ContrastSets sets = twoGroups();
    const auto audit = contrastedAudit(sets, true);
    const ModelContrast found = contrastModels(*audit, 0, 1);
    std::array<std::vector<std::uint32_t>, kCoverageGroups> wanted;
    for (std::uint32_t row = 0; row < sets.real.rows; ++row) {
        const bool first = isCoveredPlainly(sets.real, row, sets.first, audit->k);
        const bool second = isCoveredPlainly(sets.real, row, sets.second, audit->k);
        wanted[first && second ? 0U : first ? 1U : second ? 2U : 3U].push_back(row);
    }
    for (std::size_t group = 0; group < kCoverageGroups; ++group)
        QVERIFY(found.groups[group].rows == wanted[group]);
    QVERIFY(found.group(CoveredBy::OnlyFirst).rows.size() > 60); // the group that the second model lacks
    QVERIFY(found.group(CoveredBy::OnlyFirst).rows.front() >= 120 || found.group(CoveredBy::Both).rows.size() > 60);
}

void ModelContrastTest::groupsAddUpToCoverage() {
    const auto audit = contrastedAudit(twoGroups());
    const ModelContrast found = contrastModels(*audit, 0, 1);
    const auto share = [&](CoveredBy a, CoveredBy b) {
        return static_cast<double>(found.group(a).rows.size() + found.group(b).rows.size()) /
               static_cast<double>(audit->real->set->rows());
    };
    QCOMPARE(share(CoveredBy::Both, CoveredBy::OnlyFirst), audit->models[0]->metric("coverage"));
    QCOMPARE(share(CoveredBy::Both, CoveredBy::OnlySecond), audit->models[1]->metric("coverage"));
    QCOMPARE(share(CoveredBy::OnlySecond, CoveredBy::Neither), 1.0 - audit->models[0]->metric("coverage"));
    const auto differences = compareModels(*audit->models[0], *audit->models[1]);
    QCOMPARE(found.differences.size(), differences.size());
    QVERIFY(!differences.empty());
    for (std::size_t at = 0; at < differences.size(); ++at)
        QCOMPARE(found.differences[at].difference, differences[at].difference);
}

void ModelContrastTest::theOtherWayRoundSwapsTheGroups() {
    const auto audit = contrastedAudit(twoGroups(), true);
    const ModelContrast one = contrastModels(*audit, 0, 1);
    const ModelContrast other = contrastModels(*audit, 1, 0);
    QVERIFY(one.group(CoveredBy::OnlyFirst).rows == other.group(CoveredBy::OnlySecond).rows);
    QVERIFY(one.group(CoveredBy::Both).examples == other.group(CoveredBy::Both).examples);
    QVERIFY(one.fidelity.first == other.fidelity.second);
    const ModelContrast same = contrastModels(*audit, 1, 1);
    QVERIFY(same.group(CoveredBy::OnlyFirst).rows.empty() && same.group(CoveredBy::OnlySecond).rows.empty());
}

void ModelContrastTest::examplesLieApart() {
    const auto audit = contrastedAudit(twoGroups(), true);
    const NeighborTable& neighbors = audit->real->neighbors;
    for (const CoverageGroup& group : contrastModels(*audit, 0, 1).groups) {
        QCOMPARE(group.examples.empty(), group.rows.empty());
        QVERIFY(group.examples.size() <= kGroupExamples);
        std::set<std::uint32_t> near;
        for (const std::uint32_t example : group.examples) {
            QVERIFY(std::ranges::binary_search(group.rows, example));
            QVERIFY(!near.contains(example));
            for (std::size_t rank = 0; rank < neighbors.k; ++rank)
                near.insert(neighbors.indexAt(example, rank));
        }
        if (!group.rows.empty()) // the densest is the first
            QCOMPARE(audit->real->radius[group.examples.front()],
                     audit->real->radius[*std::ranges::min_element(
                         group.rows, {}, [&](std::uint32_t row) { return audit->real->radius[row]; })]);
    }
}

void ModelContrastTest::distributionsAddUpToOne() {
    const auto audit = contrastedAudit(twoGroups(), true);
    const ContrastedColumn fidelity = contrastModels(*audit, 0, 1).fidelity;
    QCOMPARE(fidelity.first.size(), fidelity.bins.count());
    for (const auto& [shares, model] : {std::pair{&fidelity.first, 0}, std::pair{&fidelity.second, 1}}) {
        QVERIFY(std::abs(std::accumulate(shares->begin(), shares->end(), 0.0) - 1.0) < 1e-12);
        // The last bin holds the samples with fidelity 1.
        const auto& values = audit->models[static_cast<std::size_t>(model)]->column("fidelity");
        const auto best = static_cast<double>(std::ranges::count(values, 1.0));
        QCOMPARE(shares->back(), best / static_cast<double>(values.size()));
    }
}

void ModelContrastTest::stopsWhenAsked() {
    const auto audit = contrastedAudit(twoGroups(), true);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(contrastModels(*audit, 0, 1, JobContext(stop.get_token())), Cancelled);
}

ASSAY_TEST(model_contrast_test, ModelContrastTest)
#include "model_contrast_test.moc"
