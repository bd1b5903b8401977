#pragma once

#include "widgets/space/space_drawing.h"

#include <QOpenGLWidget>
#include <QPoint>
#include <QString>
#include <QStringList>

#include <memory>

class QRubberBand;

namespace assay::space {

class SpaceOverlay;
class SpaceScene;

/// Why 3D drawing is impossible here, for the person at the screen; empty when it is possible. Asks for an OpenGL
/// context to find out.
QString openGlProblem();

/// The 3D picture itself: draws the given clouds, turns with the mouse, and reports clicks. Knows nothing of
/// samples. Only to be made where openGlProblem() is empty.
class SpaceCanvas : public QOpenGLWidget {
    Q_OBJECT

public:
    explicit SpaceCanvas(QWidget* parent);
    ~SpaceCanvas() override;

    void setCloud(std::size_t index, Cloud cloud);
    void setHighlights(Highlights highlights);
    /// Background, axes, box frame and text.
    void setColors(const QColor& background, const QColor& axes, const QColor& frame, const QColor& text);
    /// @param titles of the three axes
    void setBox(const Box& box, const QStringList& titles);
    /// How far from the box's centre anything is drawn.
    void setReach(float radius);
    void resetView();
    /// Turns about this point from now on.
    void lookAt(const Point& point);

    /// Whether all points are drawn as they are to be seen now; many take several frames.
    bool isWhole() const noexcept { return whole_; }

    const Drawing& drawing() const noexcept { return drawing_; }
    const QStringList& axisTitles() const noexcept { return axisTitles_; }
    const SpaceCamera& camera() const noexcept { return camera_; }

signals:
    void clicked(QPointF at, Qt::KeyboardModifiers modifiers);
    /// A rectangle was drawn with Ctrl held.
    void brushed(QRectF rectangle, Qt::KeyboardModifiers modifiers);
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
    enum class Gesture { None, Pending, Rotate, Pan, Brush };

    void beginGesture(const QMouseEvent& event);
    void releaseScene();
    void redraw();

    Drawing drawing_;
    QStringList axisTitles_;
    SpaceCamera camera_;
    std::unique_ptr<SpaceScene> scene_; ///< null while there is no context
    bool whole_ = false;
    SpaceOverlay* overlay_;
    QRubberBand* band_;
    Gesture gesture_ = Gesture::None;
    QPointF pressedAt_, lastAt_;
};

} // namespace assay::space
