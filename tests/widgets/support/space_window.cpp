#include "tests/widgets/support/space_window.h"

#include "tests/widgets/support/settle.h"

#include <QApplication>
#include <QLineF>
#include <QMouseEvent>
#include <QtTest>

#include <algorithm>
#include <utility>
#include <vector>

namespace assay::test {

void SpaceWindow::open(ThumbnailCache* pictures) {
    fixture_ = {};
    selection_ = std::make_unique<SampleSelection>();
    window_ = std::make_unique<QMainWindow>();
    window_->resize(760, 620);
    dock_ = new QDockWidget(QStringLiteral("Space"), window_.get());
    host_ = pictures != nullptr ? std::make_unique<TestHost>(selection_.get(), pictures)
                                : std::make_unique<TestHost>(selection_.get());
    view_ = new SpaceView(*host_);
    dock_->setWidget(view_);
    window_->addDockWidget(Qt::LeftDockWidgetArea, dock_);
    window_->resizeDocks({dock_}, {740}, Qt::Horizontal);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
}

ViewState placed(const SpaceFixture& fixture) {
    ViewState state = fixture.state;
    state.computed.points = fixture.points;
    return state;
}

void SpaceWindow::close() {
    window_.reset();
    host_.reset();
    selection_.reset();
}

void SpaceWindow::show(const SpaceFixture& fixture) {
    fixture_ = fixture;
    view_->showState(placed(fixture));
    settle();
    QTRY_COMPARE(view_->message(), QString()); // many points are announced
}

SampleId SpaceWindow::isolated(SetId set) const {
    std::vector<std::pair<SampleId, QPointF>> all;
    for (std::uint32_t row = 0; row < fixture_.points->real.size(); ++row)
        if (const auto at = view_->screenPosition({SetId::Real, row}))
            all.emplace_back(SampleId{SetId::Real, row}, *at);
    for (std::uint32_t row = 0; row < fixture_.points->synthetic.size(); ++row)
        if (const auto at = view_->screenPosition(synthetic(row)))
            all.emplace_back(synthetic(row), *at);
    SampleId best;
    double bestGap = -1.0;
    for (const auto& [id, at] : all) {
        if (id.set != set || !canvas()->geometry().adjusted(20, 20, -20, -20).contains(at.toPoint()))
            continue;
        double gap = 1e9;
        for (const auto& [other, otherAt] : all)
            if (other != id)
                gap = std::min(gap, QLineF(at, otherAt).length());
        if (gap > bestGap) {
            bestGap = gap;
            best = id;
        }
    }
    return best;
}

QPointF SpaceWindow::emptySpot() const {
    for (int y = 12; y < canvas()->height(); y += 8)
        for (int x = 12; x < canvas()->width(); x += 8) {
            const QPointF at = canvas()->mapTo(view_, QPoint(x, y));
            bool free = true;
            for (std::uint32_t row = 0; free && row < 300; ++row)
                for (const SampleId id : {SampleId{SetId::Real, row}, synthetic(row)})
                    if (const auto point = view_->screenPosition(id))
                        free = free && QLineF(at, *point).length() > 20;
            if (free)
                return at;
        }
    return {};
}

void SpaceWindow::drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers) {
    QTest::mousePress(canvas(), Qt::LeftButton, modifiers, from);
    for (int step = 1; step <= 6; ++step) {
        // QTest::mouseMove moves the real pointer, which holds neither button nor modifier.
        const QPointF at = from + QPointF(to - from) * step / 6;
        QMouseEvent move(QEvent::MouseMove, at, canvas()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
        QApplication::sendEvent(canvas(), &move);
    }
    QTest::mouseRelease(canvas(), Qt::LeftButton, modifiers, to);
}

} // namespace assay::test
