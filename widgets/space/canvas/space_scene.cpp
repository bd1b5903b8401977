#include "widgets/space/canvas/space_scene.h"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkFlyingEdges2D.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOutlineSource.h>
#include <vtkPlaneSource.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkShaderProperty.h>
#include <vtkSphereSource.h>
#include <vtkTexture.h>
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

std::array<double, 3> toDoubles(const QColor& color) {
    return {color.redF(), color.greenF(), color.blueF()};
}

/// One tuple for each index below `count`.
template <class Array>
vtkNew<Array> arrayOf(std::size_t count, int components, const auto& tupleAt) {
    vtkNew<Array> array;
    array->SetNumberOfComponents(components);
    array->SetNumberOfTuples(static_cast<vtkIdType>(count));
    for (std::size_t i = 0; i < count; ++i)
        array->SetTypedTuple(static_cast<vtkIdType>(i), tupleAt(i).data());
    return array;
}

/// Draws data in their own colours, without light.
void drawPlain(vtkActor* actor, vtkPolyDataMapper* mapper) {
    actor->SetMapper(mapper);
    actor->GetProperty()->SetLighting(false);
    actor->SetVisibility(false);
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
        drawPlain(actor_, mapper_);
        actor_->GetShaderProperty()->AddFragmentShaderReplacement("//VTK::Light::Impl", true, kShader, false);
        actor_->GetShaderProperty()->GetFragmentCustomUniforms()->SetUniformf("diamond",
                                                                              shape == Shape::Diamond ? 1.0F : 0.0F);
    }

    vtkActor* actor() { return actor_; }

    void setPoints(const std::vector<Point>& points, const std::vector<std::uint32_t>& rows) {
        vtkNew<vtkPoints> places;
        places->SetData(arrayOf<vtkFloatArray>(rows.size(), 3, [&](std::size_t i) { return points[rows[i]]; }));
        vtkNew<vtkCellArray> cells;
        cells->InsertNextCell(static_cast<int>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i)
            cells->InsertCellPoint(static_cast<vtkIdType>(i));
        data_->SetPoints(places);
        data_->SetVerts(cells);
        data_->Modified();
    }

    void setColors(const std::vector<Rgb>& colors, const std::vector<std::uint32_t>& rows) {
        data_->GetPointData()->SetScalars(
            arrayOf<vtkUnsignedCharArray>(rows.size(), 3, [&](std::size_t i) { return colors[rows[i]]; }));
    }

    void setDiameter(double devicePixels) { actor_->GetProperty()->SetPointSize(static_cast<float>(devicePixels)); }
    void show(bool visible) { actor_->SetVisibility(visible); }

private:
    vtkNew<vtkPolyData> data_;
    vtkNew<vtkPolyDataMapper> mapper_;
    vtkNew<vtkActor> actor_;
};

/// A part of a cloud, spread all over it and small enough to be drawn within the budget by any machine. Nothing is made
/// of it before it is drawn for the first time.
struct Piece {
    static constexpr std::size_t kRows = 16'384;

    Piece(std::size_t ofCloud, std::size_t at, Shape shape) : cloud(ofCloud), first(at * kRows), dots(shape) {}

    std::size_t cloud;
    std::size_t first; ///< place of its first row among all of the cloud, stepFor() rows apart
    Dots dots;
    std::vector<std::uint32_t> points;              ///< rows that are drawn
    std::shared_ptr<const std::vector<bool>> shown; ///< by which these were chosen
    Colors colors;                                  ///< that it has now; null: nothing was made yet
};

/// Step between rows that come one after the other, modulo their count: the golden section spreads any first so many
/// evenly. It has no divisor in common with the count.
std::size_t stepFor(std::size_t count) {
    auto step = std::max<std::size_t>(1, static_cast<std::size_t>(0.618 * static_cast<double>(count)));
    while (std::gcd(step, count) > 1)
        ++step;
    return step;
}

/// The edges of the box; the three that start at its low corner are the axes.
class BoxEdges {
public:
    BoxEdges() {
        mapper_->SetInputData(data_);
        drawPlain(actor_, mapper_);
        mapper_->SetScalarModeToUseCellData();
    }

    vtkActor* actor() { return actor_; }

    void set(const Box& box, Rgb axes, Rgb frame) {
        vtkNew<vtkOutlineSource> outline;
        outline->SetBounds(box.low[0], box.high[0], box.low[1], box.high[1], box.low[2], box.high[2]);
        outline->Update();
        data_->ShallowCopy(outline->GetOutput());
        data_->GetCellData()->SetScalars(arrayOf<vtkUnsignedCharArray>(
            static_cast<std::size_t>(data_->GetNumberOfCells()), 3, [&](std::size_t edge) {
                vtkIdList* ends = data_->GetCell(static_cast<vtkIdType>(edge))->GetPointIds();
                return ends->FindIdLocation(0) >= 0 ? axes : frame;
            }));
    }

    void scale(double width) { actor_->GetProperty()->SetLineWidth(static_cast<float>(width)); }

private:
    vtkNew<vtkPolyData> data_;
    vtkNew<vtkPolyDataMapper> mapper_;
    vtkNew<vtkActor> actor_;
};

/// A PlaneMap: its picture, and the contours of the real set's density.
class MapLayer {
public:
    MapLayer() {
        texture_->SetInputData(pixels_);
        texture_->InterpolateOn();
        texture_->SetColorModeToDirectScalars();
        rectangleMapper_->SetInputConnection(rectangle_->GetOutputPort());
        drawPlain(picture_, rectangleMapper_);
        picture_->SetTexture(texture_);
        picture_->SetForceTranslucent(true);
        contours_->SetInputData(density_);
        contours_->ComputeScalarsOff();
        lineMapper_->SetInputConnection(contours_->GetOutputPort());
        lineMapper_->ScalarVisibilityOff();
        drawPlain(lines_, lineMapper_);
    }

    std::array<vtkActor*, 2> actors() const { return {picture_, lines_}; }

    /// @param map null: nothing
    void set(std::shared_ptr<const PlaneMap> map) {
        if (map_ == map)
            return;
        map_ = std::move(map);
        if (!map_)
            return;
        const PlaneGrid& grid = map_->density->map.grid;
        const auto fill = [&](vtkImageData* image, vtkDataArray* values) {
            image->SetDimensions(static_cast<int>(grid.columns), static_cast<int>(grid.rows), 1);
            image->GetPointData()->SetScalars(values);
            image->Modified();
        };
        fill(pixels_, arrayOf<vtkUnsignedCharArray>(grid.cells(), 4, [&](std::size_t i) { return map_->pixels[i]; }));
        rectangle_->SetOrigin(grid.low[0], grid.low[1], 0.0);
        rectangle_->SetPoint1(grid.high[0], grid.low[1], 0.0);
        rectangle_->SetPoint2(grid.low[0], grid.high[1], 0.0);
        fill(density_, arrayOf<vtkFloatArray>(grid.cells(), 1,
                                              [&](std::size_t i) { return std::array{map_->density->map.real[i]}; }));
        density_->SetOrigin(grid.low[0] + grid.cellWidth() / 2, grid.low[1] + grid.cellHeight() / 2, 0.0);
        density_->SetSpacing(grid.cellWidth(), grid.cellHeight(), 1.0);
        contours_->SetNumberOfContours(0);
        int count = 0;
        for (const float level : map_->density->levels)
            if (level > 0.0F)
                contours_->SetValue(count++, static_cast<double>(level));
        lines_->GetProperty()->SetColor(toDoubles(map_->contours).data());
    }

    /// Before or behind the points, which lie about the camera's focal point.
    /// @param scale device pixels per logical pixel
    void place(const SpaceCamera& camera, double scale) {
        // A tenth of the way to the camera: within its planes however close it comes.
        const double step = 0.1 * static_cast<double>((camera.position() - camera.focalPoint()).length());
        picture_->SetPosition(0.0, 0.0, isOver() ? step : -2.0 * step);
        lines_->SetPosition(0.0, 0.0, -step);
        lines_->GetProperty()->SetLineWidth(static_cast<float>(1.2 * scale));
    }

    /// @param first whether the first of the points are being drawn, on top of what lies below them
    /// @param last whether the last of them are, and what lies over them follows
    void show(bool first, bool last) {
        picture_->SetVisibility(map_ && (isOver() ? last : first));
        lines_->SetVisibility(map_ && first);
    }

private:
    bool isOver() const { return map_ && map_->kind == MapKind::Difference; }

    std::shared_ptr<const PlaneMap> map_;
    vtkNew<vtkImageData> pixels_, density_;
    vtkNew<vtkTexture> texture_;
    vtkNew<vtkPlaneSource> rectangle_;
    vtkNew<vtkFlyingEdges2D> contours_;
    vtkNew<vtkPolyDataMapper> rectangleMapper_, lineMapper_;
    vtkNew<vtkActor> picture_, lines_;
};

} // namespace

struct SpaceScene::Parts {
    MapLayer plane;
    vtkNew<vtkGenericOpenGLRenderWindow> window;
    vtkNew<vtkRenderer> renderer;
    vtkNew<vtkCamera> camera;
    std::array<Cloud, kClouds> clouds;
    std::vector<Piece> pieces; ///< of all clouds in turn
    BoxEdges box;
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

void SpaceScene::show(const Drawing& drawing) {
    Parts& p = *parts_;
    p.stale = true;
    p.renderer->SetBackground(toDoubles(drawing.background).data());
    p.box.set(drawing.box, toRgb(drawing.axes), toRgb(drawing.frame));
    p.plane.set(drawing.map);
    p.hasBall = drawing.highlights.ball.has_value();
    if (const auto& ball = drawing.highlights.ball) {
        p.sphere->SetCenter(ball->centre[0], ball->centre[1], ball->centre[2]);
        p.sphere->SetRadius(ball->radius);
        p.ball->GetProperty()->SetColor(toDoubles(ball->color).data());
    }
    // Coordinates change with the audit, colours with every rule.
    const bool samePoints = std::ranges::equal(p.clouds, drawing.clouds, {}, &Cloud::points, &Cloud::points);
    p.clouds = drawing.clouds;
    if (!samePoints)
        p.makePieces();
}

void SpaceScene::Parts::makePieces() {
    for (Piece& piece : pieces)
        renderer->RemoveActor(piece.dots.actor());
    pieces.clear();
    constexpr std::array kShapes{Shape::Diamond, Shape::Disc, Shape::Disc};
    const auto isLeft = [](std::size_t at, const Cloud& cloud) {
        return cloud.points && at * Piece::kRows < cloud.points->size();
    };
    // In turn of each cloud, as long as any has rows left.
    for (std::size_t at = 0; std::ranges::any_of(clouds, [&](const Cloud& cloud) { return isLeft(at, cloud); }); ++at)
        for (std::size_t c = 0; c < clouds.size(); ++c)
            if (isLeft(at, clouds[c])) {
                pieces.emplace_back(c, at, kShapes[c]);
                renderer->AddActor(pieces.back().dots.actor());
            }
}

void SpaceScene::Parts::prepare(Piece& piece) {
    const Cloud& cloud = clouds[piece.cloud];
    const bool isNew = !piece.colors || piece.shown != cloud.shown;
    if (isNew) {
        piece.points.clear();
        const std::size_t count = cloud.points->size();
        const std::size_t step = stepFor(count);
        for (std::size_t i = piece.first; i < std::min(piece.first + Piece::kRows, count); ++i)
            if (const std::size_t row = i * step % count;
                (!cloud.shown || (*cloud.shown)[row]) && isPlaced((*cloud.points)[row]))
                piece.points.push_back(static_cast<std::uint32_t>(row));
        piece.dots.setPoints(*cloud.points, piece.points);
        piece.shown = cloud.shown;
    }
    if (isNew || piece.colors != cloud.colors)
        piece.dots.setColors(*cloud.colors, piece.points);
    piece.colors = cloud.colors;
    piece.dots.setDiameter(static_cast<double>(cloud.diameter) * scale);
    // The synthetic set, which is audited, lies above the real one on the plane.
    const auto lift = seenBy.isFlat() ? 0.01F * static_cast<float>(piece.cloud) * seenBy.halfHeight() : 0.0F;
    piece.dots.actor()->SetPosition(0.0, 0.0, static_cast<double>(lift));
    piece.dots.show(cloud.visible && !piece.points.empty());
}

void SpaceScene::Parts::placeCamera() {
    window->SetSize(pixels.width(), pixels.height());
    box.scale(scale);
    plane.place(seenBy, scale);
    const auto doubles = [](QVector3D v) { return std::array<double, 3>{v.x(), v.y(), v.z()}; };
    camera->SetPosition(doubles(seenBy.position()).data());
    camera->SetFocalPoint(doubles(seenBy.focalPoint()).data());
    camera->SetViewUp(doubles(seenBy.viewUp()).data());
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
