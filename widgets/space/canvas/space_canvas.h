#pragma once

#include "widgets/link/space_points.h"
#include "widgets/space/drawing/space_drawing.h"
#include "widgets/space/plane/plane_picture.h"

#include <QOpenGLWidget>
#include <QPoint>
#include <QPolygonF>
#include <QString>
#include <QStringList>

#include <array>
#include <memory>

class QRubberBand;

namespace assay::space {

class SpaceOverlay;
class SpaceScene;

/// Why 3D drawing is impossible here, for the person at the screen; empty when it is possible. Asks for an OpenGL
/// context to find out.
QString openGlProblem();

/// What a drag with the left button does.
enum class Tool { Move, Rectangle, Lasso };

/// The picture itself: draws the given clouds, moves with the mouse, and reports clicks and outlines. Knows nothing of
/// samples. Only to be made where openGlProblem() is empty.
class SpaceCanvas : public QOpenGLWidget {
    Q_OBJECT

public:
    explicit SpaceCanvas(QWidget* parent);
    /// A widget that lies over the points and under what is emphasised, as large as the picture.
    void insertLayer(QWidget* layer);
    ~SpaceCanvas() override;

    void setCloud(std::size_t index, Cloud cloud);
    void setHighlights(Highlights highlights);
    /// Drawn on the plane only.
    void setPlaneMap(PlaneMap map);
    const PlaneMap& planeMap() const noexcept { return planeMap_; }
    /// Background, axes, box frame and text.
    void setColors(const QColor& background, const QColor& axes, const QColor& frame, const QColor& text);
    /// @param titles of the axes; none where they mean nothing
    /// @param ranges values that lie at 0 and at 1 of each
    void setBox(const Box& box, const QStringList& titles, const std::array<AxisRange, 3>& ranges);
    /// How far from the box's centre anything is drawn.
    void setReach(float radius);
    /// On the plane the view slides and never turns.
    void setFlat(bool flat);
    void resetView();
    /// Tool of the next drag. With Move, Ctrl draws a rectangle, so that a selection needs no change of tools.
    void setTool(Tool tool);
    Tool tool() const noexcept { return tool_; }
    /// Outline that is being drawn; empty while none is.
    const QPolygonF& lasso() const noexcept { return lasso_; }
    /// Gives up what is being drawn. @return whether something was
    bool cancelGesture();
    /// Turns about this point from now on.
    void lookAt(const Point& point);

    /// Whether all points are drawn as they are to be seen now; many take several frames.
    bool isWhole() const noexcept { return whole_; }

    const Drawing& drawing() const noexcept { return drawing_; }
    const QStringList& axisTitles() const noexcept { return axisTitles_; }
    const std::array<AxisRange, 3>& axisRanges() const noexcept { return axisRanges_; }
    const SpaceCamera& camera() const noexcept { return camera_; }

signals:
    void clicked(QPointF at, Qt::KeyboardModifiers modifiers);
    /// A rectangle was drawn.
    void brushed(QRectF rectangle, Qt::KeyboardModifiers modifiers);
    /// An outline was drawn; its last corner is to be joined with the first.
    void lassoed(QPolygonF outline, Qt::KeyboardModifiers modifiers);
    /// Other points are seen, or at other places.
    void viewMoved();
    void pointed(QPointF at);
    void left();

protected:
    void initializeGL() override;
    void paintGL() override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    enum class Gesture { None, Pending, Rotate, Pan, Brush, Lasso };

    void beginGesture(const QMouseEvent& event);
    void releaseScene();
    void redraw();
    void makeOpaque();
    void moveView();
    void showCursor();

    Drawing drawing_;
    PlaneMap planeMap_;
    QStringList axisTitles_;
    std::array<AxisRange, 3> axisRanges_{};
    SpaceCamera camera_;
    std::unique_ptr<SpaceScene> scene_; ///< null while there is no context
    bool whole_ = false;
    SpaceOverlay* overlay_;
    QWidget* layer_ = nullptr; ///< null: none was inserted
    QRubberBand* band_;
    Tool tool_ = Tool::Move;
    bool flat_ = false;
    bool fitted_ = false; ///< the view is as resetView() leaves it
    Gesture gesture_ = Gesture::None;
    QPolygonF lasso_;
    QPointF pressedAt_, lastAt_;
};

} // namespace assay::space
