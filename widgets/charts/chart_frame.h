#pragma once

#include <QList>
#include <QPointF>
#include <QRectF>
#include <QStringList>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

class QAbstractAxis;
class QAbstractSeries;
class QChart;
class QKeyEvent;
class QMouseEvent;
class QPainter;
class QToolButton;

namespace assay {

/// An axis: its title, the range shown and the distance of its ticks, one of which is at 0, or ticks of its own. The
/// range of a logarithmic one, which has its own, is above 0.
struct ChartAxis {
    enum class Scale { Linear, Logarithmic };

    QString title;
    double from = 0.0;
    double to = 1.0;
    double step = 0.2;
    int decimals = 1; ///< of the numbers at the ticks
    Scale scale = Scale::Linear;
    std::vector<double> ticks{}; ///< its own, ascending, within its range; empty: every `step`
    QStringList names{};         ///< what stands at its own ticks, where that is not their number
    QString brief{};             ///< the title where there is no room for it; empty: it is elided
    QString definition{};        ///< of what it shows: its tooltip; empty: the title is

    bool operator==(const ChartAxis&) const = default;

    /// Coordinate of a value for Qt Charts, whose axes are all linear here.
    double plotted(double value) const;
    /// How far along the axis a value lies: 0 at its beginning, 1 at its end.
    double shareAt(double value) const;
    double valueAt(double share) const;
    /// A part of the axis, from one share of it to another, with ticks that fit it.
    ChartAxis part(double first, double last) const;
    /// Label of one of the axis's own ticks.
    QString tickText(std::size_t tick) const;
};

/// The one look of every Qt Charts chart: fonts, grid and colours of the palette in force, no animation, tight margins,
/// no legend. Follows changes of palette and font.
///
/// Marks that Qt Charts has not, such as names beside points and crosses of intervals, are painted by an overlay.
///
/// Two of Qt Charts' own are not used: QLogValueAxis numbers whole powers of its base alone, where k and shares of
/// samples need 1, 2, 5; and QChart's zoom knows neither the ends of an axis nor one along which all stays in sight.
///
/// The wheel shows a part of the chart, larger, around the mouse; over an axis only along that. A drag moves the part.
/// A double click, the button in its corner and Ctrl+0 show all again; + and - and Ctrl with the arrow keys do the rest
/// without a mouse.
class ChartFrame : public QWidget {
    Q_OBJECT

public:
    using Overlay = std::function<void(QPainter&)>;

    explicit ChartFrame(QWidget* parent);

    QChart* chart() const noexcept { return chart_; }
    /// Sets the axes below and to the left, of which only the former can have ticks of its own. Every series uses them,
    /// whether added before or after. Where there is no room for a number at every tick, ticks are further apart.
    /// Other axes than before are shown whole; along one that is always whole (setMagnified) all are alike.
    void setAxes(const ChartAxis& x, const ChartAxis& y);
    /// The part that is shown.
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
    /// The value at a place.
    QPointF toValue(QPointF point) const;

    /// Along which axes a part can be shown; both at first.
    void setMagnified(Qt::Orientations directions) { magnified_ = directions; }
    bool isWhole() const { return part_ == QRectF(0, 0, 1, 1); }
    void showWhole();
    /// Shows a part that is smaller by a factor, around what is at a place.
    void magnify(double factor, QPointF around, Qt::Orientations directions);
    /// Moves the part that is shown; the axes' ends stop it.
    void move(QPointF pixels);
    /// Moves the part so that a value is in it.
    void reveal(QPointF value);
    /// Whether a value is in the part that is shown.
    bool isInPart(QPointF value) const;
    /// Handles the keys named above. @return whether this was one of them
    bool navigate(const QKeyEvent& event);
    /// From now on the parent has the mouse, of which it gives back what it does not want for itself (navigate).
    void leaveMouseToParent();
    /// Handles the wheel, a drag with the middle button and a double click. @return whether the event was one of these
    bool navigate(QEvent* event);

    QSize sizeHint() const override { return {380, 280}; }
    QSize minimumSizeHint() const override { return {156, 160}; }

signals:
    /// Colours and fonts have just been set anew: series may follow.
    void themed();
    void mouseMoved(QPoint point);
    /// Pressed and released without a drag.
    void clicked(QPoint point);
    /// Another part of the axes is shown.
    void partChanged();
    void mouseLeft();
    /// Beside the axes; over them their titles are the tooltips.
    void toolTipWanted(QPoint point, QPoint globalPoint);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class View;

    void setAxis(QAbstractAxis*& axis, const ChartAxis& wanted, Qt::Alignment side);
    void applyTheme();
    void applyAxes();
    void showPart(QRectF part);
    void fitTicks();
    void placeButton();
    QString axisToolTipAt(QPoint point) const;
    /// The axes that a place is beside; both within the plot.
    Qt::Orientations axesAt(QPointF point) const;
    bool dragged(QMouseEvent* event, Qt::MouseButton with);

    QChart* chart_;
    View* view_;
    QAbstractAxis* x_ = nullptr;
    QAbstractAxis* y_ = nullptr;
    QToolButton* wholeButton_;
    ChartAxis xWhole_;
    ChartAxis yWhole_;
    ChartAxis xShown_;
    ChartAxis yShown_;
    QRectF part_{0, 0, 1, 1}; ///< shares of the whole axes, y upwards
    Qt::Orientations magnified_ = Qt::Horizontal | Qt::Vertical;
    std::optional<QPointF> pressed_;
    bool moving_ = false;
    std::vector<double> numbered_;
};

} // namespace assay
