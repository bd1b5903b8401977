// Groups that a person gave (patients, videos): their samples count as one wherever samples are judged, and a model
// that makes new samples of training groups is found.
#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/metrics/verdicts/group_tests.h"
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/metrics/verdicts/sample_units.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/support/direct_search.h"
#include "tests/support/matrices.h"
#include "tests/support/plain_distance.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;
using Numbers = std::vector<std::uint32_t>;

namespace {

constexpr std::size_t kSlices = 8;

/// Slices of patients: a centre per patient, and a spread within as a share of that between.
struct Patients {
    Matrix centres;
    double spread = 0.2;
    unsigned seed = 1;
    std::string name = "p";
};

std::shared_ptr<const EmbeddingSet> slices(const Patients& patients, bool named = true) {
    const Matrix& centres = patients.centres;
    Matrix rows =
        test::gaussian(centres.rows * kSlices, centres.dim, patients.seed, 0.0F, static_cast<float>(patients.spread));
    std::vector<std::string> names;
    for (std::size_t row = 0; row < rows.rows; ++row) {
        for (std::size_t c = 0; c < rows.dim; ++c)
            rows.values[row * rows.dim + c] += centres.values[row / kSlices * rows.dim + c];
        names.push_back(patients.name + std::to_string(row / kSlices));
    }
    EmbeddingParts parts = EmbeddingParts::of(rows.values, rows.dim, patients.name);
    if (named)
        parts.groups = labelsFromText(names);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// Patients of whom the first ones are those of another set.
Matrix partlyOf(const Matrix& others, std::size_t count, unsigned seed) {
    Matrix centres = test::gaussian(others.rows, others.dim, seed);
    std::copy_n(others.values.begin(), count * others.dim, centres.values.begin());
    return centres;
}

std::shared_ptr<const AuditResult> audit(const std::shared_ptr<const EmbeddingSet>& real,
                                         const std::shared_ptr<const EmbeddingSet>& model,
                                         const std::shared_ptr<const EmbeddingSet>& heldOut = nullptr) {
    AuditRequest request;
    request.real = real;
    request.models.push_back({"model", model});
    request.heldOut = heldOut;
    return runAudit(request);
}

bool has(const ModelAudit& model, std::string_view id) {
    return std::ranges::any_of(model.findings, [&](const Finding& finding) { return finding.kind->id == id; });
}

double distance(const Matrix& rows, std::size_t a, std::size_t b) {
    return std::sqrt(test::plainSquaredDistance(rows.view().rowData(a), rows.view().rowData(b), rows.dim));
}

/// Distances to the rows outside a unit, ascending.
std::vector<double> outside(const Matrix& rows, std::size_t row, const Numbers& unit) {
    std::vector<double> distances;
    for (std::size_t other = 0; other < rows.rows; ++other)
        if (unit[other] != unit[row])
            distances.push_back(distance(rows, row, other));
    std::ranges::sort(distances);
    return distances;
}

} // namespace

class SampleGroupsTest : public QObject {
    Q_OBJECT

private slots:
    void rowsWithoutAGroupStandAlone();
    void leavesTheOwnGroupOut_data();
    void leavesTheOwnGroupOut();
    void standsForEachGroupWhateverTheOrder();
    void newPatientsAreNotAccused_data();
    void newPatientsAreNotAccused();
    void newSlicesOfTrainingPatientsAreFound_data();
    void newSlicesOfTrainingPatientsAreFound();
    void heldOutByPatientIsAlike();
    void namesTheGroupThatIsUsedMost();
    void groupsOfOneSampleChangeNothing();
    void fewGroupsAreNotJudged_data();
    void fewGroupsAreNotJudged();
};

void SampleGroupsTest::rowsWithoutAGroupStandAlone() {
    const Numbers units = unitsByGroup(labelsFromText({"b", "", "a", "", "b"}));
    QCOMPARE(units, (Numbers{0, 1, 2, 3, 0}));
    QCOMPARE(sizesOf(units), (Numbers{2, 1, 1, 1}));
}

void SampleGroupsTest::leavesTheOwnGroupOut_data() {
    QTest::addColumn<int>("listed");
    QTest::newRow("lists that hold the own group alone") << 7;
    QTest::newRow("long lists") << 60;
}

void SampleGroupsTest::leavesTheOwnGroupOut() {
    QFETCH(int, listed);
    const auto real = slices({.centres = test::gaussian(20, 6, 3)});
    const Matrix rows{
        {real->matrix().data, real->matrix().data + real->rows() * real->dim()}, real->rows(), real->dim()};
    const auto search = makeCpuSearch(BackendChoice::Gemm, rows.view(), 1, {});
    const NeighborTable near = test::directNeighbors(rows.view(), rows.view(), static_cast<std::size_t>(listed), true);
    const RealPartition partition = partitionReal(*real, near, 5, search.get(), {});
    QVERIFY(partition.byGroup);
    QCOMPARE(partition.rows.size(), std::size_t{20});
    for (std::size_t row = 0; row < rows.rows; ++row) {
        const std::vector<double> expected = outside(rows, row, partition.unit);
        QCOMPARE(partition.distances.nearest[row], expected[0]);
        QCOMPARE(partition.distances.kth[row], expected[4]);
        QCOMPARE(partition.distances.density[row], expected[partition.densityNeighbors - 1]);
        const std::uint32_t thing = partition.unit[partition.distances.nearestRow[row]];
        double second = std::numeric_limits<double>::infinity();
        for (std::size_t other = 0; other < rows.rows; ++other)
            if (partition.unit[other] != partition.unit[row] && partition.unit[other] != thing)
                second = std::min(second, distance(rows, row, other));
        QCOMPARE(partition.distances.secondThing[row], second);
    }
}

void SampleGroupsTest::standsForEachGroupWhateverTheOrder() {
    const auto real = slices({.centres = test::gaussian(20, 6, 3)});
    RealPartition partition;
    const SampleUnits units = sampleUnits(*real, partition, {});
    QCOMPARE(units.rows.size(), std::size_t{20});
    QCOMPARE(units.count(real->rows()), std::size_t{20});
    // The same rows in the reverse order: the same samples stand for their groups.
    std::vector<float> values;
    std::vector<std::string> names;
    for (std::size_t row = real->rows(); row-- > 0;) {
        values.insert(values.end(), real->matrix().rowData(row), real->matrix().rowData(row) + real->dim());
        names.push_back(real->groupText(row));
    }
    EmbeddingParts parts = EmbeddingParts::of(values, real->dim(), "reversed");
    parts.groups = labelsFromText(names);
    Numbers rows = sampleUnits(EmbeddingSet(std::move(parts)), partition, {}).rows;
    for (std::uint32_t& row : rows)
        row = static_cast<std::uint32_t>(real->rows()) - 1 - row;
    std::ranges::sort(rows);
    QCOMPARE(rows, units.rows);
}

void SampleGroupsTest::newPatientsAreNotAccused_data() {
    QTest::addColumn<double>("spread");
    QTest::addColumn<bool>("named");
    for (const double spread : {0.1, 0.3, 0.7})
        for (const bool named : {true, false})
            QTest::addRow("spread %.1f, %s", spread, named ? "groups of the model known" : "unknown")
                << spread << named;
}

void SampleGroupsTest::newPatientsAreNotAccused() {
    QFETCH(double, spread);
    QFETCH(bool, named);
    std::size_t marked = 0;
    for (unsigned seed = 10; seed < 16; ++seed) {
        const auto real = slices({test::gaussian(60, 12, seed), spread, seed + 100});
        const auto model = slices({test::gaussian(60, 12, seed + 200), spread, seed + 300, "n"}, named);
        const auto result = audit(real, model);
        marked += isMarked(*result->models[0]) ? 1 : 0;
        QVERIFY(result->models[0]->metric("verdict_rejected") < 0.05);
        QVERIFY(!has(*result->models[0], "real_ordered"));
        QCOMPARE(result->models[0]->summary.find("give the model's groups") != std::string::npos,
                 !named && result->models[0]->summary.starts_with("No fault"));
    }
    QCOMPARE(marked, std::size_t{0});
}

void SampleGroupsTest::newSlicesOfTrainingPatientsAreFound_data() {
    QTest::addColumn<bool>("named");
    QTest::newRow("groups of the model known") << true;
    QTest::newRow("unknown") << false;
}

void SampleGroupsTest::newSlicesOfTrainingPatientsAreFound() {
    QFETCH(bool, named);
    for (unsigned seed = 20; seed < 24; ++seed) {
        const Matrix patients = test::gaussian(60, 12, seed);
        const auto real = slices({patients, 0.2, seed + 100});
        const auto model = slices({partlyOf(patients, 20, seed + 200), 0.2, seed + 300, "n"}, named);
        const auto result = audit(real, model);
        const ModelAudit& found = *result->models[0];
        QVERIFY2(isMarked(found), found.summary.c_str());
        const auto finding =
            std::ranges::find(found.findings, "group_copies", [](const Finding& one) { return one.kind->id; });
        QVERIFY(finding != found.findings.end());
        QVERIFY(std::abs(finding->value - 1.0 / 3.0) < 0.06);
        // Nearly all of them, and nearly none of the others.
        const auto leaked = std::ranges::count_if(finding->rows, [](std::uint32_t row) { return row < 20 * kSlices; });
        QVERIFY(leaked >= 150);
        QVERIFY(finding->rows.size() - static_cast<std::size_t>(leaked) <= 20);
    }
}

void SampleGroupsTest::heldOutByPatientIsAlike() {
    std::size_t unlike = 0;
    for (unsigned seed = 30; seed < 36; ++seed) {
        const auto real = slices({test::gaussian(60, 12, seed), 0.3, seed + 100});
        const auto model = slices({test::gaussian(60, 12, seed + 200), 0.3, seed + 300, "n"});
        const auto heldOut = slices({test::gaussian(40, 12, seed + 400), 0.3, seed + 500, "h"});
        const auto result = audit(real, model, heldOut);
        unlike += has(*result->models[0], "held_out_unlike") ? 1 : 0;
        QVERIFY(!has(*result->models[0], "leaks"));
        QVERIFY(!has(*result->models[0], "swapped"));
    }
    QVERIFY(unlike <= 1);
}

void SampleGroupsTest::namesTheGroupThatIsUsedMost() {
    const Matrix patients = test::gaussian(60, 12, 40);
    const auto real = slices({patients, 0.2, 41});
    Matrix centres = test::gaussian(60, 12, 42);
    for (std::size_t patient = 0; patient < 30; ++patient) // half of the model is near patient 17
        std::copy_n(patients.values.begin() + 17 * 12, 12,
                    centres.values.begin() + static_cast<std::ptrdiff_t>(patient) * 12);
    const auto result = audit(real, slices({centres, 0.2, 43, "n"}));
    const ModelAudit& model = *result->models[0];
    const auto finding =
        std::ranges::find(model.findings, "group_overused", [](const Finding& one) { return one.kind->id; });
    QVERIFY(finding != model.findings.end());
    QVERIFY2(finding->sentence.find("p17") != std::string::npos, finding->sentence.c_str());
    const std::vector<GroupUse> use = groupUse(*real, model.tables->synthetic.nearest);
    QCOMPARE(use.size(), std::size_t{60});
    QCOMPARE(use.front().name, std::string("p17"));
    QCOMPARE(use.front().realRows, kSlices);
    QVERIFY(use.front().nearest >= 30 * kSlices);
    QVERIFY(std::ranges::is_sorted(use, std::greater(), &GroupUse::nearest));
    QVERIFY(model.metric("own_group_neighbors") > 0.9); // seven sisters are near, and nobody else
}

void SampleGroupsTest::fewGroupsAreNotJudged_data() {
    QTest::addColumn<std::size_t>("real");
    QTest::addColumn<std::size_t>("model");
    QTest::addColumn<QString>("summary");
    QTest::newRow("one") << std::size_t{1} << std::size_t{30}
                         << "There is only 1 real group: too few to judge the model by.";
    QTest::newRow("three") << std::size_t{3} << std::size_t{3}
                           << "There are only 3 real groups: too few to judge the model by.";
    QTest::newRow("of the model") << std::size_t{30} << std::size_t{2}
                                  << "There are only 2 synthetic groups: too few to judge the model by.";
}

void SampleGroupsTest::fewGroupsAreNotJudged() {
    QFETCH(std::size_t, real);
    QFETCH(std::size_t, model);
    QFETCH(QString, summary);
    const auto result =
        audit(slices({test::gaussian(real, 12, 50), 0.3, 51}), slices({test::gaussian(model, 12, 52), 0.3, 53, "n"}));
    QCOMPARE(QString::fromStdString(result->models[0]->summary), summary);
    QVERIFY(!isMarked(*result->models[0]));
}

void SampleGroupsTest::groupsOfOneSampleChangeNothing() {
    const auto set = [](unsigned seed, bool named) {
        EmbeddingParts parts = EmbeddingParts::of(test::gaussian(300, 8, seed).values, 8, "set");
        std::vector<std::string> names;
        for (int row = 0; row < 300; ++row)
            names.push_back(std::to_string(seed) + "." + std::to_string(row));
        if (named)
            parts.groups = labelsFromText(names);
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    const auto plain = audit(set(1, false), set(2, false));
    const auto named = audit(set(1, true), set(2, true));
    QCOMPARE(named->models[0]->metric("own_group_neighbors"), 0.0);
    for (const MetricValue& metric : plain->models[0]->metrics)
        QVERIFY2(metric.value == named->models[0]->metric(metric.id) || std::isnan(metric.value),
                 std::string(metric.id).c_str());
    for (const ColumnValues& column : plain->models[0]->columns)
        QVERIFY2(std::ranges::equal(plain->models[0]->column(column.id), named->models[0]->column(column.id),
                                    [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }),
                 std::string(column.id).c_str());
}

ASSAY_TEST(sample_groups_test, SampleGroupsTest)
#include "sample_groups_test.moc"
