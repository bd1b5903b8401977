// Figures of sets whose rows were shuffled.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/metrics/tables/compared_rows.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace assay;

namespace {

/// A set and its labels, if it has any.
struct RowsAndLabels {
    test::Matrix matrix;
    std::vector<std::string> labels;

    std::shared_ptr<const EmbeddingSet> inOrder(const std::vector<std::size_t>& order, const std::string& name) const {
        std::vector<float> values;
        std::vector<std::string> fields;
        for (const std::size_t row : order) {
            const auto from = matrix.view().row(row);
            values.insert(values.end(), from.begin(), from.end());
            if (!labels.empty())
                fields.push_back(labels[row]);
        }
        EmbeddingParts parts = EmbeddingParts::of(std::move(values), matrix.dim, name);
        if (!labels.empty())
            parts.labels = labelsFromFields(fields);
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    }
};

/// Three sets of one kind: real, held-out, synthetic.
using ThreeSets = std::vector<RowsAndLabels>;

std::shared_ptr<const AuditResult> auditOfShuffled(const ThreeSets& sets, unsigned shuffle) {
    std::mt19937 random(shuffle);
    std::vector<std::shared_ptr<const EmbeddingSet>> ordered;
    for (const RowsAndLabels& set : sets) {
        std::vector<std::size_t> order(set.matrix.rows);
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (shuffle > 0)
            std::shuffle(order.begin(), order.end(), random);
        ordered.push_back(set.inOrder(order, "set " + std::to_string(ordered.size())));
    }
    AuditOptions options;
    options.threads = 2;
    return runAudit({ordered[0], {{"model", ordered[2]}}, options, {}, ordered[1]});
}

std::vector<std::string> signsOf(const test::Matrix& matrix) {
    std::vector<std::string> labels;
    for (std::size_t r = 0; r < matrix.rows; ++r) {
        const auto row = matrix.view().row(r);
        labels.emplace_back(row[0] + 0.5F * row[1] > 0.3F * row[2] ? "above" : "below");
    }
    return labels;
}

std::vector<std::string> sumsOf(const test::Matrix& matrix) {
    std::vector<std::string> labels;
    for (std::size_t r = 0; r < matrix.rows; ++r) {
        const auto row = matrix.view().row(r);
        labels.push_back(std::to_string(row[0] - 2.0F * row[1] + 0.3F * row[2] * row[2]));
    }
    return labels;
}

} // namespace

Q_DECLARE_METATYPE(ThreeSets)

class ShuffledRowsTest : public QObject {
    Q_OBJECT

private slots:
    void figuresStay_data();
    void figuresStay();
    void equalRowsAreSpread();
    void someColumnsAloneDecide();
};

void ShuffledRowsTest::figuresStay_data() {
    QTest::addColumn<ThreeSets>("sets");
    const auto three = [](auto make, auto labelsOf) {
        ThreeSets sets;
        for (unsigned set = 0; set < 3; ++set) {
            const test::Matrix matrix = make(set);
            sets.push_back({matrix, labelsOf(matrix)});
        }
        return sets;
    };
    const auto plain = [](unsigned set) { return test::gaussian(300 - 40 * set, 7, 1 + set); };
    const auto none = [](const test::Matrix&) { return std::vector<std::string>(); };
    QTest::newRow("plain") << three(plain, none);
    QTest::newRow("classes") << three(plain, signsOf);
    QTest::newRow("numbers") << three(plain, sumsOf);
    // Few different rows.
    QTest::newRow("duplicates") << three([](unsigned set) { return test::grid(260, 3, 4 + set, 4); }, signsOf);
    QTest::newRow("projected") << three([](unsigned set) { return test::gaussian(240, 60, 7 + set); }, none);
}

void ShuffledRowsTest::figuresStay() {
    QFETCH(ThreeSets, sets);
    const auto expected = auditOfShuffled(sets, 0);
    const auto found = auditOfShuffled(sets, 1);
    const std::vector<MetricValue>& metrics = expected->models[0]->metrics;
    QVERIFY(metrics.size() > 20);
    for (const MetricValue& metric : metrics) {
        const double value = found->models[0]->metric(metric.id);
        const bool same = std::isnan(metric.value)
                              ? std::isnan(value)
                              : std::abs(value - metric.value) <= 1e-6 * std::max(1.0, std::abs(metric.value));
        const QString id = QString::fromStdString(std::string(metric.id));
        QVERIFY2(same,
                 qPrintable(QString("%1: %2 and %3").arg(id).arg(metric.value, 0, 'g', 17).arg(value, 0, 'g', 17)));
    }
}

void ShuffledRowsTest::equalRowsAreSpread() {
    // Four different rows, each many times: of every one about half is in the first half of the order.
    constexpr std::size_t kRows = 1000;
    test::Matrix set{{}, kRows, 1};
    for (std::size_t row = 0; row < kRows; ++row)
        set.values.push_back(static_cast<float>(row % 4));
    const std::vector<std::uint32_t> order = contentOrder(set.view(), {}, 1, 2);
    std::vector<std::size_t> first(4, 0);
    for (std::size_t at = 0; at < kRows / 2; ++at)
        ++first[order[at] % 4];
    for (const std::size_t count : first) // of 250: 125, four deviations of a draw to either side
        QVERIFY2(count > 93 && count < 157, qPrintable(QString::number(count)));
    std::vector<std::uint32_t> all = order;
    std::ranges::sort(all);
    for (std::uint32_t row = 0; row < kRows; ++row)
        QCOMPARE(all[row], row);
}

void ShuffledRowsTest::someColumnsAloneDecide() {
    const test::Matrix set = test::gaussian(150, 3, 5);
    test::Matrix wider{{}, set.rows, 4};
    for (std::size_t r = 0; r < set.rows; ++r) {
        const auto row = set.view().row(r);
        wider.values.insert(wider.values.end(), {row[0], static_cast<float>(r), row[1], row[2]});
    }
    const std::vector<std::uint32_t> columns{0, 2, 3};
    QVERIFY(contentOrderBy(wider.view(), columns, 7, 1) == contentOrder(set.view(), {}, 7, 1));
    QVERIFY(contentOrderBy(wider.view(), columns, 7, 1) != contentOrderBy(wider.view(), columns, 8, 1));
}

ASSAY_TEST(shuffled_rows_test, ShuffledRowsTest)
#include "shuffled_rows_test.moc"
