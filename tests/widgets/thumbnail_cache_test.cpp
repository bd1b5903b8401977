#include "engine/data/image_store.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/grid/sample_texts.h"
#include "widgets/link/thumbnail_cache.h"

#include <QtWidgets>

using namespace assay;

namespace {

std::shared_ptr<const AuditResult> auditOf(std::vector<std::uint8_t> pixels, std::size_t rows, std::size_t height,
                                           std::size_t width, std::size_t channels) {
    EmbeddingParts parts = EmbeddingParts::of(std::vector<float>(rows, 0.0F), 1, {});
    parts.images = std::make_shared<ImageStore>(std::move(pixels), rows, height, width, channels);
    return test::auditOfRealSet(std::move(parts));
}

/// Pixels of the first real sample's tile that are letters; none where the tile's colour is not behind them.
int lettersOnTile(ThumbnailCache& cache) {
    const QColor tile(10, 20, 200);
    QImage image(64, 64, QImage::Format_RGB32);
    image.fill(Qt::white);
    {
        QPainter painter(&image);
        cache.paint(painter, image.rect(), {SetId::Real, 0}, QPalette(), tile);
    }
    if (image.pixelColor(1, 1) != tile)
        return 0;
    int letters = 0;
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x)
            letters += image.pixelColor(x, y) != tile ? 1 : 0;
    return letters;
}

} // namespace

class ThumbnailCacheTest : public QObject {
    Q_OBJECT

private slots:
    void readsEveryPixelFormat_data();
    void readsEveryPixelFormat();
    void enlargesPixelByPixel();
    void keepsTheAspect();
    void decodesOnceAndStaysBounded();
    void forgetsAnotherAuditsPictures();
    void paintsATileWithoutPictures();
    void namesASampleWithoutAPicture_data();
    void namesASampleWithoutAPicture();
    void ignoresSamplesThatDoNotExist();
};

void ThumbnailCacheTest::readsEveryPixelFormat_data() {
    test::addColumns<int, QColor>("channels", "color");
    QTest::newRow("grey") << 1 << QColor(10, 10, 10);
    QTest::newRow("rgb") << 3 << QColor(10, 20, 30);
    QTest::newRow("rgba") << 4 << QColor(10, 20, 30, 40);
}

void ThumbnailCacheTest::readsEveryPixelFormat() {
    QFETCH(int, channels);
    QFETCH(QColor, color);
    const auto count = static_cast<std::size_t>(channels);
    std::vector<std::uint8_t> pixels(2 * 3 * 5 * count, 0); // 5 wide, so that lines need padding
    for (std::size_t c = 0; c < count; ++c)
        pixels[(1 * 15 + 2 * 5 + 4) * count + c] = static_cast<std::uint8_t>(10 * (c + 1));
    const auto audit = auditOf(std::move(pixels), 2, 3, 5, count);
    const QImage image = sampleImage(*audit->real->set, 1);
    QCOMPARE(image.size(), QSize(5, 3));
    QCOMPARE(image.pixelColor(4, 2), color);
    QCOMPARE(image.pixelColor(3, 2).red(), 0);
}

void ThumbnailCacheTest::enlargesPixelByPixel() {
    ThumbnailCache cache;
    cache.setAudit(auditOf({0, 255, 255, 0}, 1, 2, 2, 1));
    const QImage image = cache.thumbnail({SetId::Real, 0}, 20, 2.0).toImage();
    QCOMPARE(image.size(), QSize(40, 40));
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 40; ++x)
            QCOMPARE(qGray(image.pixel(x, y)), (x < 20) == (y < 20) ? 0 : 255);
}

void ThumbnailCacheTest::keepsTheAspect() {
    ThumbnailCache cache;
    cache.setAudit(auditOf(std::vector<std::uint8_t>(200 * 100, 90), 1, 100, 200, 1));
    const QPixmap picture = cache.thumbnail({SetId::Real, 0}, 50, 1.0);
    QCOMPARE(picture.size(), QSize(50, 25));
}

void ThumbnailCacheTest::decodesOnceAndStaysBounded() {
    ThumbnailCache cache(10 * 16 * 16 * 4);
    cache.setAudit(test::fakeAudit());
    for (int pass = 0; pass < 2; ++pass)
        for (std::uint32_t row = 0; row < 5; ++row)
            cache.thumbnail({SetId::Real, row}, 16, 1.0);
    QCOMPARE(cache.decoded(), 5);
    for (std::uint32_t row = 0; row < 60; ++row)
        cache.thumbnail({SetId::Real, row}, 16, 1.0);
    QVERIFY(cache.bytesHeld() <= 10 * 16 * 16 * 4);
}

void ThumbnailCacheTest::forgetsAnotherAuditsPictures() {
    ThumbnailCache cache;
    cache.setAudit(auditOf({0}, 1, 1, 1, 1));
    QCOMPARE(qGray(cache.thumbnail({SetId::Real, 0}, 4, 1.0).toImage().pixel(0, 0)), 0);
    cache.setAudit(auditOf({200}, 1, 1, 1, 1));
    QCOMPARE(qGray(cache.thumbnail({SetId::Real, 0}, 4, 1.0).toImage().pixel(0, 0)), 200);
}

void ThumbnailCacheTest::paintsATileWithoutPictures() {
    test::FakeOptions options;
    options.pictures = false;
    ThumbnailCache cache;
    cache.setAudit(test::fakeAudit(options));
    QVERIFY(cache.thumbnail({SetId::Real, 0}, 64, 1.0).isNull());
    QVERIFY2(lettersOnTile(cache) > 20, "the tile names its sample");
}

void ThumbnailCacheTest::namesASampleWithoutAPicture_data() {
    QTest::addColumn<std::shared_ptr<const AuditResult>>("audit");
    const auto whole = auditOf(std::vector<std::uint8_t>(2 * 8 * 8 * 3, 200), 2, 8, 8, 3);
    EmbeddingParts parts = EmbeddingParts::of(std::vector<float>(2, 0.0F), 1, {});
    parts.ids = {"first", "second"};
    const std::shared_ptr<const ImageStore> pictures(whole, whole->real->set->images());
    parts.images = chosenPictures(pictures, {kNoPicture, 1});
    QTest::newRow("joined") << test::auditOfRealSet(std::move(parts));
    std::vector<std::uint8_t> pixels(2 * 8 * 8 * 4, 200);
    std::fill_n(pixels.begin(), 8 * 8 * 4, std::uint8_t{0});
    QTest::newRow("from an audit file") << auditOf(std::move(pixels), 2, 8, 8, 4);
}

void ThumbnailCacheTest::namesASampleWithoutAPicture() {
    QFETCH(std::shared_ptr<const AuditResult>, audit);
    ThumbnailCache cache;
    cache.setAudit(audit);
    QVERIFY(sampleImage(*audit->real->set, 0).isNull());
    QVERIFY(!cache.thumbnail({SetId::Real, 1}, 64, 1.0).isNull());
    QVERIFY2(lettersOnTile(cache) > 40, "the tile names its sample, and says that there is no picture");
    ViewState state;
    state.audit = audit;
    QVERIFY(sampleToolTip(state, {SetId::Real, 0}).contains("no picture"));
    QVERIFY(!sampleToolTip(state, {SetId::Real, 1}).contains("no picture"));
}

void ThumbnailCacheTest::ignoresSamplesThatDoNotExist() {
    ThumbnailCache cache;
    QVERIFY(!cache.contains({SetId::Real, 0}));
    cache.setAudit(test::fakeAudit());
    QVERIFY(!cache.contains({SetId::Real, 60}));
    QVERIFY(!cache.contains({syntheticSet(3), 0}));
    QVERIFY(cache.contains({syntheticSet(2), 79}));
    QVERIFY(cache.thumbnail({syntheticSet(9), 0}, 10, 1.0).isNull());
}

ASSAY_TEST(thumbnail_cache_test, ThumbnailCacheTest)
#include "thumbnail_cache_test.moc"
