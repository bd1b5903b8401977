#include "engine/data/image_store.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cstdint>
#include <memory>
#include <vector>

using namespace assay;

using Pixels = std::vector<std::uint8_t>;

namespace {

/// Three grey pictures of two pixels each.
std::shared_ptr<const ImageStore> threePictures() {
    return std::make_shared<const ImageStore>(Pixels{10, 11, 20, 21, 30, 31}, 3, 1, 2, 1);
}

} // namespace

class ChosenPicturesTest : public QObject {
    Q_OBJECT

private slots:
    void showsTheChosenRowsInTheirOrder();
    void isEmptyWhereThereIsNone();
    void hasNothingBeyondTheStore();
};

void ChosenPicturesTest::showsTheChosenRowsInTheirOrder() {
    const auto chosen = chosenPictures(threePictures(), {2, 0, 2});
    QCOMPARE(chosen->rows(), std::size_t{3});
    QCOMPARE(chosen->width(), std::size_t{2});
    QCOMPARE(chosen->pixels(0), (Pixels{30, 31}));
    QCOMPARE(chosen->pixels(1), (Pixels{10, 11}));
    QCOMPARE(chosen->pixels(2), (Pixels{30, 31}));
}

void ChosenPicturesTest::isEmptyWhereThereIsNone() {
    const auto chosen = chosenPictures(threePictures(), {kNoPicture, 1});
    QCOMPARE(chosen->pixels(0), (Pixels{0, 0}));
    QCOMPARE(chosen->pixels(1), (Pixels{20, 21}));
    QVERIFY(chosen->isMissing(0) && !chosen->isMissing(1));
    const auto again = chosenPictures(chosen, {1, 0});
    QVERIFY(!again->isMissing(0) && again->isMissing(1));
    QVERIFY(!threePictures()->isMissing(0));
}

void ChosenPicturesTest::hasNothingBeyondTheStore() {
    const auto inAFile = chosenPictures(threePictures(), {1});
    QVERIFY(inAFile->pixels(5).empty());
}

ASSAY_TEST(chosen_pictures_test, ChosenPicturesTest)
#include "chosen_pictures_test.moc"
