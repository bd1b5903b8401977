// The classes of nearest real samples: a confusion matrix without a classifier.
#include "engine/audit/result/by_class.h"
#include "engine/audit/run/audit.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/shared_data.h"
#include "tests/support/matrices.h"
#include "tests/support/plain_distance.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace assay;

namespace {

std::shared_ptr<const EmbeddingSet> labelledSet(const test::Matrix& matrix, const std::vector<std::string>& labels,
                                                const std::string& name) {
    EmbeddingParts parts = EmbeddingParts::of(matrix.values, matrix.dim, name);
    parts.labels = labelsFromText(labels);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

std::vector<std::string> drawnLabels(std::size_t rows, int classes, unsigned seed, bool some = false) {
    std::mt19937 random(seed);
    std::vector<std::string> labels;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto drawn = static_cast<int>(random() % static_cast<unsigned>(classes));
        labels.push_back(some && drawn == 0 ? std::string() : "class " + std::to_string(drawn));
    }
    return labels;
}

/// Row of the nearest sample of a base set; of equally near ones the lowest.
std::size_t plainNearest(const test::Matrix& queries, std::size_t row, const test::Matrix& base, bool excludesSelf) {
    std::size_t best = base.rows;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t other = 0; other < base.rows; ++other) {
        const double distance =
            test::plainSquaredDistance(&queries.values[row * base.dim], &base.values[other * base.dim], base.dim);
        if ((excludesSelf && other == row) || distance >= least)
            continue;
        least = distance;
        best = other;
    }
    return best;
}

using Counts = std::map<std::pair<std::string, std::string>, std::uint32_t>;

Counts countsIn(const NearestClasses& found) {
    Counts counts;
    for (const NearestClassCount& cell : found.cells)
        counts[{found.classes[cell.own], found.classes[cell.nearest]}] = cell.count;
    return counts;
}

} // namespace

class NearestClassesTest : public QObject {
    Q_OBJECT

private slots:
    void countsAreThoseOfAPlainSearch_data();
    void countsAreThoseOfAPlainSearch();
    void cellsNameTheirRows();
    void setsWithoutLabelsGiveNothing();
    void manyClassesAreCountedAlike();
    void heaviestConfusionsComeFirst();
    void digitsFallAmongTheirOwn();
};

void NearestClassesTest::countsAreThoseOfAPlainSearch_data() {
    QTest::addColumn<unsigned>("levels"); // of a grid, full of ties; 0: normal
    QTest::addColumn<bool>("some");       // without a class
    QTest::newRow("normal") << 0U << false;
    QTest::newRow("ties") << 3U << false;
    QTest::newRow("some without a class") << 0U << true;
}

void NearestClassesTest::countsAreThoseOfAPlainSearch() {
    QFETCH(unsigned, levels);
    QFETCH(bool, some);
    const test::Matrix real = levels > 0 ? test::grid(150, 3, 1, levels) : test::gaussian(150, 3, 1);
    const test::Matrix synthetic = levels > 0 ? test::grid(120, 3, 2, levels) : test::gaussian(120, 3, 2);
    const std::vector<std::string> realLabels = drawnLabels(real.rows, 4, 3, some);
    const std::vector<std::string> labels = drawnLabels(synthetic.rows, 5, 4, some);
    AuditRequest request;
    request.real = labelledSet(real, realLabels, "real");
    request.models = {{"model", labelledSet(synthetic, labels, "model")}};
    request.options.tablesOnly = true;
    const auto audit = runAudit(request);

    const auto counted = [&](const test::Matrix& of, const std::vector<std::string>& own, bool excludesSelf) {
        Counts counts;
        for (std::size_t row = 0; row < of.rows; ++row) {
            const std::string& nearest = realLabels[plainNearest(of, row, real, excludesSelf)];
            if (!own[row].empty() && !nearest.empty())
                ++counts[{own[row], nearest}];
        }
        return counts;
    };
    const auto found = nearestClasses(*audit, 0);
    QVERIFY(found.has_value());
    QVERIFY(countsIn(*found) == counted(synthetic, labels, false));
    const auto ofReal = nearestClassesOfReal(*audit);
    QVERIFY(ofReal.has_value());
    QVERIFY(countsIn(*ofReal) == counted(real, realLabels, true));

    for (std::size_t c = 0; c < found->classes.size(); ++c) {
        QCOMPARE(static_cast<std::ptrdiff_t>(found->samples[c]), std::ranges::count(labels, found->classes[c]));
        QCOMPARE(static_cast<std::ptrdiff_t>(found->real[c]), std::ranges::count(realLabels, found->classes[c]));
        double sum = 0.0;
        for (std::size_t other = 0; other < found->classes.size(); ++other)
            sum += found->share(c, other);
        QVERIFY(some ? sum < 1.0 : std::abs(sum - 1.0) < 1e-12);
    }
    double same = 0.0;
    for (std::size_t row = 0; row < synthetic.rows; ++row)
        same += !labels[row].empty() && labels[row] == realLabels[plainNearest(synthetic, row, real, false)];
    const auto all = synthetic.rows - static_cast<std::size_t>(std::ranges::count(labels, std::string()));
    QCOMPARE(found->agreement(), same / static_cast<double>(all));
}

void NearestClassesTest::cellsNameTheirRows() {
    const test::Matrix real = test::gaussian(80, 2, 11);
    const test::Matrix synthetic = test::gaussian(90, 2, 12);
    AuditRequest request;
    request.real = labelledSet(real, drawnLabels(80, 3, 13), "real");
    request.models = {{"model", labelledSet(synthetic, drawnLabels(90, 3, 14), "model")}};
    request.options.tablesOnly = true;
    const auto audit = runAudit(request);
    const NearestClasses found = *nearestClasses(*audit, 0);
    std::set<std::uint32_t> seen;
    for (const NearestClassCount& cell : found.cells) {
        const std::vector<std::uint32_t> rows = found.rows(std::vector<NearestClassPair>{{cell.own, cell.nearest}});
        QCOMPARE(rows.size(), std::size_t{cell.count});
        QVERIFY(std::ranges::is_sorted(rows));
        for (const std::uint32_t row : rows) {
            QCOMPARE(audit->models[0]->set->labelText(row), found.classes[cell.own]);
            const std::size_t nearest = plainNearest(synthetic, row, real, false);
            QCOMPARE(audit->real->set->labelText(nearest), found.classes[cell.nearest]);
            QVERIFY(seen.insert(row).second);
        }
    }
    QCOMPARE(seen.size(), std::size_t{90});
    const std::vector<NearestClassPair> two{{0, 1}, {2, 2}};
    QCOMPARE(found.rows(two).size(), std::size_t{found.count(0, 1)} + found.count(2, 2));
    QVERIFY(found.rows({}).empty());
}

void NearestClassesTest::setsWithoutLabelsGiveNothing() {
    const test::Matrix matrix = test::gaussian(20, 2, 21);
    const auto labelled = labelledSet(matrix, drawnLabels(20, 2, 22), "labelled");
    const auto plain = std::make_shared<const EmbeddingSet>(EmbeddingParts::of(matrix.values, matrix.dim, "plain"));
    NeighborTable table = noNeighbors(20, 1);
    std::ranges::fill(table.index, 0U);
    QVERIFY(nearestClasses(*labelled, *labelled, table).has_value());
    QVERIFY(!nearestClasses(*labelled, *plain, table).has_value());
    QVERIFY(!nearestClasses(*plain, *labelled, table).has_value());
    QVERIFY(!nearestClasses(*labelled, *labelled, {}).has_value()); // the passes have not been run
}

void NearestClassesTest::manyClassesAreCountedAlike() {
    // More classes than a matrix of counters is made for: a class of its own for every sample but two.
    constexpr std::size_t kRows = 2'500;
    const test::Matrix matrix = test::gaussian(kRows, 1, 31);
    std::vector<std::string> labels;
    for (std::size_t row = 0; row < kRows; ++row)
        labels.push_back(std::to_string(row));
    labels[1] = labels[0];
    const auto set = labelledSet(matrix, labels, "set");
    NeighborTable table = noNeighbors(kRows, 1);
    for (std::size_t row = 0; row < kRows; ++row)
        table.index[row] = row < 2 ? 7U : static_cast<std::uint32_t>((row + 1) % kRows);
    const NearestClasses found = *nearestClasses(*set, *set, table);
    Counts wanted;
    for (std::size_t row = 0; row < kRows; ++row)
        ++wanted[{labels[row], labels[table.index[row]]}];
    QVERIFY(countsIn(found) == wanted);
    QCOMPARE(wanted.at({"0", "7"}), 2U);
    std::vector<NearestClassPair> pairs;
    std::size_t samples = 0;
    for (std::size_t at = 0; at < found.cells.size(); at += 3) {
        pairs.push_back({found.cells[at].own, found.cells[at].nearest});
        samples += found.cells[at].count;
    }
    const std::vector<std::uint32_t> rows = found.rows(pairs);
    QCOMPARE(rows.size(), samples);
    for (const std::uint32_t row : rows)
        QVERIFY(std::ranges::any_of(pairs, [&](const NearestClassPair& pair) {
            return found.classes[pair.own] == labels[row] && found.classes[pair.nearest] == labels[table.index[row]];
        }));
}

void NearestClassesTest::heaviestConfusionsComeFirst() {
    NearestClasses found;
    found.classes = {"a", "b", "c", "d", "e"};
    found.cells = {{0, 0, 90}, {1, 1, 5}, {1, 4, 7}, {2, 0, 3}, {4, 1, 2}, {4, 4, 50}};
    QCOMPARE(confusedFirst(found), (std::vector<std::uint32_t>{1, 4, 2, 0, 3}));
    found.cells = {{0, 0, 1}};
    QCOMPARE(confusedFirst(found), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

void NearestClassesTest::digitsFallAmongTheirOwn() {
    const auto real = test::sharedFile("data/mnist/real.npz");
    const auto gan = test::sharedFile("data/mnist/gan.npz");
    if (!real || !gan)
        QSKIP("needs the reference data beside the source tree");
    AuditRequest request;
    request.real = readEmbeddings(*real);
    request.models = {{"gan", readEmbeddings(*gan)}};
    request.options.tablesOnly = true;
    const auto audit = runAudit(request);
    const auto ofReal = nearestClassesOfReal(*audit);
    QVERIFY(ofReal && ofReal->classes.size() == 10);
    QVERIFY(ofReal->agreement() > 0.9); // the embedding tells digits apart
    const auto found = nearestClasses(*audit, 0);
    QVERIFY(found && found->agreement() < ofReal->agreement());
}

ASSAY_TEST(nearest_classes_test, NearestClassesTest)
#include "nearest_classes_test.moc"
