#pragma once

#include "widgets/space/drawing/space_drawing.h"

#include <QOpenGLWidget>
#include <QPoint>
#include <QPolygonF>
#include <QString>

#include <memory>
#include <optional>

namespace assay {
class ThumbnailCache;
}

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
    /// @param pictures of samples, outlives this; null: samples are not drawn as pictures
    explicit SpaceCanvas(QWidget* parent, ThumbnailCache* pictures = nullptr);
    ~SpaceCanvas() override;

    void draw(Drawing drawing);
    const Drawing& drawing() const noexcept { return drawing_; }
    void resetView();
    /// Tool of the next drag. With Move, Ctrl draws a rectangle, so that a selection needs no change of tools.
    void setTool(Tool tool);
    Tool tool() const noexcept { return tool_; }
    /// Outline that is being drawn; empty while none is.
    const QPolygonF& outline() const noexcept { return outline_; }
    /// Gives up what is being drawn. @return whether something was
    bool cancelGesture();
    /// Turns about this point from now on.
    void lookAt(const Point& point);

    /// Whether all points are drawn as they are to be seen now; many take several frames.
    bool isWhole() const noexcept { return whole_; }

    /// The sample whose picture covers a position; see Drawing::thumbnails.
    std::optional<SampleId> pictureAt(QPointF at) const;
    const SpaceCamera& camera() const noexcept { return camera_; }

signals:
    void clicked(QPointF at, Qt::KeyboardModifiers modifiers);
    /// A rectangle or a lasso was drawn; its last corner is to be joined with the first.
    void outlined(QPolygonF outline, Qt::KeyboardModifiers modifiers);
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

    Drawing drawing_;
    SpaceCamera camera_;
    std::unique_ptr<SpaceScene> scene_; ///< null while there is no context
    bool whole_ = false;
    SpaceOverlay* overlay_;
    Tool tool_ = Tool::Move;
    bool fitted_ = false; ///< the view is as resetView() leaves it
    Gesture gesture_ = Gesture::None;
    QPolygonF outline_;
    QPointF pressedAt_, lastAt_;
};

} // namespace assay::space
