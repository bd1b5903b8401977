#include "widgets/samples/pair_gallery.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"
#include "widgets/samples/decision_marks.h"
#include "widgets/samples/pair_words.h"
#include "widgets/samples/sample_card.h"
#include "widgets/samples/sample_marks.h"
#include "widgets/samples/sample_tooltip.h"
#include "widgets/link/thumbnail_cache.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace assay {
namespace {

constexpr int kBetweenPairs = 14;
constexpr int kBetweenPictures = 6; // room for the frames of both
constexpr int kRemarkableStrip = 3;
constexpr int kBelowPicture = kRemarkableStrip + 2; // down to the first line of text
constexpr int kPairWidth = 2 * PairGallery::kPicture + kBetweenPictures;

} // namespace

PairGallery::PairGallery(const ListedPairs* pairs, SampleSelection* selection, Pictures pictures, QWidget* parent)
    : QAbstractScrollArea(parent), pairs_(pairs), selection_(selection), pictures_(pictures) {
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(NoFrame);
    viewport()->setMouseTracking(true);
    QAccessible::installFactory(makeTileWallAccessible); // once, however many there are
    setAccessibleName(tr("Pairs of samples, nearest first"));
    for (const ThumbnailCache* cache : {pictures_.audit, pictures_.heldOut})
        connect(cache, &ThumbnailCache::arrived, viewport(), qOverload<>(&QWidget::update));
}

/// The pairs of a line share its width.
int PairGallery::pitchX() const {
    return std::max(kPairWidth + kBetweenPairs, (viewport()->width() - kBetweenPairs) / columns());
}

int PairGallery::pitchY() const {
    return kPicture + kBelowPicture + 3 * fontMetrics().height() + kBetweenPairs;
}

int PairGallery::columns() const {
    return std::max(1, (viewport()->width() - kBetweenPairs) / (kPairWidth + kBetweenPairs));
}

QPoint PairGallery::originOf(std::size_t position) const {
    const int line = static_cast<int>(position / static_cast<std::size_t>(columns()));
    const int column = static_cast<int>(position % static_cast<std::size_t>(columns()));
    return {kBetweenPairs + column * pitchX(), kBetweenPairs + line * pitchY() - verticalScrollBar()->value()};
}

QRect PairGallery::pictureRect(PairCell cell) const {
    const int offset = cell.side == PairSide::Left ? 0 : kPicture + kBetweenPictures;
    return {originOf(cell.position) + QPoint(offset, 0), QSize(kPicture, kPicture)};
}

QRect PairGallery::ratioRect(std::size_t position) const {
    const int height = fontMetrics().height();
    return {originOf(position) + QPoint(0, kPicture + kBelowPicture + height), QSize(kPairWidth, 2 * height)};
}

std::optional<std::size_t> PairGallery::positionAt(QPoint point) const {
    const int x = point.x() - kBetweenPairs;
    const int y = point.y() - kBetweenPairs + verticalScrollBar()->value();
    if (x < 0 || y < 0 || x % pitchX() >= kPairWidth || y % pitchY() >= pitchY() - kBetweenPairs ||
        x / pitchX() >= columns())
        return std::nullopt;
    const auto position = static_cast<std::size_t>(y / pitchY()) * static_cast<std::size_t>(columns()) +
                          static_cast<std::size_t>(x / pitchX());
    return position < pairs_->size() ? std::optional(position) : std::nullopt;
}

std::optional<PairCell> PairGallery::cellAt(QPoint point) const {
    const auto position = positionAt(point);
    if (!position)
        return std::nullopt;
    for (const PairSide side : {PairSide::Left, PairSide::Right})
        if (pictureRect({*position, side}).adjusted(0, 0, 0, kBelowPicture + fontMetrics().height()).contains(point))
            return PairCell{*position, side};
    return std::nullopt;
}

std::optional<SampleId> PairGallery::selectable(std::optional<PairCell> cell) const {
    return cell && !pairs_->isHeldOut(cell->side) ? std::optional(pairs_->sampleAt(*cell)) : std::nullopt;
}

std::optional<std::size_t> PairGallery::itemAt(QPoint viewportPoint) const {
    const auto cell = cellAt(viewportPoint);
    return cell ? std::optional(itemOf(*cell)) : std::nullopt;
}

std::optional<std::size_t> PairGallery::currentItem() const {
    return current_ ? std::optional(itemOf(*current_)) : std::nullopt;
}

bool PairGallery::isSelected(std::size_t item) const {
    const auto sample = selectable(cellOf(item));
    return sample && selection_->contains(*sample);
}

QString PairGallery::spokenText(std::size_t item) const {
    const PairCell cell = cellOf(item);
    const SamplePair& pair = pairs_->pairAt(cell.position);
    const SampleId sample = pairs_->sampleAt(cell);
    const EmbeddingSet& set = pairs_->stateOf(cell.side).audit->setOf(sample.set);
    return tr("%1 of %2, %3, %4")
        .arg(QString::fromStdString(set.idText(sample.row)), QString::fromStdString(set.name()),
             ratioCaption(pairs_->kind(), pair), distanceCaption(pair));
}

void PairGallery::pairsChanged() {
    current_.reset();
    updateScrollBar();
    verticalScrollBar()->setValue(0); // the nearest ones
    viewport()->update();
}

void PairGallery::followSelection() {
    viewport()->update();
    const auto focus = selection_->focus();
    if (!focus || selectable(current_) == focus)
        return;
    current_ = pairs_->find(*focus);
    if (current_)
        scrollTo(current_->position);
}

void PairGallery::scrollTo(std::size_t position) {
    const int top = originOf(position).y() - kBetweenPairs;
    const int bottom = top + pitchY() + kBetweenPairs;
    QScrollBar* bar = verticalScrollBar();
    if (top < 0)
        bar->setValue(bar->value() + top);
    else if (bottom > viewport()->height())
        bar->setValue(bar->value() + std::min(top, bottom - viewport()->height()));
}

void PairGallery::updateScrollBar() {
    const auto perLine = static_cast<std::size_t>(columns());
    const int lines = static_cast<int>((pairs_->size() + perLine - 1) / perLine);
    verticalScrollBar()->setRange(0, std::max(0, lines * pitchY() + kBetweenPairs - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(std::max(1, pitchY() / 3));
}

void PairGallery::paintSample(QPainter& painter, PairCell cell) const {
    const SampleId sample = pairs_->sampleAt(cell);
    const ViewState& state = pairs_->stateOf(cell.side);
    const bool heldOut = pairs_->isHeldOut(cell.side);
    const QRect picture = pictureRect(cell);
    const bool rejected = !heldOut && !isReal(sample.set) && !state.isKept(sample.row);
    painter.setOpacity(rejected ? kRejectedOpacity : 1.0);
    (heldOut ? pictures_.heldOut : pictures_.audit)->paint(painter, picture, sample, palette());
    painter.setOpacity(1.0);
    if (rejected)
        paintDecisionMark(painter, DecisionMark::Cross, picture, palette());
    if (!heldOut)
        paintSelectionFrame(painter, picture, selectionMark(*selection_, sample), palette());
    if (hasFocus() && current_ == cell) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DashLine));
        painter.drawRect(picture.adjusted(-5, -5, 4, 4));
    }
    const QRect line(picture.left(), picture.top() + kPicture + kBelowPicture, picture.width(), fontMetrics().height());
    painter.setPen(colors::mutedText(palette()));
    painter.drawText(line, Qt::AlignCenter,
                     fontMetrics().elidedText(QString::fromStdString(state.audit->setOf(sample.set).idText(sample.row)),
                                              Qt::ElideMiddle, line.width()));
}

void PairGallery::paintPair(QPainter& painter, std::size_t position) const {
    const SamplePair& pair = pairs_->pairAt(position);
    const bool remarkable = position < pairs_->remarkable();
    paintSample(painter, {position, PairSide::Left});
    paintSample(painter, {position, PairSide::Right});
    if (remarkable)
        painter.fillRect(QRect(originOf(position) + QPoint(0, kPicture + 1), QSize(kPairWidth, kRemarkableStrip)),
                         colors::unauthentic(palette()));
    painter.save();
    QFont font = painter.font();
    font.setBold(remarkable);
    painter.setFont(font);
    painter.setPen(remarkable ? palette().color(QPalette::Text) : colors::mutedText(palette()));
    const QRect line = ratioRect(position);
    painter.drawText(line, Qt::AlignHCenter | Qt::AlignTop, ratioCaption(pairs_->kind(), pair));
    painter.restore();
    painter.setPen(colors::mutedText(palette()));
    painter.drawText(line, Qt::AlignHCenter | Qt::AlignBottom, distanceCaption(pair));
}

void PairGallery::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    lastPainted_ = 0;
    const int scrolled = verticalScrollBar()->value();
    const int first = std::max(0, (event->rect().top() + scrolled - kBetweenPairs) / pitchY());
    const int last = (event->rect().bottom() + scrolled) / pitchY();
    const auto perLine = static_cast<std::size_t>(columns());
    const std::size_t end = std::min(pairs_->size(), (static_cast<std::size_t>(last) + 1) * perLine);
    for (std::size_t position = static_cast<std::size_t>(first) * perLine; position < end; ++position) {
        paintPair(painter, position);
        ++lastPainted_;
    }
}

void PairGallery::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
}

void PairGallery::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateScrollBar();
}

void PairGallery::choose(PairCell cell, Qt::KeyboardModifiers modifiers) {
    current_ = cell;
    scrollTo(cell.position);
    viewport()->update();
    announceCurrentItem(*this);
    if (const auto sample = selectable(cell))
        selection_->chooseBy(modifiers, {*sample}, *sample);
}

void PairGallery::inspect(PairCell cell) {
    if (const auto sample = selectable(cell))
        emit inspectRequested(*sample);
}

void PairGallery::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position().toPoint());
    if (cell && event->button() == Qt::LeftButton)
        choose(*cell, event->modifiers());
    else if (cell) // what a menu is about
        selection_->hover(selectable(cell));
}

void PairGallery::mouseMoveEvent(QMouseEvent* event) {
    selection_->hover(selectable(cellAt(event->position().toPoint())));
}

void PairGallery::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position().toPoint());
    if (cell && event->button() == Qt::LeftButton)
        inspect(*cell);
}

std::optional<PairCell> PairGallery::moved(int key) const {
    if (pairs_->size() == 0)
        return std::nullopt;
    const auto at =
        current_ ? static_cast<std::ptrdiff_t>(2 * current_->position) + (current_->side == PairSide::Right ? 1 : 0)
                 : std::ptrdiff_t(-1);
    const std::ptrdiff_t line = 2 * std::ptrdiff_t(columns());
    const std::ptrdiff_t page = line * std::max(1, viewport()->height() / pitchY());
    const auto last = static_cast<std::ptrdiff_t>(2 * pairs_->size()) - 1;
    std::ptrdiff_t to = at;
    switch (key) {
    case Qt::Key_Left:
        to = at - 1;
        break;
    case Qt::Key_Right:
        to = at + 1;
        break;
    case Qt::Key_Up:
        to = at < line ? at : at - line; // no line there: stay
        break;
    case Qt::Key_Down:
        to = at + line > last ? at : at + line;
        break;
    case Qt::Key_PageUp:
        to = at - page;
        break;
    case Qt::Key_PageDown:
        to = at + page;
        break;
    case Qt::Key_Home:
        to = 0;
        break;
    case Qt::Key_End:
        to = last;
        break;
    default:
        return std::nullopt;
    }
    to = at < 0 ? 0 : std::clamp<std::ptrdiff_t>(to, 0, last);
    return PairCell{static_cast<std::size_t>(to / 2), to % 2 == 0 ? PairSide::Left : PairSide::Right};
}

void PairGallery::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (current_)
            inspect(*current_);
        return;
    }
    const auto cell = event->modifiers() & Qt::AltModifier ? std::nullopt : moved(event->key());
    if (cell)
        choose(*cell, event->modifiers() & Qt::ShiftModifier);
    else
        QAbstractScrollArea::keyPressEvent(event);
}

QString PairGallery::toolTipAt(QPoint point) const {
    const auto position = positionAt(point);
    return position && ratioRect(*position).contains(point)
               ? ratioToolTip(pairs_->kind(), pairs_->all().threshold, pairs_->pairAt(*position))
               : QString();
}

bool PairGallery::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        selection_->hover(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto cell = cellAt(help->pos())) {
            const bool heldOut = pairs_->isHeldOut(cell->side);
            SampleCard::show(viewport(), help->globalPos(),
                             {pairs_->stateOf(cell->side), pairs_->sampleAt(*cell),
                              heldOut ? pictures_.heldOut : pictures_.audit, heldOut ? heldOutNote() : QString()});
            return true;
        }
        SampleCard::hide(viewport());
        const QString text = toolTipAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace assay
