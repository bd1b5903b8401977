// Results of audit stages, found by their types.
#include "engine/metrics/tables/products.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <array>
#include <string>

using namespace assay;

namespace {

struct Incomplete;
struct First {
    int value = 0;
};
struct Second { // laid out as First is, so that nothing but its name tells them apart
    int value = 0;
};
template <int>
struct Numbered {};

} // namespace

class ProductsTest : public QObject {
    Q_OBJECT

private slots:
    void areEqualOnlyForOneType();
    void areFoundByTheirTypes();
    void areReplacedAndShared();
    void canBeLent();
};

void ProductsTest::areEqualOnlyForOneType() {
    const std::array all{Product{},        kProduct<First>,       kProduct<Second>,      kProduct<Incomplete>,
                         kProduct<First*>, kProduct<const First>, kProduct<Numbered<1>>, kProduct<Numbered<2>>,
                         kProduct<int>,    kProduct<unsigned>};
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < all.size(); ++b)
            QCOMPARE(all[a] == all[b], a == b);
}

void ProductsTest::areFoundByTheirTypes() {
    Products products;
    QVERIFY(!products.has(kProduct<First>) && !products.has(Product{}));
    QVERIFY(products.find<First>() == nullptr);
    products.put(First{1});
    QVERIFY(products.find<Second>() == nullptr);
    products.put(Second{2});
    products.put(std::string("text"));
    QCOMPARE(products.get<First>().value, 1);
    QCOMPARE(products.get<Second>().value, 2);
    QCOMPARE(products.get<std::string>(), std::string("text"));
    QVERIFY(!products.has(kProduct<const First>));
}

void ProductsTest::areReplacedAndShared() {
    Products products;
    products.put(First{1});
    const Products copy = products;
    products.put(First{3});
    QCOMPARE(products.get<First>().value, 3);
    QCOMPARE(copy.get<First>().value, 1);
}

void ProductsTest::canBeLent() {
    const First lent{7};
    Products products;
    products.put(First{1});
    products.lend(lent);
    QVERIFY(products.find<First>() == &lent);
}

ASSAY_TEST(products_test, ProductsTest)
#include "products_test.moc"
