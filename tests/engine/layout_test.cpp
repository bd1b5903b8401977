// Neighbours of both sets together, the graph made of them, and where the layout puts their samples.
#include "engine/audit/run/audit.h"
#include "engine/data/embedding_set.h"
#include "engine/layout/neighbor_layout.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>

using namespace assay;
using test::Matrix;

namespace {

using Positions = std::vector<std::array<float, 3>>;

std::shared_ptr<const AuditResult> audited(const Matrix& real, const Matrix& synthetic, std::size_t k = 5) {
    AuditOptions options;
    options.k = k;
    options.tablesOnly = true;
    return runAudit({test::asSet(real, "real"), {{"model", test::asSet(synthetic, "model")}}, options, {}}, {});
}

NeighborTable jointOf(const AuditResult& audit, std::size_t wanted) {
    return jointNeighbors(*audit.real, *audit.models.front()->tables, wanted);
}

/// By definition: every row's distances to all others, in double precision.
NeighborTable naiveNeighbors(const Matrix& rows, std::size_t k) {
    NeighborTable table;
    table.k = k;
    for (std::size_t i = 0; i < rows.rows; ++i) {
        std::vector<std::pair<double, std::uint32_t>> all;
        for (std::size_t j = 0; j < rows.rows; ++j) {
            double sum = 0.0;
            for (std::size_t c = 0; c < rows.dim; ++c) {
                const double d = static_cast<double>(rows.values[i * rows.dim + c]) -
                                 static_cast<double>(rows.values[j * rows.dim + c]);
                sum += d * d;
            }
            if (i != j)
                all.emplace_back(std::sqrt(sum), static_cast<std::uint32_t>(j));
        }
        std::sort(all.begin(), all.end());
        for (std::size_t rank = 0; rank < k; ++rank) {
            table.index.push_back(all[rank].second);
            table.distance.push_back(all[rank].first);
        }
    }
    return table;
}

NeighborTable tableOf(std::size_t k, std::vector<std::uint32_t> index, std::vector<double> distance) {
    return {k, std::move(index), std::move(distance)};
}

/// Groups of rows about centres that are far apart.
Matrix groups(std::size_t count, std::size_t rowsEach, std::size_t dim, unsigned seed) {
    Matrix rows = test::gaussian(count * rowsEach, dim, seed);
    const Matrix centres = test::gaussian(count, dim, seed + 1, 0.0F, 10.0F);
    for (std::size_t r = 0; r < rows.rows; ++r)
        for (std::size_t c = 0; c < dim; ++c)
            rows.values[r * dim + c] += centres.values[r / rowsEach * dim + c];
    return rows;
}

Matrix asMatrix(const Positions& positions) {
    Matrix rows{{}, positions.size(), 3};
    for (const auto& point : positions)
        rows.values.insert(rows.values.end(), point.begin(), point.end());
    return rows;
}

/// The first three coordinates.
Positions startOf(const Matrix& rows) {
    Positions start(rows.rows);
    for (std::size_t r = 0; r < rows.rows; ++r)
        for (std::size_t c = 0; c < std::min<std::size_t>(3, rows.dim); ++c)
            start[r][c] = rows.values[r * rows.dim + c];
    return start;
}

/// By definition.
double naiveKept(const NeighborTable& neighbors, const Positions& positions) {
    const NeighborTable placed = naiveNeighbors(asMatrix(positions), neighbors.k);
    std::size_t kept = 0;
    for (std::size_t row = 0; row < neighbors.rows(); ++row) {
        const auto listed = [&row](const NeighborTable& table) {
            const auto* first = table.index.data() + row * table.k;
            return std::set<std::uint32_t>(first, first + table.k);
        };
        const std::set<std::uint32_t> now = listed(placed);
        for (const std::uint32_t neighbor : listed(neighbors))
            kept += now.count(neighbor);
    }
    return static_cast<double>(kept) / static_cast<double>(neighbors.index.size());
}

bool allFinite(const Positions& positions) {
    return std::all_of(positions.begin(), positions.end(), [](const auto& point) {
        return std::all_of(point.begin(), point.end(), [](float x) { return std::isfinite(x); });
    });
}

} // namespace

class LayoutTest : public QObject {
    Q_OBJECT

private slots:
    void joinsTheNeighborsOfBothSets_data();
    void joinsTheNeighborsOfBothSets();
    void listsNoMoreThanTheTablesKnow();
    void weightsAddUpToTheLogarithm();
    void weighsBothEndsOfAnEdge();
    void duplicatesAreNeighborsOfFullWeight();
    void keepsGroupsTogetherAndApart();
    void keepsNeighborsOfABentSurface();
    void copiesLieAtTheirOriginals();
    void isTheSameForAnyNumberOfThreads();
    void followsTheSeed();
    void placesTheSmallestSets_data();
    void placesTheSmallestSets();
    void refusesTooFewPositions();
    void stopsWhenAsked();
    void staysOnThePlane();
};

void LayoutTest::joinsTheNeighborsOfBothSets_data() {
    QTest::addColumn<std::size_t>("real");
    QTest::addColumn<std::size_t>("synthetic");
    QTest::addColumn<std::size_t>("dim");
    QTest::addColumn<unsigned>("levels"); // 0: continuous
    QTest::newRow("continuous") << std::size_t{120} << std::size_t{90} << std::size_t{6} << 0U;
    QTest::newRow("ties and duplicates") << std::size_t{100} << std::size_t{130} << std::size_t{3} << 3U;
    QTest::newRow("one real row beyond k") << std::size_t{6} << std::size_t{80} << std::size_t{4} << 0U;
    QTest::newRow("few of both") << std::size_t{6} << std::size_t{7} << std::size_t{2} << 0U;
}

void LayoutTest::joinsTheNeighborsOfBothSets() {
    QFETCH(std::size_t, real);
    QFETCH(std::size_t, synthetic);
    QFETCH(std::size_t, dim);
    QFETCH(unsigned, levels);
    const auto make = [&](std::size_t rows, unsigned seed) {
        return levels > 0 ? test::grid(rows, dim, seed, levels) : test::gaussian(rows, dim, seed);
    };
    const Matrix r = make(real, 1);
    const Matrix s = make(synthetic, 2);
    for (const std::size_t wanted : {std::size_t{1}, std::size_t{10}, std::size_t{15}}) {
        const NeighborTable found = jointOf(*audited(r, s), wanted);
        QCOMPARE(found.k, std::min(wanted, real + synthetic - 1));
        const NeighborTable expected = naiveNeighbors(test::joined(r, s), found.k);
        QCOMPARE(found.index, expected.index);
        for (std::size_t e = 0; e < expected.distance.size(); ++e) // summed in another order
            QVERIFY(std::abs(found.distance[e] - expected.distance[e]) <= 1e-14 * expected.distance[e]);
    }
}

void LayoutTest::listsNoMoreThanTheTablesKnow() {
    // Rows 0 and 1 are real, 2 and 3 synthetic. Of the others of its own set a row has one, which is all; of the other
    // set's two it knows one, so that what comes after that may be missing.
    RealAnalysis real;
    real.neighbors = tableOf(1, {1, 0}, {1.0, 1.0});
    PairTables pair;
    pair.real.nearest = tableOf(1, {0, 1}, {2.0, 0.5});
    pair.synthetic.nearest = tableOf(1, {0, 1}, {2.0, 0.5});
    pair.syntheticToSynthetic = tableOf(1, {1, 0}, {3.0, 3.0});
    const NeighborTable joint = jointNeighbors(real, pair, 3);
    QCOMPARE(joint.k, std::size_t{1});
    QVERIFY(joint == tableOf(1, {1, 3, 0, 1}, {1.0, 0.5, 2.0, 0.5}));
}

void LayoutTest::weightsAddUpToTheLogarithm() {
    // Row 0's neighbours list one another, not row 0: its weights are its own alone.
    const std::size_t k = 8;
    NeighborTable table;
    table.k = k;
    for (std::size_t row = 0; row < 10; ++row)
        for (std::size_t rank = 0; rank < k; ++rank) {
            table.index.push_back(static_cast<std::uint32_t>(row == 0 ? rank + 1 : (row - 1 + rank + 1) % 9 + 1));
            table.distance.push_back(1.0 + 0.3 * static_cast<double>(rank) + 0.01 * static_cast<double>(row));
        }
    const NeighborGraph graph = neighborGraph(table);
    QCOMPARE(graph.begin[1], k);
    double sum = 0.0;
    for (std::size_t e = 0; e < k; ++e) {
        QCOMPARE(graph.neighbor[e], static_cast<std::uint32_t>(e + 1));
        sum += static_cast<double>(graph.weight[e]);
        if (e > 0)
            QVERIFY(graph.weight[e] < graph.weight[e - 1]);
    }
    QCOMPARE(graph.weight[0], 1.0F);
    QVERIFY(std::abs(sum - 3.0) < 1e-5); // log2 8
}

void LayoutTest::weighsBothEndsOfAnEdge() {
    const Matrix rows = test::gaussian(60, 4, 3);
    const NeighborTable table = naiveNeighbors(rows, 6);
    const NeighborGraph graph = neighborGraph(table);
    QCOMPARE(graph.rows(), rows.rows);
    for (std::size_t row = 0; row < graph.rows(); ++row)
        for (std::size_t e = graph.begin[row]; e < graph.begin[row + 1]; ++e) {
            QVERIFY(graph.weight[e] > 0.0F && graph.weight[e] <= 1.0F);
            QVERIFY(e == graph.begin[row] || graph.neighbor[e - 1] < graph.neighbor[e]);
            const std::size_t other = graph.neighbor[e];
            const auto first = graph.neighbor.begin() + static_cast<std::ptrdiff_t>(graph.begin[other]);
            const auto last = graph.neighbor.begin() + static_cast<std::ptrdiff_t>(graph.begin[other + 1]);
            const auto back = std::lower_bound(first, last, static_cast<std::uint32_t>(row));
            QVERIFY(back != last && *back == row);
            QCOMPARE(graph.weight[static_cast<std::size_t>(back - graph.neighbor.begin())], graph.weight[e]);
        }
}

void LayoutTest::duplicatesAreNeighborsOfFullWeight() {
    const Matrix rows = test::repeated(test::gaussian(4, 3, 5), 20);
    const NeighborGraph graph = neighborGraph(naiveNeighbors(rows, 4));
    for (std::size_t row = 0; row < graph.rows(); ++row) {
        QCOMPARE(graph.begin[row + 1] - graph.begin[row], std::size_t{4});
        for (std::size_t e = graph.begin[row]; e < graph.begin[row + 1]; ++e) {
            QCOMPARE(graph.neighbor[e] % 4, static_cast<std::uint32_t>(row % 4));
            QCOMPARE(graph.weight[e], 1.0F);
        }
    }
}

void LayoutTest::keepsGroupsTogetherAndApart() {
    constexpr std::size_t kEach = 60;
    const Matrix rows = groups(8, kEach, 30, 7);
    // Where they begin tells nothing.
    const Positions start = startOf(test::gaussian(rows.rows, 3, 11));
    const Positions placed = neighborLayout(neighborGraph(naiveNeighbors(rows, 10)), start);
    const NeighborTable near = naiveNeighbors(asMatrix(placed), 10);
    std::size_t strangers = 0;
    for (std::size_t row = 0; row < rows.rows; ++row)
        for (std::size_t rank = 0; rank < near.k; ++rank)
            strangers += near.indexAt(row, rank) / kEach != row / kEach ? 1 : 0;
    QVERIFY2(strangers < near.index.size() / 200, qPrintable(QString::number(strangers)));
}

void LayoutTest::keepsNeighborsOfABentSurface() {
    Matrix flat = test::gaussian(800, 2, 13);
    const Matrix turn = test::gaussian(2, 40, 17, 0.0F, 2.0F);
    Matrix rows{std::vector<float>(flat.rows * turn.dim), flat.rows, turn.dim};
    for (std::size_t r = 0; r < rows.rows; ++r)
        for (std::size_t c = 0; c < rows.dim; ++c)
            rows.values[r * rows.dim + c] =
                std::sin(flat.values[r * 2] * turn.values[c] + flat.values[r * 2 + 1] * turn.values[turn.dim + c]);
    const NeighborTable neighbors = naiveNeighbors(rows, 15);
    const Positions start = startOf(rows);
    const Positions placed = neighborLayout(neighborGraph(neighbors), start);
    const double before = keptNeighbors(neighbors, start);
    const double after = keptNeighbors(neighbors, placed);
    QCOMPARE(before, naiveKept(neighbors, start));
    QCOMPARE(after, naiveKept(neighbors, placed));
    // Measured: 0.42 and 0.75.
    QVERIFY2(before < 0.5 && after > 0.65, qPrintable(QStringLiteral("%1 %2").arg(before).arg(after)));
}

void LayoutTest::copiesLieAtTheirOriginals() {
    const Matrix real = test::gaussian(300, 8, 19);
    const Matrix copies = test::repeated(real, 300);
    const NeighborTable joint = jointOf(*audited(real, copies), 15);
    const Positions placed = neighborLayout(neighborGraph(joint), startOf(test::joined(real, copies)));
    const NeighborTable near = naiveNeighbors(asMatrix(placed), 3);
    std::size_t beside = 0;
    for (std::size_t row = 0; row < 300; ++row)
        for (std::size_t rank = 0; rank < near.k; ++rank)
            beside += near.indexAt(row, rank) == row + 300 ? 1 : 0;
    QVERIFY2(beside > 270, qPrintable(QString::number(beside)));
}

void LayoutTest::isTheSameForAnyNumberOfThreads() {
    const Matrix rows = test::gaussian(1'000, 5, 23);
    const NeighborTable neighbors = naiveNeighbors(rows, 10);
    const NeighborGraph graph = neighborGraph(neighbors, 1);
    const Positions one = neighborLayout(graph, startOf(rows), {50, 4, 1});
    for (const unsigned threads : {2U, 3U, 5U}) {
        const NeighborGraph same = neighborGraph(neighbors, threads);
        QVERIFY(same.begin == graph.begin && same.neighbor == graph.neighbor && same.weight == graph.weight);
        QVERIFY(neighborLayout(graph, startOf(rows), {50, 4, threads}) == one);
    }
}

void LayoutTest::followsTheSeed() {
    const Matrix rows = test::gaussian(200, 5, 29);
    const NeighborGraph graph = neighborGraph(naiveNeighbors(rows, 10));
    const Positions first = neighborLayout(graph, startOf(rows), {20, 1, 0});
    QVERIFY(neighborLayout(graph, startOf(rows), {20, 1, 0}) == first);
    QVERIFY(neighborLayout(graph, startOf(rows), {20, 2, 0}) != first);
}

void LayoutTest::placesTheSmallestSets_data() {
    QTest::addColumn<Matrix>("rows");
    QTest::newRow("two rows") << test::gaussian(2, 3, 31);
    QTest::newRow("all the same") << test::repeated(test::gaussian(1, 3, 37), 40);
    QTest::newRow("overflowing") << test::gaussian(40, 3, 41, 0.0F, 1e38F);
    QTest::newRow("tiny") << test::gaussian(40, 3, 43, 0.0F, 1e-38F);
}

void LayoutTest::placesTheSmallestSets() {
    QFETCH(Matrix, rows);
    const std::size_t k = std::min<std::size_t>(10, rows.rows - 1);
    const Positions placed = neighborLayout(neighborGraph(naiveNeighbors(rows, k)), startOf(rows));
    QCOMPARE(placed.size(), rows.rows);
    QVERIFY(allFinite(placed));
    for (const auto& point : placed)
        for (const float x : point)
            QVERIFY(std::abs(x) < 1e4F);
}

void LayoutTest::refusesTooFewPositions() {
    const NeighborGraph graph = neighborGraph(naiveNeighbors(test::gaussian(20, 3, 47), 5));
    const QString message = test::refusalOf([&] { neighborLayout(graph, Positions(19)); }, ErrorKind::InvalidArgument);
    QVERIFY(test::saysAll(message, "layout|20|19"));
    const NeighborTable table = naiveNeighbors(test::gaussian(20, 3, 47), 5);
    QVERIFY(test::saysAll(test::refusalOf([&] { keptNeighbors(table, Positions(21)); }, ErrorKind::InvalidArgument),
                          "20|21"));
    QVERIFY(std::isnan(keptNeighbors({}, {})));
}

void LayoutTest::stopsWhenAsked() {
    const Matrix rows = test::gaussian(1'000, 3, 53);
    NeighborTable table; // who is near does not matter here
    table.k = 15;
    std::mt19937 random(59);
    for (std::size_t e = 0; e < rows.rows * table.k; ++e) {
        table.index.push_back(
            (static_cast<std::uint32_t>(e / table.k) + 1 + static_cast<std::uint32_t>(random() % 800)) % 1'000);
        table.distance.push_back(1.0 + static_cast<double>(e % table.k));
    }
    const NeighborGraph graph = neighborGraph(table);
    const LayoutOptions options{40, 1, 2};
    const std::string failure = test::stopFailure(
        [&](const JobContext& job) { neighborLayout(graph, startOf(rows), options, job); }, 3 * options.rounds);
    QVERIFY2(failure.empty(), failure.c_str());
}

void LayoutTest::staysOnThePlane() {
    const Matrix rows = test::gaussian(120, 6, 3);
    const NeighborGraph graph = neighborGraph(naiveNeighbors(rows, 8));
    Positions start(rows.rows);
    for (std::size_t row = 0; row < rows.rows; ++row)
        start[row] = {rows.values[row * rows.dim], rows.values[row * rows.dim + 1], rows.values[row * rows.dim + 2]};
    LayoutOptions options;
    options.dimensions = 2;
    const Positions flat = neighborLayout(graph, start, options);
    for (const auto& point : flat) {
        QVERIFY(std::isfinite(point[0] + point[1]));
        QCOMPARE(point[2], 0.0F);
    }
    for (auto& point : start)
        point[2] = 0.0F;
    QVERIFY(keptNeighbors(naiveNeighbors(rows, 8), flat) > keptNeighbors(naiveNeighbors(rows, 8), start));
}

ASSAY_TEST(layout_test, LayoutTest)
#include "layout_test.moc"
