#include "widgets/holes/hole_pictures.h"

#include "engine/report/scores/explain.h"
#include "widgets/common/colors.h"
#include "widgets/link/sample_selection.h"
#include "widgets/samples/sample_card.h"
#include "widgets/samples/sample_marks.h"
#include "widgets/samples/sample_tooltip.h"
#include "widgets/link/thumbnail_cache.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace assay {
namespace {

constexpr int kEdge = 56; // of a picture, in logical pixels
constexpr int kHolePictureGap = 6;

} // namespace

HolePictures::HolePictures(const ViewState& state, const std::vector<std::uint32_t>& rows, SampleSelection* selection,
                           ThumbnailCache* cache, QWidget* parent)
    : QWidget(parent), state_(state), selection_(selection), cache_(cache) {
    setObjectName(QStringLiteral("holePictures"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Examples of missed real samples, each with the nearest synthetic sample"));
    std::vector<SampleId> nearest;
    for (const std::uint32_t row : rows) {
        const SampleId real{SetId::Real, row};
        const auto found = nearestSamples(*state_.audit, state_.model, real, Side::Synthetic, 1);
        if (found.empty())
            continue;
        samples_.push_back(real);
        nearest.push_back(found.front().neighbor);
    }
    samples_.insert(samples_.end(), nearest.begin(), nearest.end());
    connect(cache_, &ThumbnailCache::arrived, this, qOverload<>(&QWidget::update));
    connect(selection_, &SampleSelection::changed, this, qOverload<>(&QWidget::update));
    connect(selection_, &SampleSelection::hoverChanged, this, qOverload<>(&QWidget::update));
}

void HolePictures::setState(const ViewState& state) {
    state_ = state;
    update();
}

int HolePictures::captionWidth() const {
    const QFontMetrics metrics = fontMetrics();
    return std::max(metrics.horizontalAdvance(tr("missed")), metrics.horizontalAdvance(tr("nearest synthetic"))) +
           kHolePictureGap;
}

QRect HolePictures::pictureRect(std::size_t place) const {
    const auto column = static_cast<int>(place % columns());
    const auto row = static_cast<int>(place / columns());
    return {captionWidth() + column * (kEdge + kHolePictureGap), 2 + row * (kEdge + kHolePictureGap), kEdge, kEdge};
}

QSize HolePictures::sizeHint() const {
    return {captionWidth() + static_cast<int>(columns()) * (kEdge + kHolePictureGap), 2 * (kEdge + kHolePictureGap)};
}

std::optional<std::size_t> HolePictures::placeAt(QPoint point) const {
    for (std::size_t place = 0; place < samples_.size(); ++place)
        if (pictureRect(place).contains(point))
            return place;
    return std::nullopt;
}

void HolePictures::paintEvent(QPaintEvent* /*event*/) {
    if (samples_.empty())
        return;
    QPainter painter(this);
    painter.setPen(colors::mutedText(palette()));
    for (std::size_t row = 0; row < 2; ++row) {
        const QRect first = pictureRect(row * columns());
        const QRect room(0, first.top(), captionWidth() - kHolePictureGap, kEdge);
        const QString text = row == 0 ? tr("missed") : tr("nearest synthetic");
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, text);
    }
    for (std::size_t place = 0; place < samples_.size(); ++place) {
        const SampleId sample = samples_[place];
        const QRect picture = pictureRect(place);
        const bool isRejected = !isReal(sample.set) && !state_.isKept(sample.row);
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

void HolePictures::goTo(std::size_t place) {
    current_ = place;
    selection_->select(samples_[place]);
    update();
}

void HolePictures::mouseMoveEvent(QMouseEvent* event) {
    const auto place = placeAt(event->pos());
    selection_->hover(place ? std::optional(samples_[*place]) : std::nullopt);
}

void HolePictures::mousePressEvent(QMouseEvent* event) {
    const auto place = placeAt(event->pos());
    if (!place) {
        event->ignore(); // of the card
        return;
    }
    current_ = *place;
    selection_->chooseBy(event->modifiers(), {samples_[*place]}, samples_[*place]);
}

void HolePictures::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto place = placeAt(event->pos()))
        emit inspectRequested(samples_[*place]);
}

void HolePictures::leaveEvent(QEvent* /*event*/) {
    selection_->hover(std::nullopt);
}

void HolePictures::keyPressEvent(QKeyEvent* event) {
    std::optional<std::size_t> next;
    if (!samples_.empty()) {
        const std::size_t column = current_ % columns();
        const bool isReal = current_ < columns();
        if (event->key() == Qt::Key_Left && column > 0)
            next = current_ - 1;
        else if (event->key() == Qt::Key_Right && column + 1 < columns())
            next = current_ + 1;
        else if (event->key() == Qt::Key_Down && isReal)
            next = current_ + columns();
        else if (event->key() == Qt::Key_Up && !isReal)
            next = current_ - columns();
    }
    const bool inspects = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (next)
        goTo(*next);
    else if (inspects && !samples_.empty())
        emit inspectRequested(samples_[current_]);
    else
        event->ignore();
}

bool HolePictures::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    if (const auto place = placeAt(help->pos()))
        SampleCard::show(this, help->globalPos(), {state_, samples_[*place], cache_});
    else
        SampleCard::hide(this);
    return true;
}

} // namespace assay
