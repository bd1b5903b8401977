#pragma once

#include "engine/data/sample_id.h"

#include <QWidget>

#include <optional>

namespace assay {

class ThumbnailCache;

/// One sample as large as it fits, tiny pictures enlarged pixel by pixel.
class PictureWidget : public QWidget {
    Q_OBJECT

public:
    /// @param cache outlives the widget
    PictureWidget(ThumbnailCache* cache, QWidget* parent);

    /// @param tint of the tile that stands for a sample without a picture
    void setSample(std::optional<SampleId> sample, const QColor& tint);

    QSize sizeHint() const override { return {200, 200}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThumbnailCache* cache_;
    std::optional<SampleId> sample_;
    QColor tint_;
};

} // namespace assay
