// Missed real samples, grouped by where they lie.
#include "engine/audit/run/audit.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/report/samples/export_samples.h"
#include "engine/subsets/holes/coverage_holes.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/shared_data.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace assay;

namespace {

constexpr std::size_t kDim = 4;
constexpr float kApart = 12.0F; // deviations between the centres of groups

/// Groups of normal samples around corners, one after the other.
test::Matrix groups(const std::vector<std::size_t>& sizes, unsigned seed) {
    test::Matrix all{{}, 0, kDim};
    for (std::size_t group = 0; group < sizes.size(); ++group) {
        test::Matrix part = test::gaussian(sizes[group], kDim, seed + static_cast<unsigned>(group));
        for (std::size_t row = 0; row < part.rows; ++row)
            part.values[row * kDim + group % kDim] += kApart * static_cast<float>(1 + group / kDim);
        all.values.insert(all.values.end(), part.values.begin(), part.values.end());
        all.rows += part.rows;
    }
    return all;
}

std::shared_ptr<const AuditResult> audit(const test::Matrix& real, const test::Matrix& model) {
    AuditRequest request;
    request.real = test::asSet(real, "real");
    request.models = {{"model", test::asSet(model, "model")}};
    return runAudit(request);
}

} // namespace

class CoverageHolesTest : public QObject {
    Q_OBJECT

private slots:
    void lostGroupsAreHolesLargestFirst();
    void everyMissedSampleIsInOnePlace();
    void theOrderOfRowsChangesNothing();
    void equalSamplesAreOneHole();
    void nothingMissedHasNoHoles();
    void lostDigitsAreTheHoles();
    void areWrittenAsCsv();
};

void CoverageHolesTest::lostGroupsAreHolesLargestFirst() {
    const auto result = audit(groups({300, 60, 150, 100}, 1), groups({500}, 50));
    const CoverageHoles found = coverageHoles(*result, 0);
    QCOMPARE(found.holes.size(), std::size_t{3});
    const std::vector<std::pair<std::size_t, std::size_t>> lost{{360, 510}, {510, 610}, {300, 360}}; // rows of each
    for (std::size_t hole = 0; hole < 3; ++hole) {
        const auto [first, last] = lost[hole];
        const std::vector<std::uint32_t>& rows = found.holes[hole].rows;
        const auto inside = std::ranges::count_if(rows, [&](std::uint32_t row) { return row >= first && row < last; });
        QCOMPARE(static_cast<std::size_t>(inside), rows.size());
        QVERIFY(rows.size() > (last - first) * 9 / 10);
        QVERIFY(!found.holes[hole].examples.empty() && found.holes[hole].examples.size() <= kHoleExamples);
        for (const std::uint32_t example : found.holes[hole].examples)
            QVERIFY(std::ranges::binary_search(rows, example));
    }
}

void CoverageHolesTest::everyMissedSampleIsInOnePlace() {
    const auto result = audit(groups({300, 60, 3, 100}, 1), groups({500}, 50));
    const CoverageHoles found = coverageHoles(*result, 0);
    std::vector<std::uint32_t> all = found.apart;
    for (const CoverageHole& hole : found.holes) {
        QVERIFY(std::ranges::is_sorted(hole.rows) && hole.rows.size() >= kSmallestHole);
        all.insert(all.end(), hole.rows.begin(), hole.rows.end());
    }
    std::ranges::sort(all);
    std::vector<std::uint32_t> missed;
    const auto& verdicts = result->models[0]->column("coverage_verdict");
    for (std::uint32_t row = 0; row < verdicts.size(); ++row)
        if (verdicts[row] == static_cast<double>(CoverageVerdict::Missed))
            missed.push_back(row);
    QCOMPARE(all, missed);
    QCOMPARE(found.missed, missed.size());
}

void CoverageHolesTest::theOrderOfRowsChangesNothing() {
    const test::Matrix real = groups({200, 60, 90}, 5);
    std::vector<std::uint32_t> order(real.rows);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::reverse(order);
    std::ranges::rotate(order, order.begin() + 77);
    test::Matrix shuffled{{}, real.rows, kDim};
    for (const std::uint32_t row : order)
        shuffled.values.insert(shuffled.values.end(), real.view().row(row).begin(), real.view().row(row).end());
    const test::Matrix model = groups({400}, 60);
    const CoverageHoles straight = coverageHoles(*audit(real, model), 0);
    const CoverageHoles mixed = coverageHoles(*audit(shuffled, model), 0);
    const auto asSets = [](const CoverageHoles& holes, const auto& original) {
        std::set<std::set<std::uint32_t>> sets;
        for (const CoverageHole& hole : holes.holes) {
            std::set<std::uint32_t> rows;
            for (const std::uint32_t row : hole.rows)
                rows.insert(original(row));
            sets.insert(rows);
        }
        return sets;
    };
    QVERIFY(!straight.holes.empty());
    QVERIFY(asSets(straight, [](std::uint32_t row) { return row; }) ==
            asSets(mixed, [&](std::uint32_t row) { return order[row]; }));
}

void CoverageHolesTest::equalSamplesAreOneHole() {
    test::Matrix real = test::gaussian(300, kDim, 9);
    for (std::size_t row = 200; row < 300; ++row)
        for (std::size_t c = 0; c < kDim; ++c)
            real.values[row * kDim + c] = 40.0F;
    const CoverageHoles found = coverageHoles(*audit(real, test::gaussian(400, kDim, 10)), 0);
    QCOMPARE(found.holes.size(), std::size_t{1});
    QCOMPARE(found.holes[0].rows.size(), std::size_t{100});
}

void CoverageHolesTest::nothingMissedHasNoHoles() {
    const CoverageHoles good = coverageHoles(*audit(test::gaussian(200, kDim, 1), test::gaussian(200, kDim, 2)), 0);
    QVERIFY(good.holes.empty());
    QCOMPARE(good.apart.size(), good.missed);
    AuditRequest quick;
    quick.real = test::asSet(test::gaussian(100, kDim, 1), "real");
    quick.models = {{"model", test::asSet(test::gaussian(100, kDim, 2, 30.0F), "model")}};
    quick.options.tablesOnly = true; // without verdicts
    const CoverageHoles unknown = coverageHoles(*runAudit(quick), 0);
    QVERIFY(unknown.holes.empty() && unknown.missed == 0);
}

void CoverageHolesTest::lostDigitsAreTheHoles() {
    const auto real = test::sharedFile("data/mnist/real.npz");
    const auto model = test::sharedFile("data/mnist/fourdigits.npz");
    if (!real || !model)
        QSKIP("the reference inputs are not beside the source tree");
    const auto result = runAudit({readEmbeddings(*real), {{"fourdigits", readEmbeddings(*model)}}, {}, {}});
    const CoverageHoles found = coverageHoles(*result, 0);
    QVERIFY(found.holes.size() >= 6);
    std::set<std::string> digits;
    for (std::size_t hole = 0; hole < 6; ++hole) {
        const auto& [name, count] = found.holes[hole].classes.front();
        digits.insert(name);
        QVERIFY(static_cast<double>(count) >= 0.9 * static_cast<double>(found.holes[hole].rows.size()));
    }
    QCOMPARE(digits, (std::set<std::string>{"4", "5", "6", "7", "8", "9"}));
    for (std::size_t hole = 6; hole < found.holes.size(); ++hole)
        QVERIFY(found.holes[hole].rows.size() < 50);
}

void CoverageHolesTest::areWrittenAsCsv() {
    const auto result = audit(groups({300, 60, 150}, 1), groups({500}, 50));
    const CoverageHoles found = coverageHoles(*result, 0);
    QTemporaryDir folder;
    const std::string file = folder.filePath("missed.csv").toStdString();
    exportHoles(*result, found, file);
    QFile written(QString::fromStdString(file));
    QVERIFY(written.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = written.readAll().trimmed().split('\n');
    QCOMPARE(lines.front(), QByteArray("row,id,label,hole"));
    QCOMPARE(static_cast<std::size_t>(lines.size()), found.missed + 1);
    const auto first = std::to_string(found.holes[0].rows.front());
    QCOMPARE(lines.at(1), QByteArray::fromStdString(first + "," + first + ",,1"));
    QVERIFY(lines.at(1 + static_cast<qsizetype>(found.holes[0].rows.size())).endsWith(",2"));
}

ASSAY_TEST(coverage_holes_test, CoverageHolesTest)
#include "coverage_holes_test.moc"
