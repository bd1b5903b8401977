// Sets that are full of copies of a few rows: the same answers, without measuring each copy against each.
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/support/direct_search.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

using namespace assay;
using namespace assay::test;

namespace {

/// Rows of both in a random order.
Matrix shuffled(const Matrix& first, const Matrix& second) {
    const Matrix both = joined(first, second);
    std::vector<std::size_t> order(both.rows);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    Matrix result{{}, both.rows, both.dim};
    for (const std::size_t row : order)
        result.values.insert(result.values.end(), both.view().rowData(row), both.view().rowData(row) + both.dim);
    return result;
}

/// Counts what it is asked to search.
class Watched : public NeighborSearch {
public:
    explicit Watched(std::unique_ptr<NeighborSearch> search, std::size_t& rows)
        : search_(std::move(search)), rows_(rows) {}
    std::string_view name() const override { return search_->name(); }
    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override {
        rows_ = set.rows;
        return search_->within(set, k, job);
    }
    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override {
        rows_ = b.rows.rows;
        return search_->between(a, b, job);
    }

private:
    std::unique_ptr<NeighborSearch> search_;
    std::size_t& rows_;
};

} // namespace

class ThinnedSearchTest : public QObject {
    Q_OBJECT

private slots:
    void answersAreThoseOfTheWholeSet_data();
    void answersAreThoseOfTheWholeSet();
    void ballsThatDifferKeepTheirRows();
};

void ThinnedSearchTest::answersAreThoseOfTheWholeSet_data() {
    QTest::addColumn<Matrix>("set");
    QTest::addColumn<bool>("thinned");
    const Matrix one = gaussian(1, 6, 3);
    Matrix zeros{std::vector<float>(6, 0.0F), 1, 6};
    Matrix negative{std::vector<float>(6, -0.0F), 1, 6};
    QTest::newRow("all equal") << repeated(one, 1500) << true;
    QTest::newRow("most equal, others among them") << shuffled(repeated(one, 1300), gaussian(300, 6, 4)) << true;
    QTest::newRow("two rows") << shuffled(repeated(one, 900), repeated(gaussian(1, 6, 5), 900)) << true;
    QTest::newRow("zeros of both signs") << shuffled(repeated(zeros, 700), repeated(negative, 700)) << true;
    QTest::newRow("some equal") << shuffled(repeated(one, 400), gaussian(800, 6, 4)) << false;
    QTest::newRow("none equal") << gaussian(1200, 6, 4) << false;
    QTest::newRow("ties") << grid(1500, 6, 4, 2) << false;
}

void ThinnedSearchTest::answersAreThoseOfTheWholeSet() {
    QFETCH(Matrix, set);
    QFETCH(bool, thinned);
    const Matrix other = shuffled(gaussian(200, 6, 1), Matrix{{set.values.begin(), set.values.begin() + 60}, 10, 6});
    for (const std::size_t k : {1U, 5U, 40U}) {
        const NeighborTable own = directNeighbors(set.view(), set.view(), k, true);
        const std::vector<double> radius = own.distancesAt(k);
        const std::vector<double> around = directNeighbors(other.view(), other.view(), k, true).distancesAt(k);
        std::vector<double> inner = around;
        for (double& one : inner)
            one *= 0.7;
        const test::Sides query{{other.view(), k, around, inner}, {set.view(), k, radius}};
        const PassResult cross = directBetween(query.a, query.b);
        const test::Sides balls{{other.view(), 0, around}, {set.view()}};
        const PassResult counts = directBetween(balls.a, balls.b);
        for (const Backend& backend : cpuBackends()) {
            std::size_t searched = 0;
            const auto search = makeThinnedSearch(std::make_unique<Watched>(backend.make(2), searched), 2);
            QCOMPARE(search->within(set.view(), k, {}), own);
            QCOMPARE(searched < set.rows, thinned);
            QCOMPARE(search->between(query.a, query.b, {}), cross);
            QCOMPARE(searched < set.rows, thinned);
            QCOMPARE(search->between(balls.a, balls.b, {}), counts);
        }
    }
}

void ThinnedSearchTest::ballsThatDifferKeepTheirRows() {
    const Matrix set = repeated(gaussian(1, 6, 3), 1500);
    const Matrix other = gaussian(100, 6, 1);
    std::vector<double> radius(set.rows, 1.0);
    radius[700] = 4.0;
    const test::Sides query{{other.view(), 3}, {set.view(), 3, radius}};
    const auto search = makeThinnedSearch(std::make_unique<GemmSearch>(2), 2);
    QCOMPARE(search->between(query.a, query.b, {}), directBetween(query.a, query.b));
}

ASSAY_TEST(thinned_search_test, ThinnedSearchTest)
#include "thinned_search_test.moc"
