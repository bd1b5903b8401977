#pragma once

#include "widgets/curves/curve_data.h"
#include "widgets/curves/curve_marks.h"

#include <QLineF>
#include <QRectF>
#include <QWidget>

#include <optional>
#include <vector>

class QPainter;

namespace assay {

class ChartFrame;

/// Lines with their bands on axes that fit them. The point under the mouse, or at the keyboard's place, is ringed and
/// its values are written beside it. Left and right go along a line, up and down to another line, page up and down from
/// mark to mark.
class CurveChart : public QWidget {
    Q_OBJECT

public:
    explicit CurveChart(QWidget* parent);

    /// Draws other lines. What they point to must stay alive until the next call.
    void show(CurveAxes axes, std::vector<ChartLine> lines, std::vector<ChartMark> marks, std::vector<bool> shown);
    /// Which lines are drawn; the axes follow.
    void setShown(std::vector<bool> shown);
    /// Draws one line over the others and stronger.
    void highlight(std::optional<std::size_t> line);

    const ChartFrame& frame() const noexcept { return *frame_; }
    /// Where a point of a line is, in this widget's coordinates.
    QPoint positionOf(std::size_t line, std::size_t point) const;
    QPoint positionOf(const ChartMark& mark) const;
    const std::vector<ChartMark>& marks() const noexcept { return marks_; }
    /// Labels beside the ends of lines that are not drawn from left to right.
    struct EndLabel {
        QString text;
        QRectF box; ///< in this widget's coordinates
    };
    std::vector<EndLabel> endLabels() const;
    /// Text about the ringed point or mark, one fact a line; empty if none is ringed.
    QString readOut() const;

signals:
    /// A click on a line, or Enter where the keys are.
    void lineChosen(std::size_t line);
    /// The same on a model's mark.
    void modelChosen(std::size_t model);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Cursor {
        std::size_t line;
        std::size_t point;
        bool operator==(const Cursor&) const = default;
    };
    /// At most one of both.
    struct Ringed {
        std::optional<Cursor> point;
        std::optional<std::size_t> mark;
        bool operator==(const Ringed&) const = default;
    };

    void draw();
    void drawLine(const ChartLine& line, bool strong);
    void drawBand(const ChartLine& line);
    void fitAxes();
    QString yAxisTitle() const;
    QPointF valueAt(Cursor at) const;
    bool isThere(Cursor at) const;
    std::vector<std::size_t> currentFirst() const;
    std::optional<Cursor> nearest(QPoint point) const;
    std::optional<Cursor> moved(int key) const;
    std::optional<std::size_t> markUnder(QPoint point) const;
    std::optional<std::size_t> nextMark(int step) const;
    bool isDrawn(const ChartMark& mark) const;
    Ringed under(QPoint point) const;
    void ring(Ringed what);
    void ringAndShow(Ringed what);
    void choose();
    QRectF labelOf(const ChartMark& mark) const;
    QString readOutAlong(const ChartLine& line, std::size_t point) const;
    std::vector<QLineF> segments() const;
    void paintOverlay(QPainter& painter) const;
    void paintMarkers(QPainter& painter) const;
    void paintEnds(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintUpright(QPainter& painter, const ChartMark& mark) const;
    void paintGuides(QPainter& painter, QPointF at, const QColor& color) const;
    void paintCursor(QPainter& painter) const;
    void paintReadOut(QPainter& painter, QPointF at) const;

    ChartFrame* frame_;
    CurveAxes axes_;
    std::vector<ChartLine> lines_;
    std::vector<ChartMark> marks_;
    std::vector<bool> shown_;
    std::optional<std::size_t> highlighted_;
    Ringed ringed_;
};

} // namespace assay
