#pragma once

#include "engine/data/sample_set.h"
#include "widgets/space/drawing/space_camera.h"

#include <QWidget>

#include <optional>

namespace assay {
class ThumbnailCache;
}

namespace assay::space {

class SpaceCanvas;
struct Thumbnail;

/// Layer over the 3D picture: pictures of samples; emphasised samples and their links, which the cloud must not hide;
/// the outline that is being drawn; and axes: on the plane along the edges, in space their titles where they end and a
/// little cross that shows which way they point.
class SpaceOverlay : public QWidget {
    Q_OBJECT

public:
    /// @param pictures outlives this; null: samples are not drawn as pictures
    SpaceOverlay(SpaceCanvas* canvas, ThumbnailCache* pictures);

    /// The sample whose picture covers a position.
    std::optional<SampleId> pictureAt(QPointF at) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Where a picture lies; null for one that is out of sight.
    QRect rectOf(const Thumbnail& thumbnail) const;
    void paintThumbnails(QPainter& painter) const;
    void paintHighlights(QPainter& painter) const;
    void paintFlatBall(QPainter& painter) const;
    void paintPlaneAxes(QPainter& painter) const;
    void paintAxisTitles(QPainter& painter) const;
    void paintOrientation(QPainter& painter) const;
    void paintOutline(QPainter& painter) const;
    void paintRegions(QPainter& painter) const;
    /// Text that stays readable over points: on a soft halo in the background's colour.
    void paintText(QPainter& painter, const QRectF& box, const QString& text, const QColor& ink) const;
    /// Where a point is seen; none out of sight.
    std::optional<QPointF> placeOf(const Point& point) const;

    SpaceCanvas* canvas_;
    ThumbnailCache* pictures_;
};

} // namespace assay::space
