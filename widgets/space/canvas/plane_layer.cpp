#include "widgets/space/canvas/plane_layer.h"

#include <vtkFloatArray.h>
#include <vtkFlyingEdges2D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPlaneSource.h>
#include <vtkPointData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkTexture.h>
#include <vtkUnsignedCharArray.h>

namespace assay::space {

struct PlaneLayer::Parts {
    MapKind kind = MapKind::None;
    vtkNew<vtkImageData> pixels;
    vtkNew<vtkTexture> texture;
    vtkNew<vtkPlaneSource> rectangle;
    vtkNew<vtkPolyDataMapper> rectangleMapper;
    vtkNew<vtkActor> picture;
    vtkNew<vtkImageData> density;
    vtkNew<vtkFlyingEdges2D> contours;
    vtkNew<vtkPolyDataMapper> lineMapper;
    vtkNew<vtkActor> lines;

    void setPicture(const PlaneMap& map);
    void setContours(const PlaneMap& map);
};

PlaneLayer::PlaneLayer() : parts_(std::make_unique<Parts>()) {
    Parts& p = *parts_;
    p.texture->SetInputData(p.pixels);
    p.texture->InterpolateOn();
    p.texture->SetColorModeToDirectScalars();
    p.rectangleMapper->SetInputConnection(p.rectangle->GetOutputPort());
    p.picture->SetMapper(p.rectangleMapper);
    p.picture->SetTexture(p.texture);
    p.picture->SetForceTranslucent(true);
    p.picture->GetProperty()->SetLighting(false);
    p.contours->SetInputData(p.density);
    p.contours->ComputeScalarsOff();
    p.lineMapper->SetInputConnection(p.contours->GetOutputPort());
    p.lineMapper->ScalarVisibilityOff();
    p.lines->SetMapper(p.lineMapper);
    p.lines->GetProperty()->SetLighting(false);
    show(false, false);
}

PlaneLayer::~PlaneLayer() = default;

std::array<vtkActor*, 2> PlaneLayer::actors() const {
    return {parts_->picture, parts_->lines};
}

void PlaneLayer::set(const PlaneMap& map) {
    parts_->kind = map.density ? map.kind : MapKind::None;
    if (parts_->kind == MapKind::None)
        return;
    parts_->setPicture(map);
    parts_->setContours(map);
}

void PlaneLayer::Parts::setPicture(const PlaneMap& map) {
    const PlaneGrid& grid = map.density->map.grid;
    vtkNew<vtkUnsignedCharArray> colors;
    colors->SetNumberOfComponents(4);
    colors->SetNumberOfTuples(static_cast<vtkIdType>(map.pixels.size()));
    for (std::size_t cell = 0; cell < map.pixels.size(); ++cell)
        colors->SetTypedTuple(static_cast<vtkIdType>(cell), map.pixels[cell].data());
    pixels->SetDimensions(static_cast<int>(grid.columns), static_cast<int>(grid.rows), 1);
    pixels->GetPointData()->SetScalars(colors);
    pixels->Modified();
    rectangle->SetOrigin(grid.low[0], grid.low[1], 0.0);
    rectangle->SetPoint1(grid.high[0], grid.low[1], 0.0);
    rectangle->SetPoint2(grid.low[0], grid.high[1], 0.0);
}

void PlaneLayer::Parts::setContours(const PlaneMap& map) {
    const PlaneGrid& grid = map.density->map.grid;
    const std::vector<float>& values = map.density->map.real;
    vtkNew<vtkFloatArray> array;
    array->SetNumberOfTuples(static_cast<vtkIdType>(values.size()));
    std::copy(values.begin(), values.end(), array->GetPointer(0));
    density->SetDimensions(static_cast<int>(grid.columns), static_cast<int>(grid.rows), 1);
    density->SetOrigin(grid.low[0] + grid.cellWidth() / 2, grid.low[1] + grid.cellHeight() / 2, 0.0);
    density->SetSpacing(grid.cellWidth(), grid.cellHeight(), 1.0);
    density->GetPointData()->SetScalars(array);
    density->Modified();
    contours->SetNumberOfContours(0);
    int count = 0;
    for (const float level : map.density->levels)
        if (level > 0.0F)
            contours->SetValue(count++, static_cast<double>(level));
    lines->GetProperty()->SetColor(map.contours.redF(), map.contours.greenF(), map.contours.blueF());
}

void PlaneLayer::place(const SpaceCamera& camera, double scale) {
    // A tenth of the way to the camera: within its planes however close it comes.
    const double step = 0.1 * static_cast<double>((camera.position() - camera.focalPoint()).length());
    parts_->picture->SetPosition(0.0, 0.0, parts_->kind == MapKind::Difference ? step : -2.0 * step);
    parts_->lines->SetPosition(0.0, 0.0, -step);
    parts_->lines->GetProperty()->SetLineWidth(static_cast<float>(1.2 * scale));
}

void PlaneLayer::show(bool first, bool last) {
    const bool over = parts_->kind == MapKind::Difference;
    parts_->picture->SetVisibility(parts_->kind != MapKind::None && (over ? last : first));
    parts_->lines->SetVisibility(parts_->kind != MapKind::None && first);
}

} // namespace assay::space
