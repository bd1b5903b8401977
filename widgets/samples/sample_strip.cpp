#include "widgets/samples/sample_strip.h"

#include "widgets/link/sample_selection.h"
#include "widgets/samples/sample_marks.h"
#include "widgets/samples/sample_tooltip.h"
#include "widgets/link/thumbnail_cache.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr int kStripGap = 4;

} // namespace

SampleStrip::SampleStrip(SampleSelection* selection, ThumbnailCache* cache, QWidget* parent)
    : QWidget(parent), selection_(selection), cache_(cache) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(cache_, &ThumbnailCache::arrived, this, qOverload<>(&QWidget::update));
    connect(selection_, &SampleSelection::changed, this, qOverload<>(&QWidget::update));
    connect(selection_, &SampleSelection::hoverChanged, this, qOverload<>(&QWidget::update));
}

void SampleStrip::setSamples(const ViewState& state, std::vector<SampleId> samples, const QString& name) {
    state_ = state;
    if (samples != samples_)
        current_ = 0;
    samples_ = std::move(samples);
    setAccessibleName(name);
    updateGeometry();
    update();
}

void SampleStrip::setState(const ViewState& state) {
    state_ = state;
    update();
}

QRect SampleStrip::pictureRect(std::size_t place) const {
    return {2 + static_cast<int>(place) * (kEdge + kStripGap), 2, kEdge, kEdge};
}

std::size_t SampleStrip::shownCount() const {
    const int room = std::max(0, (width() - 4 + kStripGap) / (kEdge + kStripGap));
    return std::min(samples_.size(), static_cast<std::size_t>(room));
}

QSize SampleStrip::sizeHint() const {
    return {4 + static_cast<int>(samples_.size()) * (kEdge + kStripGap), kEdge + 4};
}

std::optional<std::size_t> SampleStrip::placeAt(QPoint point) const {
    for (std::size_t place = 0; place < shownCount(); ++place)
        if (pictureRect(place).contains(point))
            return place;
    return std::nullopt;
}

void SampleStrip::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    for (std::size_t place = 0; place < shownCount(); ++place) {
        const SampleId sample = samples_[place];
        const QRect picture = pictureRect(place);
        const bool isRejected = state_.hasModel() && sample.set == state_.currentSet() && !state_.isKept(sample.row);
        painter.setOpacity(isRejected ? kRejectedOpacity : 1.0);
        cache_->paint(painter, picture, sample, palette());
        painter.setOpacity(1.0);
        paintSelectionFrame(painter, picture, selectionMark(*selection_, sample), palette());
        if (hasFocus() && place == current_) {
            painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DotLine));
            painter.drawRect(picture.adjusted(-2, -2, 1, 1));
        }
    }
}

void SampleStrip::mouseMoveEvent(QMouseEvent* event) {
    const auto place = placeAt(event->pos());
    selection_->hover(place ? std::optional(samples_[*place]) : std::nullopt);
}

void SampleStrip::mousePressEvent(QMouseEvent* event) {
    const auto place = placeAt(event->pos());
    if (!place) {
        event->ignore();
        return;
    }
    current_ = *place;
    const SampleId sample = samples_[*place];
    selection_->chooseBy(event->modifiers(), {sample}, sample);
}

void SampleStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto place = placeAt(event->pos()))
        emit inspectRequested(samples_[*place]);
}

void SampleStrip::leaveEvent(QEvent* /*event*/) {
    selection_->hover(std::nullopt);
}

void SampleStrip::keyPressEvent(QKeyEvent* event) {
    const std::size_t count = shownCount();
    const bool moves = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    const bool inspects = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (count == 0 || (!moves && !inspects)) {
        event->ignore();
        return;
    }
    current_ = std::min(current_, count - 1);
    const SampleId before = samples_[current_];
    if (inspects) {
        emit inspectRequested(before);
        return;
    }
    if (event->key() == Qt::Key_Right)
        current_ = std::min(current_ + 1, count - 1);
    else if (current_ > 0)
        --current_;
    selection_->select(samples_[current_]);
    update();
}

bool SampleStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    if (const auto place = placeAt(help->pos()))
        QToolTip::showText(help->globalPos(), sampleToolTip(state_, samples_[*place]), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace assay
