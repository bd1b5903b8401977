#include "widgets/space/space_scene.h"

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
#include <vtkRendererCollection.h>
#include <vtkShaderProperty.h>
#include <vtkSphereSource.h>
#include <vtkUniforms.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace assay::space {
namespace {

// Points are squares to OpenGL: keep the inscribed disc or diamond, with a rim so that neighbours stay apart. Edges
// fade over a pixel; they are blended in the order of drawing, not of depth, which over one pixel nobody sees.
constexpr const char* kShader = R"(//VTK::Light::Impl
  vec2 fromCentre = 2.0 * gl_PointCoord - vec2(1.0);
  float pixel = fwidth(fromCentre.x);
  float offCentre = diamond > 0.5 ? abs(fromCentre.x) + abs(fromCentre.y) : length(fromCentre);
  if (offCentre > 1.0) discard;
  float inRim = smoothstep(rimStart - 0.5 * pixel, rimStart + 0.5 * pixel, offCentre);
  vec3 rim = mix(fragOutput0.rgb * 0.7, rimColor, rimOpaque);
  // A coloured rim has dark edges on both sides: it must show on points and backgrounds of its own colour.
  float edge = edgeWidth * pixel;
  float outside = smoothstep(1.0 - edge - pixel, 1.0 - edge, offCentre);
  float inside = 1.0 - smoothstep(rimStart + edge - 0.5 * pixel, rimStart + edge + 0.5 * pixel, offCentre);
  rim = mix(rim, vec3(0.08), rimOpaque * step(0.01, edgeWidth) * max(outside, inside));
  fragOutput0.rgb = mix(fragOutput0.rgb, rim, inRim);
  fragOutput0.a *= 1.0 - smoothstep(1.0 - 1.2 * pixel, 1.0, offCentre);
)";

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

/// Shape of a point: never is colour alone what tells real from synthetic.
enum class Shape { Disc, Diamond };

/// Points of one shape: one cell, one colour a point.
class Dots {
public:
    explicit Dots(Shape shape = Shape::Disc) {
        mapper_->SetInputData(data_);
        actor_->SetMapper(mapper_);
        actor_->GetProperty()->SetLighting(false);
        actor_->GetShaderProperty()->AddFragmentShaderReplacement("//VTK::Light::Impl", true, kShader, false);
        actor_->GetShaderProperty()->GetFragmentCustomUniforms()->SetUniformf("diamond",
                                                                              shape == Shape::Diamond ? 1.0F : 0.0F);
        setRim(std::nullopt, 0.82F, 0.0F);
        actor_->SetVisibility(false);
    }

    vtkActor* actor() { return actor_; }

    /// A rim of this colour, or of the point's own colour darkened.
    /// @param start where it begins, as a share of the radius
    /// @param edge width of the dark edges on both sides of a coloured rim, device pixels
    void setRim(std::optional<QColor> color, float start, float edge) {
        float rgb[3] = {0, 0, 0};
        if (color)
            color->getRgbF(&rgb[0], &rgb[1], &rgb[2]);
        vtkUniforms* uniforms = actor_->GetShaderProperty()->GetFragmentCustomUniforms();
        uniforms->SetUniform3f("rimColor", rgb);
        uniforms->SetUniformf("rimOpaque", color ? 1.0F : 0.0F);
        uniforms->SetUniformf("rimStart", start);
        uniforms->SetUniformf("edgeWidth", edge);
    }

    void setPoints(const std::vector<Point>& points, const std::vector<Rgb>& colors) {
        const auto count = static_cast<vtkIdType>(points.size());
        vtkNew<vtkFloatArray> coordinates;
        coordinates->SetNumberOfComponents(3);
        coordinates->SetNumberOfTuples(count);
        for (vtkIdType i = 0; i < count; ++i)
            coordinates->SetTypedTuple(i, points[static_cast<std::size_t>(i)].data());
        vtkNew<vtkPoints> vtkPoints;
        vtkPoints->SetData(coordinates);
        vtkNew<vtkCellArray> cells;
        cells->InsertNextCell(static_cast<int>(count));
        for (vtkIdType i = 0; i < count; ++i)
            cells->InsertCellPoint(i);
        data_->SetPoints(vtkPoints);
        data_->SetVerts(cells);
        setColors(colors);
        data_->Modified();
    }

    void setColors(const std::vector<Rgb>& colors) { data_->GetPointData()->SetScalars(colorArray(colors)); }

    void setDiameter(float logicalPixels) { diameter_ = logicalPixels; }
    void scale(double factor) { actor_->GetProperty()->SetPointSize(static_cast<float>(diameter_ * factor)); }
    void show(bool visible) { actor_->SetVisibility(visible); }

private:
    vtkNew<vtkPolyData> data_;
    vtkNew<vtkPolyDataMapper> mapper_;
    vtkNew<vtkActor> actor_;
    float diameter_ = 5.0F;
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
    vtkNew<vtkGenericOpenGLRenderWindow> window;
    vtkNew<vtkRenderer> base;  ///< the clouds, the box, the ball
    vtkNew<vtkRenderer> front; ///< what is emphasised: never hidden behind the clouds
    vtkNew<vtkCamera> camera;
    std::array<Dots, 2> clouds{Dots(Shape::Diamond), Dots(Shape::Disc)};
    std::array<std::shared_ptr<const std::vector<Point>>, 2> shown;
    std::array<Dots, kMarkKinds> marks;
    Lines box, links;
    vtkNew<vtkSphereSource> sphere;
    vtkNew<vtkPolyDataMapper> ballMapper;
    vtkNew<vtkActor> ball;
};

SpaceScene::SpaceScene(Multisampling multisampling) : parts_(std::make_unique<Parts>()) {
    Parts& p = *parts_;
    p.window->SetReadyForRendering(false);
    p.window->SetFrameBlitModeToBlitToCurrent();
    p.window->SetMultiSamples(multisampling == Multisampling::On ? 4 : 0);
    p.window->SetNumberOfLayers(2);
    // Opaque, or Qt lets the window's colour shine through.
    p.base->SetBackgroundAlpha(1.0);
    p.base->SetLayer(0);
    p.front->SetLayer(1);
    for (vtkRenderer* renderer : {p.base.Get(), p.front.Get()}) {
        renderer->SetActiveCamera(p.camera);
        p.window->AddRenderer(renderer);
    }
    p.sphere->SetThetaResolution(64);
    p.sphere->SetPhiResolution(48);
    p.ballMapper->SetInputConnection(p.sphere->GetOutputPort());
    p.ball->SetMapper(p.ballMapper);
    p.ball->GetProperty()->SetOpacity(0.28);
    p.ball->GetProperty()->SetAmbient(0.55);
    p.ball->GetProperty()->SetDiffuse(0.45);
    p.ball->GetProperty()->SetBackfaceCulling(true);
    p.ball->SetVisibility(false);
    for (Dots& cloud : p.clouds)
        p.base->AddActor(cloud.actor());
    p.base->AddActor(p.box.actor());
    p.base->AddActor(p.ball);
    p.front->AddActor(p.links.actor());
    for (Dots& marks : p.marks)
        p.front->AddActor(marks.actor());
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
    Dots& dots = parts_->clouds[index];
    dots.show(cloud.visible && cloud.points && !cloud.points->empty());
    dots.setDiameter(cloud.diameter);
    if (!cloud.points)
        return;
    // Coordinates change with the audit, colours with every rule: only what is new goes to the graphics card.
    if (parts_->shown[index] == cloud.points)
        dots.setColors(cloud.colors);
    else
        dots.setPoints(*cloud.points, cloud.colors);
    parts_->shown[index] = cloud.points;
}

void SpaceScene::setHighlights(const Highlights& highlights) {
    for (std::size_t kind = 0; kind < kMarkKinds; ++kind) {
        const Marks& marks = highlights.marks[kind];
        Dots& dots = parts_->marks[kind];
        dots.show(!marks.points.empty());
        if (marks.points.empty())
            continue;
        dots.setDiameter(marks.diameter);
        dots.setRim(marks.rim, 1.0F - 2.0F * marks.rimWidth / marks.diameter, marks.edgeWidth);
        dots.setPoints(marks.points, marks.colors);
    }
    parts_->links.set(highlights.lines);
    parts_->ball->SetVisibility(highlights.ball.has_value());
    if (const auto& ball = highlights.ball) {
        parts_->sphere->SetCenter(ball->centre[0], ball->centre[1], ball->centre[2]);
        parts_->sphere->SetRadius(ball->radius);
        parts_->ball->GetProperty()->SetColor(toDoubles(ball->color).data());
    }
}

void SpaceScene::setSurroundings(const Drawing& drawing) {
    parts_->base->SetBackground(toDoubles(drawing.background).data());
    parts_->box.set(boxEdges(drawing.box, toRgb(drawing.axes), toRgb(drawing.frame)));
}

void SpaceScene::render(const SpaceCamera& camera, QSize pixels, double scale) {
    Parts& p = *parts_;
    p.window->SetSize(pixels.width(), pixels.height());
    for (Dots& cloud : p.clouds)
        cloud.scale(scale);
    for (Dots& marks : p.marks)
        marks.scale(scale);
    p.box.scale(scale);
    p.links.scale(1.5 * scale);
    const auto set = [](auto setter, QVector3D v) { setter(v.x(), v.y(), v.z()); };
    set([&](double x, double y, double z) { p.camera->SetPosition(x, y, z); }, camera.position());
    set([&](double x, double y, double z) { p.camera->SetFocalPoint(x, y, z); }, camera.focalPoint());
    set([&](double x, double y, double z) { p.camera->SetViewUp(x, y, z); }, camera.viewUp());
    p.camera->SetViewAngle(SpaceCamera::kViewAngle);
    p.camera->SetClippingRange(camera.nearPlane(), camera.farPlane());
    p.window->Render();
}

} // namespace assay::space
