// The card of the sample under the pointer.
#include "engine/data/image_store.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/changed_audit.h"
#include "widgets/grid/sample_card.h"
#include "widgets/link/thumbnail_cache.h"

#include <QtWidgets>

#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

using namespace assay;

namespace {

/// Pictures in a file, which nobody may read here.
class Unread : public PixelSource {
public:
    explicit Unread(std::shared_ptr<std::atomic<int>> reads) : reads_(std::move(reads)) {}

    bool read(std::uint64_t, std::span<std::uint8_t>) const noexcept override {
        ++*reads_;
        return false;
    }
    bool isMissing(std::size_t row) const noexcept override { return row == 1; }

private:
    std::shared_ptr<std::atomic<int>> reads_;
};

std::shared_ptr<const AuditResult> auditOf(const std::shared_ptr<std::atomic<int>>& reads) {
    EmbeddingParts parts = EmbeddingParts::of(std::vector<float>(3, 0.0F), 1, {});
    parts.ids = {"first", "second", "third"};
    parts.images = std::make_shared<const ImageStore>(std::make_shared<const Unread>(reads), 3, 8, 8, 3);
    return test::auditOfRealSet(std::move(parts));
}

} // namespace

class SampleCardTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { window_.reset(); }
    void waitsForAPictureAndReadsNone();
    void saysThatThereIsNoPicture();
    void goesWithThePointer();
    void isOnePerWindow();

private:
    void show(SampleId sample, QWidget* owner) {
        SampleCard::show(owner, owner->mapToGlobal(QPoint(20, 20)),
                         {state_, sample, pictures_.get(), {}, "<p>below</p>"});
    }

    std::shared_ptr<std::atomic<int>> reads_;
    ViewState state_;
    std::vector<std::pair<SampleId, int>> requested_;
    std::unique_ptr<ThumbnailCache> pictures_;
    std::unique_ptr<QWidget> window_;
    QWidget* left_ = nullptr;
    QWidget* right_ = nullptr;
};

void SampleCardTest::init() {
    reads_ = std::make_shared<std::atomic<int>>(0);
    state_ = {};
    state_.audit = auditOf(reads_);
    requested_.clear();
    pictures_ = std::make_unique<ThumbnailCache>(
        [this](const auto&, SampleId id, int pixels) { requested_.emplace_back(id, pixels); });
    pictures_->setAudit(state_.audit);
    window_ = std::make_unique<QWidget>();
    window_->resize(400, 300);
    left_ = new QWidget(window_.get());
    left_->setGeometry(0, 0, 200, 300);
    right_ = new QWidget(window_.get());
    right_->setGeometry(200, 0, 200, 300);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
}

void SampleCardTest::waitsForAPictureAndReadsNone() {
    show({SetId::Real, 0}, left_);
    const SampleCard* card = SampleCard::shownBy(left_);
    QVERIFY(card && !card->hasPicture());
    QVERIFY(SampleCard::textShownBy(left_).contains("first"));
    QVERIFY(SampleCard::textShownBy(left_).endsWith("<p>below</p>"));
    const QSize size = card->size();
    QVERIFY(size.height() > 160); // there is room for the picture already
    QVERIFY(!requested_.empty());
    QImage picture(requested_.back().second, requested_.back().second, QImage::Format_RGB32);
    picture.fill(Qt::red);
    pictures_->take(state_.audit, {SetId::Real, 0}, requested_.back().second, picture);
    QVERIFY(card->hasPicture());
    QCOMPARE(card->size(), size);
    show({SetId::Real, 2}, left_); // another sample's picture is not shown for it
    QVERIFY(!card->hasPicture());
    show({SetId::Real, 0}, left_);
    QVERIFY(card->hasPicture());
    QCOMPARE(reads_->load(), 0);
}

void SampleCardTest::saysThatThereIsNoPicture() {
    show({SetId::Real, 1}, left_);
    QVERIFY(SampleCard::textShownBy(left_).contains("no picture"));
    QVERIFY(SampleCard::shownBy(left_)->height() < 160);
    QVERIFY(requested_.empty());
    show({SetId::Real, 7}, left_); // no such sample
    QVERIFY(!SampleCard::shownBy(left_));
}

void SampleCardTest::goesWithThePointer() {
    const auto shown = [this] {
        show({SetId::Real, 0}, left_);
        return SampleCard::shownBy(left_) != nullptr;
    };
    QVERIFY(shown());
    SampleCard::hide(right_); // not its own
    QVERIFY(SampleCard::shownBy(left_));
    SampleCard::hide(left_);
    QVERIFY(!SampleCard::shownBy(left_));
    QVERIFY(shown());
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(left_, &leave);
    QVERIFY(!SampleCard::shownBy(left_));
    QVERIFY(shown());
    QTest::mouseClick(left_, Qt::LeftButton);
    QVERIFY(!SampleCard::shownBy(left_));
    QVERIFY(shown());
    QTest::keyClick(left_, Qt::Key_A);
    QVERIFY(!SampleCard::shownBy(left_));
    QVERIFY(shown());
    left_->hide();
    QVERIFY(!SampleCard::shownBy(left_));
}

void SampleCardTest::isOnePerWindow() {
    show({SetId::Real, 0}, left_);
    show({SetId::Real, 2}, right_);
    QCOMPARE(window_->findChildren<SampleCard*>().size(), 1);
    QVERIFY(SampleCard::textShownBy(right_).contains("third"));
    SampleCard::hide(left_);
    QVERIFY(SampleCard::shownBy(right_)); // it is the right one's now
}

ASSAY_TEST(sample_card_test, SampleCardTest)
#include "sample_card_test.moc"
