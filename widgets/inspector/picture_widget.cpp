#include "widgets/inspector/picture_widget.h"

#include "widgets/samples/thumbnail_cache.h"

#include <QPainter>

#include <algorithm>

namespace assay {

PictureWidget::PictureWidget(ThumbnailCache* cache, QWidget* parent) : QWidget(parent), cache_(cache) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PictureWidget::setSample(std::optional<SampleId> sample, const QColor& tint) {
    sample_ = sample;
    tint_ = tint;
    update();
}

void PictureWidget::paintEvent(QPaintEvent*) {
    if (!sample_)
        return;
    QPainter painter(this);
    const int edge = std::min(width(), height());
    const QRect square((width() - edge) / 2, (height() - edge) / 2, edge, edge);
    cache_->paint(painter, square, *sample_, palette(), tint_);
}

} // namespace assay
