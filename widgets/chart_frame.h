#pragma once

#include <QPointF>
#include <QWidget>

#include <functional>

class QAbstractSeries;
class QChart;
class QPainter;

namespace assay {

/// The one look of every Qt Charts chart: fonts, grid and colours of the palette in force, no animation, tight margins,
/// no legend. Follows changes of palette and font.
///
/// Marks that Qt Charts cannot place well, such as names beside points, are painted by an overlay.
class ChartFrame : public QWidget {
    Q_OBJECT

public:
    using Overlay = std::function<void(QPainter&)>;

    explicit ChartFrame(QWidget* parent);

    QChart* chart() const noexcept { return chart_; }
    /// Adds linear axes below and to the left, used by every series added afterwards.
    /// @param from and to range shown; a tick at every multiple of `step`
    void setAxes(const QString& xTitle, const QString& yTitle, double from, double to, double step);
    /// Adds a series on the axes; the chart owns it.
    void addSeries(QAbstractSeries* series);
    /// Painted over the chart in this widget's coordinates.
    void setOverlay(Overlay overlay);
    /// Repaints the overlay.
    void refresh();

    /// Where a value of a series lies in this widget's coordinates, and where the axes enclose it.
    QPointF toWidget(QPointF value, QAbstractSeries* series) const;
    QRectF plotArea() const;

    QSize sizeHint() const override { return {380, 280}; }
    QSize minimumSizeHint() const override { return {180, 160}; }

signals:
    /// Colours and fonts have just been set anew: series may follow.
    void themed();
    void mouseMoved(QPoint point);
    void mousePressed(QPoint point);
    void mouseLeft();
    void toolTipWanted(QPoint point, QPoint globalPoint);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class View;

    void applyTheme();

    QChart* chart_;
    View* view_;
};

} // namespace assay
