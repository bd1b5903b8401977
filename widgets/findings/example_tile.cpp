#include "widgets/findings/example_tile.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"
#include "widgets/samples/decision_marks.h"
#include "widgets/samples/sample_card.h"
#include "widgets/samples/sample_marks.h"
#include "widgets/samples/sample_tooltip.h"
#include "widgets/link/thumbnail_cache.h"

#include <QEnterEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace assay {
namespace {

constexpr int kMargin = 3;     // around pictures: rim and frames
constexpr int kPairGap = 4;    // between a copy and its original
constexpr int kNameWidth = 72; // of a sample without a picture

} // namespace

ExampleTile::ExampleTile(const FindingExample& example, Side side, SampleSelection* selection, ThumbnailCache* cache,
                         QWidget* parent)
    : QAbstractButton(parent), example_(example), side_(side), selection_(selection), cache_(cache) {
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(selection_, &SampleSelection::changed, this, qOverload<>(&QWidget::update));
    connect(selection_, &SampleSelection::hoverChanged, this, qOverload<>(&QWidget::update));
    connect(cache_, &ThumbnailCache::arrived, this, qOverload<>(&QWidget::update));
}

void ExampleTile::setState(const ViewState& state) {
    state_ = state;
    QString name = sampleCaption(*state_.audit, sample());
    if (example_.original)
        name = tr("%1, a copy of %2").arg(name, sampleCaption(*state_.audit, {SetId::Real, *example_.original}));
    setAccessibleName(tr("%1, %2").arg(name, caption()));
    setAccessibleDescription(tr("Space selects these samples, Enter inspects this one"));
    updateGeometry();
    update();
}

SampleId ExampleTile::sample() const {
    return {side_ == Side::Real ? SetId::Real : state_.currentSet(), example_.row};
}

QStringList ExampleTile::captionLines() const {
    if (example_.count == 1)
        return {tr("only", "only / this one"), tr("this one", "only / this one")};
    return {formatCount(example_.count), tr("like this", "612 / like this")};
}

QString ExampleTile::caption() const {
    return captionLines().join(QLatin1Char(' '));
}

bool ExampleTile::hasPictures() const {
    return state_.audit && state_.audit->setOf(sample().set).images();
}

QSize ExampleTile::pictureSize(int edge) const {
    return hasPictures() ? QSize(edge, edge) : QSize(kNameWidth, 2 * fontMetrics().height() + 6);
}

int ExampleTile::picturesWidth(int edge) const {
    const int one = pictureSize(edge).width();
    return example_.original ? 2 * one + kPairGap : one;
}

bool ExampleTile::captionFits(int edge) const {
    return fontMetrics().horizontalAdvance(caption()) <= picturesWidth(edge);
}

QSize ExampleTile::sizeFor(const Look& look) const {
    int width = picturesWidth(look.edge);
    for (const QString& line : look.captionLines == 1 ? QStringList(caption()) : captionLines())
        width = std::max(width, fontMetrics().horizontalAdvance(line));
    return {width + 2 * kMargin,
            pictureSize(look.edge).height() + 2 * kMargin + look.captionLines * fontMetrics().height()};
}

void ExampleTile::setLook(const Look& look) {
    look_ = look;
    update();
}

QRect ExampleTile::pictureRect() const {
    return {QPoint((width() - picturesWidth(look_.edge)) / 2, kMargin), pictureSize(look_.edge)};
}

QRect ExampleTile::originalRect() const {
    const QRect picture = pictureRect();
    return picture.translated(picture.width() + kPairGap, 0);
}

SampleId ExampleTile::sampleAt(QPoint point) const {
    const bool onOriginal = example_.original && originalRect().contains(point);
    return onOriginal ? SampleId{SetId::Real, *example_.original} : sample();
}

/// With a rim in the colour of its set.
void ExampleTile::paintSample(QPainter& painter, SampleId sample, const QRect& picture) const {
    const bool rejected = sample.set == state_.currentSet() && !state_.isKept(sample.row);
    painter.setOpacity(rejected ? kRejectedOpacity : 1.0);
    cache_->paint(painter, picture, sample, palette());
    painter.setOpacity(1.0);
    painter.setPen(QPen(isReal(sample.set) ? colors::real(palette()) : colors::synthetic(palette()), 2));
    painter.drawRect(picture.adjusted(-1, -1, 0, 0));
    if (rejected) {
        painter.setRenderHint(QPainter::Antialiasing);
        paintDecisionMark(painter, DecisionMark::Cross, picture, palette());
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    paintSelectionFrame(painter, picture, selectionMark(*selection_, sample), palette());
}

void ExampleTile::paintEvent(QPaintEvent*) {
    if (!state_.audit)
        return;
    QPainter painter(this);
    paintSample(painter, sample(), pictureRect());
    if (example_.original)
        paintSample(painter, {SetId::Real, *example_.original}, originalRect());
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rect().adjusted(0, pictureRect().bottom() + 1 + kMargin, 0, 0), Qt::AlignHCenter | Qt::AlignTop,
                     look_.captionLines == 1 ? caption() : captionLines().join(QLatin1Char('\n')));
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void ExampleTile::mouseMoveEvent(QMouseEvent* event) {
    selection_->hover(sampleAt(event->position().toPoint()));
    QAbstractButton::mouseMoveEvent(event);
}

void ExampleTile::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        emit inspectRequested(sampleAt(event->position().toPoint()));
}

void ExampleTile::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit inspectRequested(sample());
        return;
    case Qt::Key_Left:
        emit moved(-1);
        return;
    case Qt::Key_Right:
        emit moved(1);
        return;
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

bool ExampleTile::event(QEvent* event) {
    if (event->type() == QEvent::Enter && state_.audit)
        selection_->hover(sampleAt(static_cast<QEnterEvent*>(event)->position().toPoint()));
    if (event->type() == QEvent::Leave)
        selection_->hover(std::nullopt);
    if (event->type() == QEvent::ToolTip && state_.audit) {
        const auto* help = static_cast<QHelpEvent*>(event);
        SampleCard::show(this, help->globalPos(), {state_, sampleAt(help->pos()), cache_});
        return true;
    }
    return QAbstractButton::event(event);
}

} // namespace assay
