#include "engine/base/find_by.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

using namespace assay;

namespace {

struct Row {
    std::string id;
    int value;
};

} // namespace

class FindByTest : public QObject {
    Q_OBJECT

private slots:
    void findsTheFirstByAMember();
    void findsByAFunction();
    void isNullWhereThereIsNone();
    void keepsWhatMayBeChanged();
};

void FindByTest::findsTheFirstByAMember() {
    const std::vector<Row> rows{{"a", 1}, {"b", 2}, {"b", 3}};
    QCOMPARE(findBy(rows, &Row::id, "b"), &rows[1]);
    QCOMPARE(findBy(rows, &Row::id, std::string_view("a")), &rows[0]);
    QCOMPARE(findBy(std::span(rows), &Row::value, 3), &rows[2]);
}

void FindByTest::findsByAFunction() {
    const std::vector<Row> rows{{"a", 1}, {"bc", 2}};
    const auto length = [](const Row& row) { return row.id.size(); };
    QCOMPARE(findBy(rows, length, std::size_t{2}), &rows[1]);
}

void FindByTest::isNullWhereThereIsNone() {
    const std::vector<Row> rows{{"a", 1}};
    QVERIFY(findBy(rows, &Row::id, "c") == nullptr);
    QVERIFY(findBy(std::vector<Row>(), &Row::id, "a") == nullptr);
}

void FindByTest::keepsWhatMayBeChanged() {
    std::vector<Row> rows{{"a", 1}};
    findBy(rows, &Row::id, "a")->value = 5;
    QCOMPARE(rows[0].value, 5);
    static_assert(std::is_same_v<decltype(findBy(std::as_const(rows), &Row::id, "a")), const Row*>);
}

ASSAY_TEST(find_by_test, FindByTest)
#include "find_by_test.moc"
