#include "widgets/space/canvas/plane_thumbnails.h"

#include "widgets/common/colors.h"
#include "widgets/link/thumbnail_cache.h"
#include "widgets/space/canvas/space_canvas.h"

#include <QPainter>

#include <utility>

namespace assay::space {
namespace {

constexpr int kFrame = 2;
constexpr double kMark = 9.0; // of the set's shape in the corner

} // namespace

PlaneThumbnails::PlaneThumbnails(SpaceCanvas* canvas, ThumbnailCache* pictures)
    : QWidget(canvas), canvas_(canvas), pictures_(pictures) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    connect(pictures, &ThumbnailCache::arrived, this, qOverload<>(&QWidget::update));
}

void PlaneThumbnails::setThumbnails(std::vector<PlaneThumbnail> thumbnails) {
    thumbnails_ = std::move(thumbnails);
    setVisible(!thumbnails_.empty());
    update();
}

void PlaneThumbnails::setHovered(std::optional<SampleId> sample) {
    hovered_ = sample;
    update();
}

QRect PlaneThumbnails::rectOf(const PlaneThumbnail& thumbnail, const QMatrix4x4& matrix) const {
    const auto screen = project(matrix, size(), thumbnail.at);
    if (!screen)
        return {};
    QRect box(0, 0, kEdge, kEdge);
    box.moveCenter(screen->at.toPoint());
    return box.intersects(rect()) ? box : QRect();
}

std::optional<SampleId> PlaneThumbnails::sampleAt(QPointF at) const {
    if (!isVisible())
        return std::nullopt;
    const QMatrix4x4 matrix = canvas_->camera().matrix(size());
    for (const PlaneThumbnail& thumbnail : thumbnails_)
        if (rectOf(thumbnail, matrix).contains(at.toPoint()))
            return thumbnail.sample;
    return std::nullopt;
}

void PlaneThumbnails::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QMatrix4x4 matrix = canvas_->camera().matrix(size());
    for (const PlaneThumbnail& thumbnail : thumbnails_) {
        const QRect box = rectOf(thumbnail, matrix);
        if (box.isNull())
            continue;
        const QColor color = toColor(thumbnail.color);
        painter.fillRect(box, color);
        if (thumbnail.selected || thumbnail.sample == hovered_) {
            const QColor outline =
                thumbnail.selected ? colors::selected(palette()) : palette().color(QPalette::WindowText);
            painter.setPen(QPen(outline, 4));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(0, 0, -1, -1));
        }
        pictures_->paint(painter, box.adjusted(kFrame, kFrame, -kFrame, -kFrame), thumbnail.sample, palette());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Base), 1));
        painter.setBrush(color);
        paintShape(painter, thumbnail.sample.set, box.topLeft() + QPointF(kMark / 2 + 1, kMark / 2 + 1), kMark / 2);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

} // namespace assay::space
