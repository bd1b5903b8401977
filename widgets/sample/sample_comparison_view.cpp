#include "widgets/sample/sample_comparison_view.h"

#include "engine/report/scores/explain.h"
#include "engine/report/scores/sample_comparison.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/link/thumbnail_cache.h"
#include "widgets/sample/sample_picture.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kSmallestEdge = 44;
constexpr int kFrameAround = 4; // of a picture
constexpr int kBetweenCaptions = 6;

bool hasCopyVerdict(const AuditResult& audit, SampleId sample) {
    if (isReal(sample.set))
        return false;
    const ModelAudit& model = *audit.models[modelIndex(sample.set)];
    return model.hasColumn("verdict") && static_cast<Verdict>(model.column("verdict")[sample.row]) == Verdict::Copy;
}

} // namespace

SampleComparisonView::SampleComparisonView(ThumbnailCache* cache, QWidget* parent) : QWidget(parent) {
    // Not Fixed, which would hold it to the height of its hint's width.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    for (SamplePicture*& picture : pictures_) {
        picture = new SamplePicture(cache, this);
        picture->hide();
        connect(cache, &ThumbnailCache::arrived, picture, qOverload<>(&QWidget::update));
        connect(picture, &QAbstractButton::clicked, this, [this, picture] {
            if (const auto sample = picture->sample())
                emit chosen(*sample);
        });
        connect(picture, &SamplePicture::hovered, this, &SampleComparisonView::hovered);
    }
    pictures_[0]->setObjectName(QStringLiteral("inspectorPicture"));
    pictures_[0]->setFocusPolicy(Qt::NoFocus); // it is inspected already
    pictures_[0]->setCursor(Qt::ArrowCursor);
    pictures_[1]->setObjectName(QStringLiteral("inspectorNearest"));
    pictures_[2]->setObjectName(QStringLiteral("inspectorOther"));
}

void SampleComparisonView::showSample(const ViewState& state, SampleId sample) {
    const AuditResult& audit = *state.audit;
    const bool real = isReal(sample.set);
    std::vector<Part> parts{
        {sample, real ? tr("real") : QString::fromStdString(audit.models[modelIndex(sample.set)]->name)}};
    const auto nearest = nearestSamples(audit, state.model, sample, real ? Side::Synthetic : Side::Real, 1);
    if (!nearest.empty()) {
        parts.push_back(
            {nearest.front().neighbor,
             real ? tr("nearest in %1").arg(QString::fromStdString(state.current().name)) : tr("nearest real")});
        toNext_ = nearest.front().distance;
    }
    if (const auto triangle = originalTriangle(audit, sample); triangle && hasCopyVerdict(audit, sample)) {
        parts.push_back({triangle->other, tr("its nearest real")});
        between_ = triangle->originalToOther;
        across_ = triangle->sampleToOther;
    }
    setParts(state, parts);
}

void SampleComparisonView::setParts(const ViewState& state, const std::vector<Part>& parts) {
    count_ = parts.size();
    hasPictures_ = std::ranges::any_of(
        parts, [&](const Part& part) { return state.audit->setOf(part.sample.set).images() != nullptr; });
    for (std::size_t i = 0; i < kMost; ++i) {
        if (i < count_)
            pictures_[i]->setSample(state, parts[i].sample, parts[i].words);
        else
            pictures_[i]->clear();
        pictures_[i]->setVisible(i < count_);
    }
    QStringList sides;
    if (count_ > 1)
        sides << tr("distance to the nearest %1").arg(formatNumber(toNext_));
    if (count_ > 2)
        sides << tr("from that one to its own nearest real sample %1").arg(formatNumber(between_))
              << tr("from the inspected sample to that one %1").arg(formatNumber(across_));
    setAccessibleName(sides.join(QStringLiteral(", ")));
    updateGeometry();
    arrange();
    update();
}

void SampleComparisonView::clear() {
    count_ = 0;
    for (SamplePicture* picture : pictures_) {
        picture->clear();
        picture->hide();
    }
}

void SampleComparisonView::setLargestPicture(int edge) {
    if (edge == largest_)
        return;
    largest_ = edge;
    updateGeometry();
    arrange();
}

int SampleComparisonView::gap() const {
    // Captions alone reach up to the line; pictures are narrower than theirs.
    return fontMetrics().horizontalAdvance(hasPictures_ ? QStringLiteral("0.0000") : QStringLiteral("0.0000000"));
}

/// Of the third side, which runs above the pictures; it has no distance where the values are not in memory.
int SampleComparisonView::arcHeight() const {
    return count_ > 2 && std::isfinite(across_) ? fontMetrics().height() + 2 : 0;
}

int SampleComparisonView::edgeFor(int width) const {
    if (!hasPictures_ || count_ == 0)
        return 0;
    const int count = static_cast<int>(count_);
    const int room = (width - (count - 1) * gap()) / count - kFrameAround;
    return std::clamp(room, std::min(kSmallestEdge, largest_), largest_);
}

int SampleComparisonView::heightForWidth(int width) const {
    return arcHeight() + edgeFor(width) + (hasPictures_ ? kFrameAround : 0) + pictures_[0]->captionHeight();
}

QSize SampleComparisonView::sizeHint() const {
    const int width = static_cast<int>(kMost) * (kSmallestEdge + gap());
    return {width, heightForWidth(width)};
}

QSize SampleComparisonView::minimumSizeHint() const {
    return {kSmallestEdge, pictures_[0]->captionHeight()}; // the rest is a matter of heightForWidth()
}

void SampleComparisonView::resizeEvent(QResizeEvent*) {
    arrange();
}

void SampleComparisonView::arrange() {
    if (count_ == 0)
        return;
    // Pictures stay as near to each other as the distance between them allows. Captions take the room between them,
    // too.
    const int count = static_cast<int>(count_);
    const int apart = hasPictures_ ? kBetweenCaptions : gap();
    const int widest = count * std::max(edgeFor(width()) + kFrameAround, 120) + (count - 1) * gap();
    const int all = hasPictures_ ? std::min(width(), widest) : width();
    const int node = (all - (count - 1) * apart) / count;
    for (int i = 0; i < count; ++i) {
        SamplePicture* picture = pictures_[static_cast<std::size_t>(i)];
        picture->setSide(!hasPictures_ || count == 1 ? Qt::AlignHCenter
                         : i == 0                    ? Qt::AlignLeft
                         : i == count - 1            ? Qt::AlignRight
                                                     : Qt::AlignHCenter);
        picture->setGeometry((width() - all) / 2 + i * (node + apart), arcHeight(), node, height() - arcHeight());
    }
}

void SampleComparisonView::paintEvent(QPaintEvent*) {
    if (count_ < 2)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int line = fontMetrics().height();
    const auto boxOf = [&](std::size_t i) {
        const QRect picture = pictures_[i]->picture();
        return picture.isEmpty() ? pictures_[i]->geometry() : picture.translated(pictures_[i]->pos());
    };
    const auto drawSide = [&](std::size_t i, double distance, const QColor& color) {
        const int y = boxOf(i).center().y();
        const QPoint from(boxOf(i).right() + 4, y);
        const QPoint to(boxOf(i + 1).left() - 4, y);
        painter.setPen(QPen(color, 1.5));
        painter.drawLine(from, to);
        painter.setPen(palette().color(QPalette::WindowText));
        const QRect text((from.x() + to.x()) / 2 - gap(), y - line - 1, 2 * gap(), line);
        painter.drawText(text, Qt::AlignCenter, formatNumber(distance));
    };
    const QColor muted = colors::mutedText(palette());
    drawSide(0, toNext_, count_ > 2 ? colors::unauthentic(palette()) : muted);
    if (count_ < 3)
        return;
    drawSide(1, between_, muted);
    if (arcHeight() == 0)
        return;
    // Over the picture in the middle, from the first to the third.
    const QString across = formatNumber(across_);
    const int from = boxOf(0).center().x();
    const int to = boxOf(2).center().x();
    const int middle = (from + to) / 2;
    const int half = fontMetrics().horizontalAdvance(across) / 2 + 6;
    const int y = line / 2;
    painter.setPen(QPen(muted, 1.5));
    for (const auto& [end, inner] : {std::pair(from, middle - half), std::pair(to, middle + half)}) {
        painter.drawLine(QPoint(end, arcHeight() - 1), QPoint(end, y));
        painter.drawLine(QPoint(end, y), QPoint(inner, y));
    }
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(middle - half, 0, 2 * half, line), Qt::AlignCenter, across);
}

} // namespace assay
