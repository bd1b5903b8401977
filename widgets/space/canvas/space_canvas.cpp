#include "widgets/space/canvas/space_canvas.h"

#include "widgets/space/canvas/space_overlay.h"
#include "widgets/space/canvas/space_scene.h"

#include <QApplication>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace assay::space {
namespace {

QSurfaceFormat wantedFormat() {
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    format.setStencilBufferSize(8);
    return format;
}

/// Mesa draws in software where there is no graphics card; there 200,000 points take five times as long with it.
SpaceScene::Multisampling affordableMultisampling(QOpenGLContext& context) {
    const auto* name = reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER));
    const QByteArrayView renderer(name ? name : "");
    const bool software = renderer.contains("llvmpipe") || renderer.contains("softpipe");
    return software ? SpaceScene::Multisampling::Off : SpaceScene::Multisampling::On;
}

} // namespace

QString openGlProblem() {
    // Some platforms make a context but cannot put an OpenGL widget into a window; Qt asks them only in private.
    const QString platform = QGuiApplication::platformName();
    const auto windowless = {u"offscreen", u"minimal", u"minimalegl", u"linuxfb", u"vnc"};
    if (std::find(windowless.begin(), windowless.end(), platform) != windowless.end())
        return SpaceCanvas::tr("the \"%1\" platform cannot show it in a window").arg(platform);
    QOpenGLContext context;
    context.setFormat(wantedFormat());
    QOffscreenSurface surface;
    surface.setFormat(wantedFormat());
    surface.create();
    if (!context.create() || !surface.isValid() || !context.makeCurrent(&surface))
        return SpaceCanvas::tr("no OpenGL context could be made");
    const std::pair version = context.format().version();
    context.doneCurrent();
    if (context.isOpenGLES() || version < std::pair(3, 2))
        return SpaceCanvas::tr("OpenGL 3.2 is needed, found %1.%2").arg(version.first).arg(version.second);
#if defined(Q_OS_LINUX) && QT_CONFIG(xcb_glx_plugin)
    // VTK's loader asks GLX for the functions; under Wayland and EGL it finds none.
    if (!context.nativeInterface<QNativeInterface::QGLXContext>())
        return SpaceCanvas::tr("the \"%1\" platform offers no GLX; start with QT_QPA_PLATFORM=xcb").arg(platform);
#endif
    return {};
}

SpaceCanvas::SpaceCanvas(QWidget* parent, ThumbnailCache* pictures)
    : QOpenGLWidget(parent), overlay_(new SpaceOverlay(this, pictures)) {
    setFormat(wantedFormat());
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(120, 40);
}

std::optional<SampleId> SpaceCanvas::pictureAt(QPointF at) const {
    return overlay_->pictureAt(at);
}

SpaceCanvas::~SpaceCanvas() {
    // The base class ends the context later, when the SpaceCanvas no longer exists to handle it.
    if (context())
        disconnect(context(), nullptr, this, nullptr);
    releaseScene();
}

void SpaceCanvas::releaseScene() {
    if (!scene_)
        return;
    makeCurrent();
    scene_.reset();
    doneCurrent();
}

void SpaceCanvas::redraw() {
    whole_ = false;
    overlay_->update();
    update();
}

void SpaceCanvas::draw(Drawing drawing) {
    const bool sameScene = drawing_.hasScene(drawing);
    drawing_ = std::move(drawing);
    camera_.setScene(drawing_.box.centre(), drawing_.reach);
    overlay_->update();
    if (sameScene)
        return; // the rest lies over the picture
    if (scene_)
        scene_->show(drawing_);
    redraw();
}

void SpaceCanvas::resetView() {
    constexpr double kMargin = 1.08; // so that nothing lies under the axes
    const QVector3D half = (toVector(drawing_.box.high) - toVector(drawing_.box.low)) / 2;
    if (drawing_.isFlat)
        camera_.fitFlat(drawing_.box.centre(), QSizeF(half.x(), half.y()) * kMargin, size());
    else
        camera_.fit(drawing_.box.centre(), drawing_.box.radius());
    moveView();
    fitted_ = true;
}

void SpaceCanvas::setTool(Tool tool) {
    tool_ = tool;
    setCursor(tool == Tool::Move ? Qt::ArrowCursor : Qt::CrossCursor);
}

bool SpaceCanvas::cancelGesture() {
    const Gesture ended = std::exchange(gesture_, Gesture::None);
    outline_.clear();
    overlay_->update();
    return ended == Gesture::Brush || ended == Gesture::Lasso;
}

void SpaceCanvas::moveView() {
    fitted_ = false;
    redraw();
    emit viewMoved();
}

void SpaceCanvas::lookAt(const Point& point) {
    camera_.lookAt(toVector(point));
    moveView();
}

void SpaceCanvas::initializeGL() {
    // Tearing off a dock makes a new context; what the old one holds must go while it is still there.
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &SpaceCanvas::releaseScene);
    scene_ = std::make_unique<SpaceScene>(affordableMultisampling(*context()));
    scene_->show(drawing_);
}

void SpaceCanvas::paintGL() {
    const double scale = devicePixelRatioF();
    const QSize pixels(static_cast<int>(std::lround(width() * scale)), static_cast<int>(std::lround(height() * scale)));
    if (!scene_ || pixels.isEmpty())
        return;
    whole_ = scene_->render(camera_, pixels, scale);
    makeOpaque();
    if (!whole_)
        update();
}

/// VTK leaves what it blends translucent, and Qt would let the window's colour shine through there.
void SpaceCanvas::makeOpaque() {
    QOpenGLFunctions& gl = *context()->functions();
    std::array<GLfloat, 4> before{};
    gl.glGetFloatv(GL_COLOR_CLEAR_VALUE, before.data());
    gl.glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
    gl.glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    gl.glClearColor(0.0F, 0.0F, 0.0F, 1.0F);
    gl.glClear(GL_COLOR_BUFFER_BIT);
    gl.glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl.glClearColor(before[0], before[1], before[2], before[3]);
}

void SpaceCanvas::resizeEvent(QResizeEvent* event) {
    overlay_->setGeometry(rect());
    if (drawing_.isFlat && fitted_)
        resetView();
    else
        emit viewMoved();
    QOpenGLWidget::resizeEvent(event);
}

void SpaceCanvas::mousePressEvent(QMouseEvent* event) {
    pressedAt_ = lastAt_ = event->position();
    gesture_ = Gesture::Pending;
    if (event->button() == Qt::MiddleButton)
        gesture_ = Gesture::Pan;
    else if (event->button() != Qt::LeftButton)
        gesture_ = Gesture::None;
}

void SpaceCanvas::beginGesture(const QMouseEvent& event) {
    if (tool_ == Tool::Lasso)
        gesture_ = Gesture::Lasso;
    else if (tool_ == Tool::Rectangle || event.modifiers() & Qt::ControlModifier)
        gesture_ = Gesture::Brush;
    else if (drawing_.isFlat || event.modifiers() & Qt::ShiftModifier)
        gesture_ = Gesture::Pan;
    else
        gesture_ = Gesture::Rotate;
    emit left();
    outline_ = gesture_ == Gesture::Lasso ? QPolygonF{pressedAt_} : QPolygonF();
}

void SpaceCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() == Qt::NoButton) {
        emit pointed(event->position());
        return;
    }
    const bool moved = (event->position() - pressedAt_).manhattanLength() >= QApplication::startDragDistance();
    if (gesture_ == Gesture::Pending && moved)
        beginGesture(*event);
    const QPointF delta = event->position() - lastAt_;
    if (gesture_ != Gesture::Pending)
        lastAt_ = event->position();
    if (gesture_ == Gesture::Rotate)
        camera_.rotate(delta, size());
    else if (gesture_ == Gesture::Pan)
        camera_.pan(delta, size());
    else if (gesture_ == Gesture::Brush)
        outline_ = QRectF(pressedAt_, event->position()).normalized();
    else if (gesture_ == Gesture::Lasso)
        outline_ << event->position();
    overlay_->update();
    if (gesture_ == Gesture::Rotate || gesture_ == Gesture::Pan)
        moveView();
}

void SpaceCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Gesture ended = std::exchange(gesture_, Gesture::None);
    const QPolygonF outline = std::exchange(outline_, {});
    overlay_->update();
    if (ended == Gesture::Pending && event->button() == Qt::LeftButton)
        emit clicked(event->position(), event->modifiers());
    else if (ended == Gesture::Brush || ended == Gesture::Lasso)
        emit outlined(outline, event->modifiers());
}

void SpaceCanvas::wheelEvent(QWheelEvent* event) {
    camera_.zoom(std::pow(1.0015F, static_cast<float>(event->angleDelta().y())), event->position(), size());
    event->accept();
    moveView();
}

void SpaceCanvas::leaveEvent(QEvent* event) {
    emit left();
    QOpenGLWidget::leaveEvent(event);
}

} // namespace assay::space
