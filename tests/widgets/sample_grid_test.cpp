// The one grid of pictures: many cells, strips that fit, and the large picture.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "widgets/grid/large_picture.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/thumbnail_cache.h"

#include <QtWidgets>

#include <set>

using namespace assay;

namespace {

/// As many cells as wanted, of the same few samples; counts the cells that were asked for.
class ManyCells : public GridContents {
public:
    ManyCells(std::shared_ptr<const AuditResult> audit, std::size_t size) : size_(size) {
        state_.audit = std::move(audit);
    }
    std::size_t size() const override { return size_; }
    GridCell cell(std::size_t at, const QPalette&) const override {
        asked.insert(at);
        return {{{sampleOf(at)}}, QString::number(at)};
    }
    QString widestCaption() const override { return QStringLiteral("0"); }
    const ViewState& state(bool) const override { return state_; }
    void choose(Place place, Qt::KeyboardModifiers) override { chosen = place.cell; }
    static SampleId sampleOf(std::size_t at) { return {SetId::Real, static_cast<std::uint32_t>(at % 60)}; }

    mutable std::set<std::size_t> asked;
    std::optional<std::size_t> chosen;

private:
    std::size_t size_;
    ViewState state_;
};

std::vector<SampleId> realSamples(std::uint32_t count) {
    std::vector<SampleId> samples;
    for (std::uint32_t row = 0; row < count; ++row)
        samples.push_back({SetId::Real, row});
    return samples;
}

} // namespace

class SampleGridTest : public QObject {
    Q_OBJECT

private slots:
    void aMillionCellsCostWhatIsInSight();
    void aStripShowsAllItsSamples();
    void aDoubleClickShowsThePictureLarge();
};

void SampleGridTest::aMillionCellsCostWhatIsInSight() {
    constexpr std::size_t kCells = 1'000'000;
    SampleSelection selection;
    ThumbnailCache cache;
    ManyCells cells(test::fakeAudit(), kCells);
    cache.setAudit(cells.state(false).audit);
    SampleGrid grid(&selection, &cache, {}, nullptr);
    grid.resize(800, 600);
    grid.setContents(&cells);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    cells.asked.clear();
    QElapsedTimer timer;
    timer.start();
    for (const Qt::Key key : {Qt::Key_End, Qt::Key_Home, Qt::Key_PageDown, Qt::Key_Right, Qt::Key_End}) {
        QTest::keyClick(&grid, key);
        grid.viewport()->repaint();
    }
    QVERIFY2(timer.elapsed() < 500, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(cells.chosen, std::optional(kCells - 1));
    QVERIFY(grid.viewport()->rect().contains(grid.cellRect(kCells - 1)));
    QVERIFY(cells.asked.size() < 400 && grid.lastPainted() > 0 && grid.lastPainted() < 100);
    QCOMPARE(grid.cellAt(grid.cellRect(kCells - 1).center()), std::optional(kCells - 1));
}

void SampleGridTest::aStripShowsAllItsSamples() {
    SampleSelection selection;
    ThumbnailCache cache;
    const auto audit = test::fakeAudit();
    cache.setAudit(audit);
    QScrollArea area;
    area.setWidgetResizable(true);
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    auto* strip = new SampleGrid(&selection, &cache, GridLook::strip(), body);
    column->addWidget(strip);
    column->addStretch(1);
    area.setWidget(body);
    area.resize(900, 300);
    area.show();
    strip->setCells({audit, 0, nullptr}, GridList::singles(realSamples(12)));
    QVERIFY(QTest::qWaitForWindowExposed(&area));
    for (const int width : {900, 500, 260, 120}) {
        area.resize(width, 300);
        QTest::qWait(0);
        for (std::size_t at = 0; at < 12; ++at)
            QVERIFY2(strip->viewport()->rect().contains(strip->cellRect(at)),
                     qPrintable(QStringLiteral("%1 at %2").arg(at).arg(width)));
    }
    QTest::keyClick(strip, Qt::Key_End);
    QCOMPARE(selection.focus(), std::optional(SampleId{SetId::Real, 11}));
}

void SampleGridTest::aDoubleClickShowsThePictureLarge() {
    SampleSelection selection;
    ThumbnailCache cache;
    const auto audit = test::fakeAudit();
    cache.setAudit(audit);
    QWidget window;
    window.resize(500, 400);
    auto* grid = new SampleGrid(&selection, &cache, {}, &window);
    grid->setGeometry(0, 0, 500, 100);
    grid->setCells({audit, 0, nullptr}, GridList::singles(realSamples(4)));
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const QSignalSpy inspected(grid, &SampleGrid::inspectRequested);
    QTest::mouseClick(grid->viewport(), Qt::LeftButton, {}, grid->pictureRect({1, 0}).center());
    QTest::mouseDClick(grid->viewport(), Qt::LeftButton, {}, grid->pictureRect({1, 0}).center());
    QPointer<LargePicture> large = window.findChild<LargePicture*>();
    QVERIFY(large && large->isVisible());
    QCOMPARE(large->geometry(), window.rect());
    QCOMPARE(large->sample(), (SampleId{SetId::Real, 1}));
    QCOMPARE(inspected.count(), 1);
    QTest::keyClick(large, Qt::Key_Right);
    QTest::keyClick(large, Qt::Key_Right);
    QTest::keyClick(large, Qt::Key_Right); // there is none
    QCOMPARE(large->sample(), (SampleId{SetId::Real, 3}));
    QCOMPARE(selection.focus(), std::optional(SampleId{SetId::Real, 3}));
    QTest::keyClick(large, Qt::Key_Escape);
    QTRY_VERIFY(!large);
    // A row of a table has no picture.
    const auto table = test::fakeAudit({.pictures = false});
    cache.setAudit(table);
    grid->setCells({table, 0, nullptr}, GridList::singles(realSamples(4)));
    QTest::mouseDClick(grid->viewport(), Qt::LeftButton, {}, grid->pictureRect({1, 0}).center());
    QVERIFY(window.findChild<LargePicture*>() == nullptr);
}

ASSAY_TEST(sample_grid_test, SampleGridTest)
#include "sample_grid_test.moc"
