#pragma once

#include "widgets/space/drawing/space_drawing.h"

#include "engine/data/sample_set.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace assay {
class ThumbnailCache;
}

namespace assay::space {

class SpaceCanvas;

/// A sample that is drawn as its picture.
struct PlaneThumbnail {
    SampleId sample;
    Point at;
    Rgb color; ///< of its point, now of its frame
    bool selected = false;
};

/// Layer over the points of the plane: pictures of samples, each centred on its sample's place. A corner of the frame
/// has the shape of the set's points.
class PlaneThumbnails : public QWidget {
    Q_OBJECT

public:
    static constexpr int kEdge = 46; ///< of a picture with its frame, logical pixels

    /// @param pictures outlives this
    PlaneThumbnails(SpaceCanvas* canvas, ThumbnailCache* pictures);

    void setThumbnails(std::vector<PlaneThumbnail> thumbnails);
    const std::vector<PlaneThumbnail>& thumbnails() const noexcept { return thumbnails_; }
    /// Its frame stands out; none: none does.
    void setHovered(std::optional<SampleId> sample);
    /// The sample whose picture covers a position; none where none does.
    std::optional<SampleId> sampleAt(QPointF at) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Where a picture lies; null for one that is out of sight.
    QRect rectOf(const PlaneThumbnail& thumbnail, const QMatrix4x4& matrix) const;

    SpaceCanvas* canvas_;
    ThumbnailCache* pictures_;
    std::vector<PlaneThumbnail> thumbnails_;
    std::optional<SampleId> hovered_;
};

} // namespace assay::space
