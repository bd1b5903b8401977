#pragma once

#include "tests/widgets/support/space_fixture.h"
#include "tests/widgets/support/test_host.h"
#include "widgets/link/sample_selection.h"
#include "widgets/space/view/space_view.h"

#include <QDockWidget>
#include <QImage>
#include <QMainWindow>
#include <QPoint>
#include <QPointF>

#include <cstdint>
#include <memory>

namespace assay::test {

/// The fixture's state with its points.
ViewState placed(const SpaceFixture& fixture);

/// A 3D view in a dock of a real window, and what people do with it: a base of tests, opened anew for each function.
class SpaceWindow {
protected:
    /// @param pictures of samples; null: the host's
    void open(ThumbnailCache* pictures = nullptr);
    void close();
    void show(const SpaceFixture& fixture);

    static SampleId synthetic(std::uint32_t row) { return {syntheticSet(0), row}; }
    /// The front-most, most isolated sample of a set, so that nothing else can be meant by its position.
    SampleId isolated(SetId set) const;
    QWidget* canvas() const { return view_->focusProxy(); }
    QImage grab() const { return view_->grab().toImage(); }
    /// A position of the view that no point is near.
    QPointF emptySpot() const;
    /// Where to click a sample.
    QPoint spotOf(SampleId id) const { return canvas()->mapFrom(view_, view_->screenPosition(id)->toPoint()); }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers);

    std::unique_ptr<SampleSelection> selection_;
    std::unique_ptr<TestHost> host_;
    std::unique_ptr<QMainWindow> window_;
    QDockWidget* dock_ = nullptr;
    SpaceView* view_ = nullptr;
    SpaceFixture fixture_;
};

} // namespace assay::test
