#include "widgets/space/canvas/space_scene.h"

#include "widgets/space/canvas/plane_layer.h"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkShaderProperty.h>
#include <vtkSphereSource.h>
#include <vtkUniforms.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace assay::space {
namespace {

// Points are squares to OpenGL: keep the inscribed disc or diamond, with a rim so that neighbours stay apart. Edges
// fade over a pixel; they are blended in the order of drawing, not of depth, which over one pixel nobody sees.
constexpr const char* kShader = R"(//VTK::Light::Impl
  vec2 fromCentre = 2.0 * gl_PointCoord - vec2(1.0);
  float pixel = fwidth(fromCentre.x);
  float offCentre = diamond > 0.5 ? abs(fromCentre.x) + abs(fromCentre.y) : length(fromCentre);
  if (offCentre > 1.0) discard;
  float inRim = smoothstep(0.82 - 0.5 * pixel, 0.82 + 0.5 * pixel, offCentre);
  fragOutput0.rgb *= 1.0 - 0.3 * inRim;
  fragOutput0.a *= 1.0 - smoothstep(1.0 - 1.2 * pixel, 1.0, offCentre);
)";

constexpr std::size_t kPieceRows = 16'384;

/// Some rows of a set, spread all over it: the i-th one is i * step modulo the count, and step has no divisor in common
/// with the count.
class Rows {
public:
    Rows() = default;
    Rows(std::size_t first, std::size_t end, std::size_t step, std::size_t count)
        : first_(first), end_(end), step_(step), count_(count) {}

    std::size_t size() const { return end_ - first_; }
    std::size_t operator[](std::size_t i) const { return (first_ + i) * step_ % count_; }

    /// All rows of a set, a piece at a time.
    static std::vector<Rows> pieces(std::size_t count) {
        // The golden section spreads any first so many evenly.
        auto step = std::max<std::size_t>(1, static_cast<std::size_t>(0.618 * static_cast<double>(count)));
        while (std::gcd(step, count) > 1)
            ++step;
        std::vector<Rows> all;
        for (std::size_t first = 0; first < count; first += kPieceRows)
            all.emplace_back(first, std::min(first + kPieceRows, count), step, count);
        return all;
    }

private:
    std::size_t first_ = 0, end_ = 0, step_ = 1, count_ = 1;
};

std::array<double, 3> toDoubles(const QColor& color) {
    return {color.redF(), color.greenF(), color.blueF()};
}

vtkNew<vtkUnsignedCharArray> colorArray(const std::vector<Rgb>& colors) {
    vtkNew<vtkUnsignedCharArray> array;
    array->SetNumberOfComponents(3);
    array->SetNumberOfTuples(static_cast<vtkIdType>(colors.size()));
    for (std::size_t i = 0; i < colors.size(); ++i)
        array->SetTypedTuple(static_cast<vtkIdType>(i), colors[i].data());
    return array;
}

/// Shape of a point, so that colour alone never distinguishes real from synthetic samples.
enum class Shape { Disc, Diamond };

/// Points of one shape: one cell, one colour a point.
///
/// Not vtkPointGaussianMapper: its splats have a size in the points' unit, which grows on the screen as one comes
/// closer, while these keep their size; and its shader places the splat's edge in that unit, too, so that a rim of one
/// pixel, and a shape by set, would take as much shader code as here.
class Dots {
public:
    explicit Dots(Shape shape) {
        mapper_->SetInputData(data_);
        actor_->SetMapper(mapper_);
        actor_->GetProperty()->SetLighting(false);
        actor_->GetShaderProperty()->AddFragmentShaderReplacement("//VTK::Light::Impl", true, kShader, false);
        actor_->GetShaderProperty()->GetFragmentCustomUniforms()->SetUniformf("diamond",
                                                                              shape == Shape::Diamond ? 1.0F : 0.0F);
        actor_->SetVisibility(false);
    }

    vtkActor* actor() { return actor_; }

    void setPoints(const std::vector<Point>& points, const std::vector<std::uint32_t>& rows) {
        const auto count = static_cast<vtkIdType>(rows.size());
        vtkNew<vtkFloatArray> coordinates;
        coordinates->SetNumberOfComponents(3);
        coordinates->SetNumberOfTuples(count);
        for (vtkIdType i = 0; i < count; ++i)
            coordinates->SetTypedTuple(i, points[rows[static_cast<std::size_t>(i)]].data());
        vtkNew<vtkPoints> vtkPoints;
        vtkPoints->SetData(coordinates);
        vtkNew<vtkCellArray> cells;
        cells->InsertNextCell(static_cast<int>(count));
        for (vtkIdType i = 0; i < count; ++i)
            cells->InsertCellPoint(i);
        data_->SetPoints(vtkPoints);
        data_->SetVerts(cells);
        data_->Modified();
    }

    void setColors(const std::vector<Rgb>& colors, const std::vector<std::uint32_t>& rows) {
        const auto count = static_cast<vtkIdType>(rows.size());
        vtkNew<vtkUnsignedCharArray> array;
        array->SetNumberOfComponents(3);
        array->SetNumberOfTuples(count);
        for (vtkIdType i = 0; i < count; ++i)
            array->SetTypedTuple(i, colors[rows[static_cast<std::size_t>(i)]].data());
        data_->GetPointData()->SetScalars(array);
    }

    void setDiameter(double devicePixels) { actor_->GetProperty()->SetPointSize(static_cast<float>(devicePixels)); }
    void show(bool visible) { actor_->SetVisibility(visible); }

private:
    vtkNew<vtkPolyData> data_;
    vtkNew<vtkPolyDataMapper> mapper_;
    vtkNew<vtkActor> actor_;
};

/// A part of a cloud, small enough to be drawn within the budget by any machine. Nothing is made of it before it is
/// drawn for the first time.
struct Piece {
    Piece(std::size_t ofCloud, Rows ofRows, Shape shape) : cloud(ofCloud), rows(ofRows), dots(shape) {}

    std::size_t cloud;
    Rows rows;
    Dots dots;
    std::vector<std::uint32_t> points;              ///< rows that are drawn
    std::shared_ptr<const std::vector<bool>> shown; ///< by which these were chosen
    Colors colors;                                  ///< that it has now; null: nothing was made yet
};

/// Thin lines, one colour a line.
class Lines {
public:
    Lines() {
        mapper_->SetInputData(data_);
        mapper_->SetScalarModeToUseCellData();
        actor_->SetMapper(mapper_);
        actor_->GetProperty()->SetLighting(false);
        actor_->SetVisibility(false);
    }

    vtkActor* actor() { return actor_; }

    void set(const std::vector<Segment>& segments) {
        vtkNew<vtkPoints> points;
        vtkNew<vtkCellArray> cells;
        std::vector<Rgb> colors;
        for (const Segment& segment : segments) {
            const vtkIdType ends[2] = {
                points->InsertNextPoint(segment.from.data()),
                points->InsertNextPoint(segment.to.data()),
            };
            cells->InsertNextCell(2, ends);
            colors.push_back(segment.color);
        }
        data_->SetPoints(points);
        data_->SetLines(cells);
        data_->GetCellData()->SetScalars(colorArray(colors));
        data_->Modified();
        actor_->SetVisibility(!segments.empty());
    }

    void scale(double width) { actor_->GetProperty()->SetLineWidth(static_cast<float>(width)); }

private:
    vtkNew<vtkPolyData> data_;
    vtkNew<vtkPolyDataMapper> mapper_;
    vtkNew<vtkActor> actor_;
};

/// The twelve edges of the box; the three that start at its low corner are the axes.
std::vector<Segment> boxEdges(const Box& box, Rgb axes, Rgb frame) {
    std::vector<Segment> edges;
    const auto corner = [&](unsigned bits) {
        Point p = box.low;
        for (unsigned axis = 0; axis < 3; ++axis)
            if ((bits >> axis & 1U) != 0)
                p[axis] = box.high[axis];
        return p;
    };
    for (unsigned from = 0; from < 8; ++from)
        for (unsigned axis = 0; axis < 3; ++axis)
            if ((from >> axis & 1U) == 0)
                edges.push_back({corner(from), corner(from | 1U << axis), from == 0 ? axes : frame});
    return edges;
}

} // namespace

struct SpaceScene::Parts {
    PlaneLayer plane;
    vtkNew<vtkGenericOpenGLRenderWindow> window;
    vtkNew<vtkRenderer> renderer;
    vtkNew<vtkCamera> camera;
    std::array<Cloud, kClouds> clouds;
    std::vector<Piece> pieces; ///< of all clouds in turn
    Lines box;
    vtkNew<vtkSphereSource> sphere;
    vtkNew<vtkPolyDataMapper> ballMapper;
    vtkNew<vtkActor> ball;
    bool hasBall = false;

    // Content of the framebuffer.
    SpaceCamera seenBy;
    QSize pixels;
    double scale = 0.0;
    bool stale = true;     ///< something else than these has changed since
    std::size_t drawn = 0; ///< pieces, from the first one on
    std::size_t batch = 2; ///< pieces that fit into the budget, by the last call

    void makePieces();
    void prepare(Piece& piece);
    bool isEmpty(const Cloud& cloud) const { return !cloud.visible || !cloud.points || cloud.points->empty(); }
    void placeCamera();
};

SpaceScene::SpaceScene(Multisampling multisampling) : parts_(std::make_unique<Parts>()) {
    Parts& p = *parts_;
    p.window->SetReadyForRendering(false);
    p.window->SetFrameBlitModeToBlitToCurrent();
    p.window->SetMultiSamples(multisampling == Multisampling::On ? 4 : 0);
    // Opaque, or Qt lets the window's colour shine through.
    p.renderer->SetBackgroundAlpha(1.0);
    p.renderer->SetActiveCamera(p.camera);
    p.window->AddRenderer(p.renderer);
    p.sphere->SetThetaResolution(64);
    p.sphere->SetPhiResolution(48);
    p.ballMapper->SetInputConnection(p.sphere->GetOutputPort());
    p.ball->SetMapper(p.ballMapper);
    p.ball->GetProperty()->SetOpacity(0.28);
    p.ball->GetProperty()->SetAmbient(0.55);
    p.ball->GetProperty()->SetDiffuse(0.45);
    p.ball->GetProperty()->SetBackfaceCulling(true);
    p.ball->SetVisibility(false);
    p.renderer->AddActor(p.box.actor());
    p.renderer->AddActor(p.ball);
    for (vtkActor* actor : p.plane.actors())
        p.renderer->AddActor(actor);
    p.window->SetMapped(true);
    p.window->SetIsCurrent(true);
    p.window->SetReadyForRendering(true);
    p.window->InitializeFromCurrentContext();
}

SpaceScene::~SpaceScene() {
    parts_->window->Finalize();
    parts_->window->SetReadyForRendering(false);
}

void SpaceScene::setCloud(std::size_t index, const Cloud& cloud) {
    Parts& p = *parts_;
    const bool samePoints = p.clouds[index].points == cloud.points;
    p.clouds[index] = cloud;
    p.stale = true;
    // Coordinates change with the audit, colours with every rule: only what is new goes to the graphics card.
    if (!samePoints)
        p.makePieces();
}

void SpaceScene::Parts::makePieces() {
    for (Piece& piece : pieces)
        renderer->RemoveActor(piece.dots.actor());
    pieces.clear();
    constexpr std::array kShapes{Shape::Diamond, Shape::Disc, Shape::Disc};
    std::array<std::vector<Rows>, kClouds> rows;
    std::size_t most = 0;
    for (std::size_t c = 0; c < clouds.size(); ++c)
        if (clouds[c].points && !clouds[c].points->empty())
            rows[c] = Rows::pieces(clouds[c].points->size());
    for (const auto& ofCloud : rows)
        most = std::max(most, ofCloud.size());
    for (std::size_t i = 0; i < most; ++i)
        for (std::size_t c = 0; c < clouds.size(); ++c)
            if (i < rows[c].size()) {
                pieces.emplace_back(c, rows[c][i], kShapes[c]);
                renderer->AddActor(pieces.back().dots.actor());
            }
}

void SpaceScene::Parts::prepare(Piece& piece) {
    const Cloud& cloud = clouds[piece.cloud];
    const bool isNew = !piece.colors || piece.shown != cloud.shown;
    if (isNew) {
        piece.points.clear();
        for (std::size_t i = 0; i < piece.rows.size(); ++i)
            if (const std::size_t row = piece.rows[i];
                (!cloud.shown || (*cloud.shown)[row]) && isPlaced((*cloud.points)[row]))
                piece.points.push_back(static_cast<std::uint32_t>(row));
        piece.dots.setPoints(*cloud.points, piece.points);
        piece.shown = cloud.shown;
    }
    if (isNew || piece.colors != cloud.colors)
        piece.dots.setColors(*cloud.colors, piece.points);
    piece.colors = cloud.colors;
    piece.dots.setDiameter(static_cast<double>(cloud.diameter) * scale);
    piece.dots.show(!isEmpty(cloud) && !piece.points.empty());
}

void SpaceScene::setBall(const std::optional<Ball>& ball) {
    Parts& p = *parts_;
    if (!ball && !p.hasBall)
        return;
    p.stale = true;
    p.hasBall = ball.has_value();
    if (!ball)
        return;
    p.sphere->SetCenter(ball->centre[0], ball->centre[1], ball->centre[2]);
    p.sphere->SetRadius(ball->radius);
    p.ball->GetProperty()->SetColor(toDoubles(ball->color).data());
}

void SpaceScene::setPlaneMap(const PlaneMap& map) {
    parts_->plane.set(map);
    parts_->stale = true;
}

void SpaceScene::setSurroundings(const Drawing& drawing) {
    parts_->renderer->SetBackground(toDoubles(drawing.background).data());
    parts_->box.set(boxEdges(drawing.box, toRgb(drawing.axes), toRgb(drawing.frame)));
    parts_->stale = true;
}

void SpaceScene::Parts::placeCamera() {
    window->SetSize(pixels.width(), pixels.height());
    box.scale(scale);
    plane.place(seenBy, scale);
    const auto set = [](auto setter, QVector3D v) { setter(v.x(), v.y(), v.z()); };
    set([&](double x, double y, double z) { camera->SetPosition(x, y, z); }, seenBy.position());
    set([&](double x, double y, double z) { camera->SetFocalPoint(x, y, z); }, seenBy.focalPoint());
    set([&](double x, double y, double z) { camera->SetViewUp(x, y, z); }, seenBy.viewUp());
    camera->SetViewAngle(SpaceCamera::kViewAngle);
    camera->SetParallelProjection(seenBy.isFlat());
    camera->SetParallelScale(static_cast<double>(seenBy.halfHeight()));
    camera->SetClippingRange(seenBy.nearPlane(), seenBy.farPlane());
}

bool SpaceScene::render(const SpaceCamera& camera, QSize pixels, double scale) {
    Parts& p = *parts_;
    const auto begun = std::chrono::steady_clock::now();
    const bool anew = p.stale || !(p.seenBy == camera) || p.pixels != pixels || p.scale != scale;
    if (anew) {
        p.seenBy = camera;
        p.pixels = pixels;
        p.scale = scale;
        p.stale = false;
        p.drawn = 0;
        p.placeCamera();
    }
    // Colours and depths of earlier calls stay.
    p.renderer->SetErase(anew);
    p.box.actor()->SetVisibility(anew && !camera.isFlat()); // on the plane, axes are at the edges
    const std::size_t end = std::min(p.drawn + p.batch, p.pieces.size());
    const bool ends = end == p.pieces.size();
    const bool wasOpen = anew || p.drawn < p.pieces.size();
    p.ball->SetVisibility(p.hasBall && !camera.isFlat() && ends && wasOpen);
    p.plane.show(camera.isFlat() && anew, camera.isFlat() && ends && wasOpen);
    for (std::size_t i = 0; i < p.pieces.size(); ++i)
        if (i >= p.drawn && i < end)
            p.prepare(p.pieces[i]);
        else
            p.pieces[i].dots.show(false);
    p.window->Render();
    p.window->WaitForCompletion();
    if (end > p.drawn) {
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
        const double fits =
            static_cast<double>(end - p.drawn) * (kBudget / std::max(took, std::chrono::duration<double>(1e-4)));
        // At least one of either set: small ones never come in pieces.
        p.batch =
            std::clamp(static_cast<std::size_t>(fits), std::size_t{2}, std::max<std::size_t>(2, 2 * (end - p.drawn)));
    }
    p.drawn = end;
    return ends;
}

} // namespace assay::space
