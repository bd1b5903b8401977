#pragma once

#include "widgets/charts/plot_series.h"

#include <QLineF>
#include <QList>
#include <QRectF>
#include <QWidget>

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

class QAbstractAxis;
class QAbstractSeries;
class QChart;
class QChartView;
class QKeyEvent;
class QMouseEvent;
class QPainter;
class QToolButton;

namespace assay {

/// Every chart: values drawn by Qt Charts with one look, which follows palette and font, and one way to walk, choose
/// and zoom by mouse and keys.
///
/// Qt Charts draws axes, grid, lines, bands and marks. What it has not is painted by two items in its scene: bars that
/// end on whole pixels and can be selected in part, crosses of intervals, rings, names that keep off each other,
/// descriptions. Two of its own are not used: QLogValueAxis numbers whole powers of its base alone, where k and shares
/// of samples need 1, 2, 5; and QChart's zoom knows neither the ends of an axis nor one along which all stays in sight.
///
/// The wheel shows a part of the chart, larger, around the mouse; over an axis only along that. A drag moves the part,
/// over bars one with the middle button. A double click, the button in its corner and Ctrl+0 show all again; + and -
/// and Ctrl with the arrow keys do the rest without a mouse.
///
/// A click chooses what is under the mouse. The arrow keys, Home and End walk along a line, with up and down to another
/// one, or from left to right through marks and bars; Page up and down through the marks beside lines. Enter chooses.
class Plot : public QWidget {
    Q_OBJECT

public:
    explicit Plot(QWidget* parent);

    /// Draws other values. Other axes than before are shown whole. The cursor stays where there is still a point.
    void show(PlotContent content);
    using QWidget::show;
    const PlotContent& content() const noexcept { return content_; }
    /// What follows is about something else: no cursor, and nothing under the mouse.
    void forgetCursor();
    /// A value on the axis below that is pointed at from above.
    void pointAt(std::optional<double> x);

    /// Sets the axes below and to the left; only the former can have ticks of its own, or be logarithmic. Where there
    /// is no room for a number at every tick, ticks are further apart. Along an axis that is always whole
    /// (setMagnified) all are alike.
    void setAxes(const ChartAxis& x, const ChartAxis& y);
    /// The part that is shown.
    const ChartAxis& xAxis() const noexcept { return xShown_; }
    const ChartAxis& yAxis() const noexcept { return yShown_; }
    /// Those of ChartAxis::ticks of the axis below that have a number, which not all have room for; ascending.
    const std::vector<double>& numberedTicks() const noexcept { return numbered_; }

    /// Lines and bands that Qt Charts draws: one for each run of points without a gap.
    std::size_t lineCount() const;

    /// All in this widget's coordinates: where a value and a point lie, a bar's column from the axis to the top, what
    /// the axes enclose, an interval (null where there is none), the name of a point as it was painted last, and the
    /// count beside marks that cover each other, on the first of them (null elsewhere).
    QPointF toWidget(QPointF value) const;
    QPointF positionOf(PlotPoint point) const { return toWidget(valueOf(point)); }
    QRect columnOf(PlotPoint bar) const;
    QRectF plotArea() const;
    QLineF intervalLine(PlotPoint point, Qt::Orientation along) const;
    QRectF nameRect(PlotPoint point) const;
    QRectF countRect(PlotPoint point) const;
    /// The value at a place.
    QPointF toValue(QPointF point) const;

    /// The first point with an id.
    std::optional<PlotPoint> pointWithId(std::size_t id) const;
    std::size_t idOf(PlotPoint point) const { return content_.series[point.series].idOf(point.point); }
    /// The points whose marks cover this one's, itself included.
    std::vector<PlotPoint> stackOf(PlotPoint point) const;
    /// Indices of the bars that were chosen last; of the one under the mouse where that is another.
    std::optional<std::pair<std::size_t, std::size_t>> barsInHand() const;
    /// The description that is painted beside a point; empty if none is.
    QString readOut() const;

    /// Along which axes a part can be shown; both at first.
    void setMagnified(Qt::Orientations directions) { magnified_ = directions; }
    bool isWhole() const { return part_ == QRectF(0, 0, 1, 1); }
    void showWhole();
    /// Moves the part so that a value is in it.
    void reveal(QPointF value);
    /// Whether a value is in the part that is shown.
    bool isInPart(QPointF value) const;

    QSize sizeHint() const override { return {380, 280}; }
    QSize minimumSizeHint() const override { return {156, 160}; }

signals:
    /// Colours or fonts have changed: content should be made anew.
    void themed();
    void chosen(const assay::PlotChoice& choice);
    void hovered(std::optional<assay::PlotPoint> point);
    /// Another part of the axes is shown.
    void partChanged();

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    class Layer;

    // plot.cpp: Qt Charts
    void setAxis(QAbstractAxis*& axis, const ChartAxis& wanted, Qt::Alignment side);
    void applyTheme();
    void applyAxes();
    void fitTicks();
    void drawSeries();
    void drawLine(const PlotSeries& series);
    void drawBand(const PlotSeries& series);
    void drawMarks(const PlotSeries& series);
    void addSeries(QAbstractSeries* series);
    QList<QPointF> plotted(const std::vector<QPointF>& values) const;
    void refresh();

    // plot_navigation.cpp: the part that is shown
    void showPart(QRectF part);
    void magnify(double factor, QPointF around, Qt::Orientations directions);
    void movePart(QPointF pixels);
    bool navigate(const QKeyEvent& event);
    bool isDrag(QMouseEvent* event, Qt::MouseButton with);
    void placeButton();
    QString axisToolTipAt(QPoint point) const;
    Qt::Orientations axesAt(QPointF point) const;

    // plot_choice.cpp: what is under mouse and keys
    bool isThere(PlotPoint point) const;
    bool isChoosable(PlotPoint point) const;
    QPointF valueOf(PlotPoint point) const;
    const PlotSeries& seriesOf(PlotPoint point) const { return content_.series[point.series]; }
    template <typename Visit>
    void visitPoints(const Visit& visit) const {
        for (std::size_t series = 0; series < content_.series.size(); ++series)
            for (std::size_t point = 0; point < content_.series[series].count(); ++point)
                if (isThere({series, point}))
                    visit(PlotPoint{series, point});
    }
    std::vector<std::size_t> topFirst() const;
    std::optional<PlotPoint> pointUnder(QPointF point) const;
    std::optional<PlotPoint> markUnder(QPointF point) const;
    std::optional<PlotPoint> lineUnder(QPointF point) const;
    std::optional<PlotPoint> barUnder(QPointF point) const;
    std::optional<PlotPoint> firstOf(std::size_t series) const;
    std::optional<PlotPoint> walked(int key) const;
    std::optional<PlotPoint> alongLine(PlotPoint from, int key) const;
    std::optional<PlotPoint> throughMarks(int key) const;
    std::optional<PlotPoint> throughMarksBesideLines(int step) const;
    bool isLine(std::size_t series) const;
    bool isBeside() const { return content_.description == PlotContent::Description::Beside; }
    void hover(std::optional<PlotPoint> point);
    void setCursorPoint(std::optional<PlotPoint> point);
    void choose(PlotPoint point, Qt::KeyboardModifiers modifiers);
    PlotPoint nextOfStack(PlotPoint point) const;

    // plot_paint.cpp: what Qt Charts has not
    void paintBelow(QPainter& painter) const;
    void paintAbove(QPainter& painter);
    void paintBar(QPainter& painter, PlotPoint at) const;
    void paintArrows(QPainter& painter, const PlotSeries& series) const;
    void paintIntervals(QPainter& painter, std::size_t series) const;
    void paintUpright(QPainter& painter, PlotPoint at) const;
    void paintGuides(QPainter& painter, QPointF at, const QColor& color) const;
    void paintRings(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;
    void paintReadOut(QPainter& painter) const;
    void paintNames(QPainter& painter);
    void paintName(QPainter& painter, PlotPoint at, const std::vector<QLineF>& lines, std::vector<QRectF>& taken);
    void paintCounts(QPainter& painter, std::vector<QRectF>& taken) const;
    QRectF uprightLabel(PlotPoint at) const;
    double markSize(PlotPoint at) const;
    QRectF markRect(PlotPoint at) const;
    QColor colorOf(PlotPoint at) const;
    bool isCurrent(PlotPoint at) const { return content_.current == idOf(at); }
    std::vector<QLineF> linePieces() const;
    std::map<std::pair<std::size_t, std::size_t>, QRectF> countRects() const;
    QFont countFont() const;

    QChart* chart_;
    QChartView* view_;
    Layer* below_;
    Layer* above_;
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
    PlotContent content_;
    std::optional<PlotPoint> hovered_;
    std::optional<PlotPoint> cursor_;  ///< where the keys are
    std::optional<PlotPoint> anchor_;  ///< where a range of bars begins
    std::optional<PlotPoint> brushed_; ///< bar under the mouse while dragging
    Qt::KeyboardModifiers brushedWith_;
    std::optional<double> pointedAt_;
    std::map<std::pair<std::size_t, std::size_t>, QRectF> nameRects_; ///< by series and point
};

} // namespace assay
