#pragma once

#include "widgets/charts/figure.h"
#include "widgets/features/feature_bars.h"
#include "widgets/link/sample_selection.h"

#include <QWidget>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace assay {

class ChartFrame;
class PictureHeading;

/// One feature on both sides: two bars for each range or category, the left one of the real samples, the right one of
/// the synthetic samples, each as a share of its set.
///
/// A click on a bar selects its samples; Shift adds, Ctrl toggles, Ctrl+Shift takes away. The arrow keys and Enter do
/// the same. The selected share of each bar is outlined in yellow.
///
/// Axes are Qt Charts', bars are painted, as in HistogramView.
class FeaturePicture : public QWidget {
    Q_OBJECT

public:
    /// @param selection outlives the picture
    FeaturePicture(SampleSelection* selection, QWidget* parent);

    void showFeature(const ViewState& state, std::uint32_t feature);
    const FeatureBars& bars() const noexcept { return bars_; }
    /// The picture for a paper; nothing where there are no bars.
    std::optional<Figure> figure();
    /// Where to click for a bar, in this widget's coordinates. @param side 0: real, 1: synthetic
    QRect barRect(std::size_t side, std::size_t bar) const;
    std::size_t selectedIn(std::size_t side, std::size_t bar) const { return selected_[side].at(bar); }

    QSize minimumSizeHint() const override { return {180, 130}; }

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Bar {
        std::size_t side = 0, bar = 0;
        friend bool operator==(const Bar&, const Bar&) = default;
    };

    void countSelected();
    void fitAxes();
    void showHeading();
    std::optional<Bar> barAt(QPoint point) const;
    QString textOf(Bar bar) const;
    void moveCursor(std::ptrdiff_t by);
    void select(Bar bar, Qt::KeyboardModifiers modifiers);
    void paintBars(QPainter& painter) const;
    void paintBar(QPainter& painter, Bar bar) const;

    SampleSelection* selection_;
    PictureHeading* heading_;
    ChartFrame* frame_;
    ViewState state_;
    FeatureBars bars_;
    std::array<std::vector<std::size_t>, 2> selected_;
    double largest_ = 1.0; ///< share
    std::optional<Bar> hovered_;
    std::optional<Bar> cursor_; ///< where the arrow keys are
};

} // namespace assay
