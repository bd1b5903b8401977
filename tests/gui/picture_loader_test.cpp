#include "gui/jobs/picture_loader.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/test_host.h"
#include "widgets/ranking/ranking_view.h"

#include <QComboBox>

#include <atomic>
#include <cstring>
#include <memory>
#include <semaphore>

using namespace assay;

namespace assay::test {

inline constexpr std::size_t kEdge = 4;

/// Pictures of one grey each: their row. Read only when released.
class SlowPixels : public PixelSource {
public:
    bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
        released.acquire();
        ++reads;
        std::memset(into.data(), static_cast<int>(offset / (kEdge * kEdge)), into.size());
        return !broken;
    }

    mutable std::counting_semaphore<> released{0};
    mutable std::atomic<int> reads{0};
    std::atomic<bool> broken{false};
};

inline std::shared_ptr<const AuditResult> auditWith(const std::shared_ptr<SlowPixels>& pixels) {
    EmbeddingParts parts = partsOf(*fakeAudit()->real->set);
    parts.images = std::make_shared<const ImageStore>(pixels, parts.rows, kEdge, kEdge, 1);
    return withRealSet(fakeAudit(), std::make_shared<const EmbeddingSet>(std::move(parts)));
}

} // namespace assay::test

using assay::test::auditWith;
using assay::test::SlowPixels;

/// Pictures that are read beside the window.
class PictureLoaderTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void bringsPicturesLater();
    void asksForEachOnce();
    void newestComesFirst();
    void whatCannotBeReadIsATile();
    void anotherAuditsPicturesAreDropped();
    void aModelMoreLeavesNoPictureMissing();
    void endsWhileItReads();

private:
    QPixmap ask(std::uint32_t row) { return loader_->pictures()->thumbnail({SetId::Real, row}, 8, 1.0); }

    std::shared_ptr<SlowPixels> pixels_;
    std::unique_ptr<PictureLoader> loader_;
};

void PictureLoaderTest::init() {
    loader_.reset();
    pixels_ = std::make_shared<SlowPixels>();
    loader_ = std::make_unique<PictureLoader>();
    loader_->pictures()->setAudit(auditWith(pixels_));
}

void PictureLoaderTest::bringsPicturesLater() {
    QSignalSpy arrived(loader_->pictures(), &ThumbnailCache::arrived);
    QVERIFY(ask(7).isNull());
    pixels_->released.release();
    QTRY_COMPARE(arrived.size(), 1);
    const QPixmap picture = ask(7);
    QCOMPARE(picture.size(), QSize(8, 8));
    QCOMPARE(picture.toImage().pixelColor(3, 3), QColor(7, 7, 7));
}

void PictureLoaderTest::asksForEachOnce() {
    for (int repaint = 0; repaint < 5; ++repaint)
        ask(3);
    QCOMPARE(loader_->waiting(), std::size_t{1});
    pixels_->released.release();
    QTRY_COMPARE(loader_->waiting(), std::size_t{0});
    QCOMPARE(pixels_->reads.load(), 1);
}

void PictureLoaderTest::newestComesFirst() {
    for (std::uint32_t row = 0; row < 20; ++row)
        ask(row);
    // Two are being read already, whichever; then it is the turn of the last.
    pixels_->released.release(6);
    QTRY_COMPARE(loader_->waiting(), std::size_t{14});
    QVERIFY(!ask(19).isNull() && !ask(18).isNull());
    pixels_->released.release(40);
    QTRY_COMPARE(loader_->waiting(), std::size_t{0});
}

void PictureLoaderTest::whatCannotBeReadIsATile() {
    pixels_->broken = true;
    ask(2);
    pixels_->released.release();
    QTRY_COMPARE(loader_->waiting(), std::size_t{0});
    QVERIFY(ask(2).isNull());
    QCOMPARE(loader_->waiting(), std::size_t{0}); // and is not read again and again
}

void PictureLoaderTest::anotherAuditsPicturesAreDropped() {
    ask(5);
    loader_->pictures()->setAudit(auditWith(std::make_shared<SlowPixels>()));
    pixels_->released.release();
    QTRY_COMPARE(loader_->waiting(), std::size_t{0});
    QCOMPARE(loader_->pictures()->decoded(), 0);
}

void PictureLoaderTest::aModelMoreLeavesNoPictureMissing() {
    SampleSelection selection;
    test::TestHost host(&selection, loader_->pictures());
    RankingView view(host);
    view.resize(700, 400);
    view.findChild<QComboBox*>("rankingOrder")->setCurrentText("real: in the order of the file");
    const auto show = [&](const std::shared_ptr<const AuditResult>& audit) {
        loader_->pictures()->setAudit(audit);
        view.showState({audit, 0, nullptr});
    };
    const auto first = auditWith(pixels_);
    show(first);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(loader_->waiting() > 0);
    auto grown = std::make_shared<AuditResult>(*first);
    grown->models.push_back(grown->models[0]);
    show(grown);
    pixels_->released.release(1000);
    QTRY_VERIFY(loader_->pictures()->decoded() > 0);
}

void PictureLoaderTest::endsWhileItReads() {
    for (std::uint32_t row = 0; row < 30; ++row)
        ask(row);
    pixels_->released.release(30);
    loader_.reset();
}

ASSAY_TEST(picture_loader_test, PictureLoaderTest)
#include "picture_loader_test.moc"
