// Some rows of every pass of a graphics card are searched again on the CPU: a right pass is returned, one with a wrong
// value ends in an error that names the row.
#include "engine/base/error.h"
#include "engine/gpu/search/sampled_search.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/support/direct_search.h"
#include "tests/support/search_cases.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace assay;
using cuda::sampledRows;
using cuda::SampledSearch;

namespace {

constexpr std::size_t kRowsA = 400;
constexpr std::size_t kRowsB = 420;
constexpr std::size_t kDim = 6;
constexpr std::size_t kBlockValues = std::size_t{1} << 26;

using ChangeTable = std::function<void(NeighborTable&)>;
using ChangeResult = std::function<void(PassResult&)>;

/// A search whose results are changed.
class WrongSearch : public NeighborSearch {
public:
    WrongSearch(ChangeTable table, ChangeResult result) : table_(std::move(table)), result_(std::move(result)) {}

    std::string_view name() const override { return "cuda"; }
    std::string hardware() const override { return "wrong card (1 GiB)"; }
    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override {
        NeighborTable table = tree_.within(set, k, job);
        if (table_)
            table_(table);
        return table;
    }
    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override {
        PassResult result = tree_.between(a, b, job);
        if (result_)
            result_(result);
        return result;
    }

private:
    KdTreeSearch tree_{1};
    ChangeTable table_;
    ChangeResult result_;
};

SampledSearch sampled(const ChangeTable& table, const ChangeResult& result, std::size_t blockValues = kBlockValues) {
    return {std::make_unique<WrongSearch>(table, result), 1, blockValues};
}

/// A row of the first set that is searched again.
std::size_t checkedRow() {
    return sampledRows(kRowsA, kDim)[20];
}

struct TableFault {
    const char* name;
    ChangeTable change;
};

const std::vector<TableFault>& tableFaults() {
    static const std::vector<TableFault> all{
        {"nearest neighbour missing",
         [](NeighborTable& table) {
             const auto first = static_cast<std::ptrdiff_t>(checkedRow() * table.k);
             const auto last = first + static_cast<std::ptrdiff_t>(table.k);
             std::rotate(table.index.begin() + first, table.index.begin() + first + 1, table.index.begin() + last);
             std::rotate(table.distance.begin() + first, table.distance.begin() + first + 1,
                         table.distance.begin() + last);
         }},
        {"last bit of a distance",
         [](NeighborTable& table) {
             double& distance = table.distance[checkedRow() * table.k];
             distance = std::nextafter(distance, std::numeric_limits<double>::infinity());
         }},
        {"order of a tie",
         [](NeighborTable& table) {
             const auto first = table.distance.begin() + static_cast<std::ptrdiff_t>(checkedRow() * table.k);
             const auto tied = std::adjacent_find(first, first + static_cast<std::ptrdiff_t>(table.k));
             const auto place = table.index.begin() + (tied - table.distance.begin());
             std::iter_swap(place, place + 1);
         }},
    };
    return all;
}

struct CountFault {
    SideResult PassResult::*side;
    std::vector<std::uint32_t> SideResult::*count;
    const char* says;
};

const std::vector<CountFault>& countFaults() {
    static const std::vector<CountFault> all{
        {&PassResult::a, &SideResult::inside, "rows of the other set in its ball"},
        {&PassResult::a, &SideResult::insideInner, "rows of the other set in its inner ball"},
        {&PassResult::a, &SideResult::holding, "balls of the other set that hold it"},
        {&PassResult::b, &SideResult::holding, "balls of the other set that hold it"},
        {&PassResult::b, &SideResult::innerHolding, "inner balls of the other set that hold it"},
        {&PassResult::b, &SideResult::inside, "rows of the other set in its ball"},
    };
    return all;
}

std::string errorOf(const std::function<void()>& search) {
    try {
        search();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::DeviceFailed ? error.what() : "";
    }
    return {};
}

} // namespace

class SampledSearchTest : public QObject {
    Q_OBJECT

private slots:
    void samplesRowsOfTheWholeSet();
    void returnsWhatARightCardFinds();
    void aWrongListEndsTheSearch_data();
    void aWrongListEndsTheSearch();
    void aWrongCountEndsTheSearch_data();
    void aWrongCountEndsTheSearch();
};

void SampledSearchTest::samplesRowsOfTheWholeSet() {
    const std::vector<std::uint32_t> rows = sampledRows(1000, 5);
    QVERIFY(rows.size() == cuda::kSampledRows && rows == sampledRows(1000, 5) && rows != sampledRows(1000, 6));
    for (std::size_t s = 0; s < rows.size(); ++s)
        QVERIFY(rows[s] >= s * 1000 / cuda::kSampledRows && rows[s] < (s + 1) * 1000 / cuda::kSampledRows);
    QCOMPARE(sampledRows(3, 5), (std::vector<std::uint32_t>{0, 1, 2}));
}

void SampledSearchTest::returnsWhatARightCardFinds() {
    // Of small blocks the lists of the sampled rows come from many.
    for (const std::size_t blockValues : {kBlockValues, std::size_t{240}})
        for (const test::SearchCase& one : test::searchCases()) {
            test::Matrix a = one.a();
            test::Matrix b = one.b();
            a.rows = std::min<std::size_t>(a.rows, 90);
            b.rows = std::min<std::size_t>(b.rows, 90);
            const std::size_t k = std::min(one.k, a.rows - 1);
            const KdTreeSearch tree(1);
            const NeighborTable own = tree.within(a.view(), k, {});
            const SampledSearch search = sampled({}, {}, blockValues);
            QVERIFY2(search.within(a.view(), k, {}) == own, one.name.c_str());
            const std::vector<double> radiusA = own.distancesAt(k);
            const std::vector<double> inner = test::clippedAtMedian(radiusA);
            const std::vector<double> radiusB(b.rows, radiusA.front());
            const test::Sides query{{a.view(), std::min(k, b.rows), radiusA, inner}, {b.view(), 0, radiusB}};
            QVERIFY2(search.between(query.a, query.b, {}) == tree.between(query.a, query.b, {}), one.name.c_str());
        }
}

void SampledSearchTest::aWrongListEndsTheSearch_data() {
    QTest::addColumn<int>("number");
    for (int number = 0; number < static_cast<int>(tableFaults().size()); ++number)
        QTest::newRow(tableFaults()[static_cast<std::size_t>(number)].name) << number;
}

void SampledSearchTest::aWrongListEndsTheSearch() {
    QFETCH(int, number);
    const TableFault& fault = tableFaults()[static_cast<std::size_t>(number)];
    const test::Matrix set = test::grid(kRowsA, kDim, 1, 4);
    const std::string error = errorOf([&] { sampled(fault.change, {}).within(set.view(), 12, {}); });
    const std::string begins =
        "wrong card (1 GiB) computed a wrong value: row " + std::to_string(checkedRow()) + ", neighbour ";
    QVERIFY2(error.starts_with(begins), error.c_str());
    for (const char* part : {"expected row ", "found row ", "--backend gemm"})
        QVERIFY2(error.find(part) != std::string::npos, error.c_str());
}

void SampledSearchTest::aWrongCountEndsTheSearch_data() {
    QTest::addColumn<int>("number");
    for (int number = 0; number < static_cast<int>(countFaults().size()); ++number)
        QTest::addRow("%d: %s", number, countFaults()[static_cast<std::size_t>(number)].says) << number;
}

void SampledSearchTest::aWrongCountEndsTheSearch() {
    QFETCH(int, number);
    const CountFault& fault = countFaults()[static_cast<std::size_t>(number)];
    const test::Matrix a = test::grid(kRowsA, kDim, 1, 4);
    const test::Matrix b = test::grid(kRowsB, kDim, 2, 4);
    const std::vector<double> radius(kRowsA, 2.0);
    const std::vector<double> inner(kRowsA, 1.0);
    const std::vector<double> radiusB(kRowsB, 2.0);
    const test::Sides query{{a.view(), 3, radius, inner}, {b.view(), 3, radiusB}};
    QVERIFY(errorOf([&] { sampled({}, {}).between(query.a, query.b, {}); }).empty());
    const bool ofA = fault.side == &PassResult::a;
    const std::size_t row = ofA ? checkedRow() : sampledRows(kRowsB, kDim)[20];
    const std::string error = errorOf([&] {
        sampled({}, [&](PassResult& result) {
            ++(result.*fault.side.*fault.count)[row];
        }).between(query.a, query.b, {});
    });
    const std::string says =
        std::string(ofA ? "first" : "second") + " set, row " + std::to_string(row) + ", " + fault.says + ": expected ";
    QVERIFY2(error.find(says) != std::string::npos, error.c_str());
}

ASSAY_TEST(sampled_search_test, SampledSearchTest)
#include "sampled_search_test.moc"
