#pragma once

#include <QList>
#include <QPointF>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <vector>

class QAbstractAxis;
class QAbstractSeries;
class QChart;
class QPainter;

namespace assay {

/// An axis: its title, the range shown and, where it is linear, the distance of its ticks, one of which is at 0. The
/// range of a logarithmic one is above 0.
struct ChartAxis {
    enum class Scale { Linear, Logarithmic };

    QString title;
    double from = 0.0;
    double to = 1.0;
    double step = 0.2;
    int decimals = 1; ///< of the numbers at the ticks
    Scale scale = Scale::Linear;
    std::vector<double> ticks{}; ///< of a logarithmic one, ascending, within its range

    /// What Qt Charts, whose axes are all linear here, is given for a value.
    double plotted(double value) const;
    /// How far along the axis a value lies: 0 at its beginning, 1 at its end.
    double shareAt(double value) const;
};

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
    /// Sets the axes below and to the left, of which only the former can be logarithmic. Every series uses them,
    /// whether added before or after. Where there is no room for a number at every tick, ticks are further apart.
    void setAxes(const ChartAxis& x, const ChartAxis& y);
    const ChartAxis& xAxis() const noexcept { return xShown_; }
    const ChartAxis& yAxis() const noexcept { return yShown_; }
    /// Those of ChartAxis::ticks of the axis below that have a number, which not all have room for; ascending.
    const std::vector<double>& numberedTicks() const noexcept { return numbered_; }
    /// Adds a series of plotted() points on the axes; the chart owns it.
    void addSeries(QAbstractSeries* series);
    /// Points of values as a series has them on these axes.
    QList<QPointF> plotted(const std::vector<QPointF>& values) const;
    /// Deletes every series.
    void clearSeries();
    std::size_t seriesCount() const;
    /// Painted over the chart in this widget's coordinates.
    void setOverlay(Overlay overlay);
    /// Repaints the overlay.
    void refresh();

    /// Where a value lies in this widget's coordinates, of a series or on the axes alone, and what the axes enclose.
    QPointF toWidget(QPointF value, QAbstractSeries* series) const;
    QPointF toWidget(QPointF value) const;
    QRectF plotArea() const;

    QSize sizeHint() const override { return {380, 280}; }
    QSize minimumSizeHint() const override { return {156, 160}; }

signals:
    /// Colours and fonts have just been set anew: series may follow.
    void themed();
    void mouseMoved(QPoint point);
    void mousePressed(QPoint point);
    void mouseLeft();
    /// Beside the axes; over them their titles are the tooltips.
    void toolTipWanted(QPoint point, QPoint globalPoint);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class View;

    void setAxis(QAbstractAxis*& axis, const ChartAxis& wanted, Qt::Alignment side);
    void applyTheme();
    void fitTicks();
    QString axisTitleAt(QPoint point) const;

    QChart* chart_;
    View* view_;
    QAbstractAxis* x_ = nullptr;
    QAbstractAxis* y_ = nullptr;
    ChartAxis xShown_;
    ChartAxis yShown_;
    std::vector<double> numbered_;
};

} // namespace assay
