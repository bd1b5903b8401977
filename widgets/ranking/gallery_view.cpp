#include "widgets/ranking/gallery_view.h"

#include "widgets/common/number_format.h"
#include "widgets/common/verdict_words.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/gallery_sizes.h"
#include "widgets/ranking/group_text.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_picker.h"
#include "widgets/samples/sample_card.h"
#include "widgets/samples/sample_tooltip.h"
#include "widgets/link/thumbnail_cache.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <limits>

namespace assay {

using namespace gallery;

GalleryView::GalleryView(RankingModel* model, RankingPicker* picker, ThumbnailCache* cache, QWidget* parent)
    : QAbstractScrollArea(parent), model_(model), picker_(picker), cache_(cache), captions_(model) {
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Gallery of ranked samples"));
    picker_->setVisible([this](std::size_t position) { return layout_.isVisible(position); });
    connect(model_, &RankingModel::groupingChanged, this, [this] { layout_.forgetOpen(); });
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        header_.reset();
        layout_.set(model_->groups(), model_->size(), measured());
        updateScrollBar();
        viewport()->update();
    });
    connect(model_, &QAbstractItemModel::dataChanged, viewport(), qOverload<>(&QWidget::update));
    connect(model_->selection(), &SampleSelection::hoverChanged, viewport(), qOverload<>(&QWidget::update));
    connect(model_->selection(), &SampleSelection::changed, this, [this] {
        if (!choosing_)
            setHeader(std::nullopt);
        announceCurrent();
    });
    QAccessible::installFactory(makeTileWallAccessible); // once, however many galleries there are
}

void GalleryView::setTileSize(int edge) {
    edge = std::clamp(edge, kSmallestTile, kLargestTile);
    if (edge == edge_)
        return;
    edge_ = edge;
    layOut();
}

void GalleryView::setNearestShown(bool shown) {
    if (shown == nearestShown_)
        return;
    nearestShown_ = shown;
    layOut();
}

bool GalleryView::isNearestShown() const {
    return model_->state().hasModel() && (nearestShown_ || model_->order().column == "copy_ratio") &&
           model_->size() > 0 && nearestOther(model_->state(), model_->sampleAt(0)).has_value();
}

int GalleryView::measureCaptions() const {
    if (edge_ < kCaptionTile)
        return 0;
    const QFontMetrics metrics(smallFont());
    const bool inOne = model_->order().column == "id" ||
                       metrics.horizontalAdvance(tr("3.15x the usual distance", "a long caption")) <= edge_ + kGap;
    return inOne ? 1 : 2;
}

int GalleryView::captionHeight() const {
    return captionLines_ > 0 ? kCaptionGap + captionLines_ * QFontMetrics(smallFont()).height() : 0;
}

int GalleryView::tileHeight() const {
    return edge_ + kStrip + (isNearestShown() ? edge_ + kStrip + kPairGap : 0) + captionHeight();
}

/// The tiles of a line share its width.
int GalleryView::pitchX() const {
    return std::max(edge_ + kGap, (viewport()->width() - kGap) / columns());
}

int GalleryView::headerHeight() const {
    const bool pictures = model_->listedGrouping() == RankingGrouping::Nearest;
    return (pictures ? std::max(kCentreEdge, fontMetrics().height()) : fontMetrics().height()) + 2 * kHeaderMargin +
           kGap;
}

int GalleryView::columns() const {
    return std::max(1, (viewport()->width() - kGap) / (edge_ + kGap));
}

GallerySizes GalleryView::measured() {
    captionLines_ = measureCaptions();
    return {columns(), tileHeight() + kGap, headerHeight()};
}

std::int64_t GalleryView::heightAt(int y) const {
    return std::int64_t{y} - kGap + verticalScrollBar()->value();
}

int GalleryView::yOf(std::int64_t height) const {
    return static_cast<int>(height + kGap - verticalScrollBar()->value());
}

QRect GalleryView::tileRect(std::size_t position) const {
    if (!layout_.isVisible(position))
        return {};
    const std::size_t group = layout_.groupOf(position);
    const auto perLine = static_cast<std::size_t>(layout_.sizes().columns);
    const std::size_t at = position - layout_.group(group).first;
    const int y = yOf(layout_.linesTop(group) + static_cast<std::int64_t>(at / perLine) * layout_.sizes().line);
    return {kGap + static_cast<int>(at % perLine) * pitchX(), y, edge_, tileHeight()};
}

std::optional<std::size_t> GalleryView::positionAt(QPoint point) const {
    const std::int64_t height = heightAt(point.y());
    const auto group = layout_.groupAt(height);
    const int x = point.x() - kGap;
    if (!group || x < 0 || x % pitchX() >= edge_ || x / pitchX() >= layout_.sizes().columns)
        return std::nullopt;
    const std::int64_t inLines = height - layout_.linesTop(*group);
    if (inLines < 0 || inLines % layout_.sizes().line >= tileHeight())
        return std::nullopt;
    const auto at =
        static_cast<std::size_t>(inLines / layout_.sizes().line) * static_cast<std::size_t>(layout_.sizes().columns) +
        static_cast<std::size_t>(x / pitchX());
    return at < layout_.visible(*group) ? std::optional(layout_.group(*group).first + at) : std::nullopt;
}

QRect GalleryView::nearestRect(std::size_t position) const {
    const QRect tile = tileRect(position);
    return tile.isEmpty() || !isNearestShown()
               ? QRect()
               : QRect(tile.left(), tile.top() + edge_ + kStrip + kPairGap, edge_, edge_);
}

QRect GalleryView::headerRect(std::size_t group) const {
    if (!layout_.hasHeaders())
        return {};
    return {kGap, yOf(layout_.headerTop(group)), viewport()->width() - 2 * kGap, headerHeight() - kGap};
}

QString GalleryView::headerText(std::size_t group) const {
    return groupText(*model_, layout_.group(group));
}

QRect GalleryView::foldRect(std::size_t group) const {
    if (!layout_.canFold(group))
        return {};
    const int wide = fontMetrics().horizontalAdvance(foldText(layout_, group)) + 2 * kHeaderMargin;
    const QRect header = headerRect(group);
    return {header.right() - wide + 1, header.top(), wide, header.height()};
}

std::optional<std::size_t> GalleryView::headerAt(QPoint point) const {
    const auto group = layout_.groupAt(heightAt(point.y()));
    return group && headerRect(*group).contains(point) ? group : std::nullopt;
}

void GalleryView::setGroupOpen(std::size_t group, bool open) {
    if (!layout_.canFold(group) || layout_.isOpen(group) == open)
        return;
    layout_.setOpen(group, open);
    updateScrollBar();
    viewport()->update();
}

void GalleryView::scrollIntoSight(QRect area) {
    QScrollBar* bar = verticalScrollBar();
    area.adjust(0, -kGap, 0, kGap);
    if (area.top() < 0)
        bar->setValue(bar->value() + area.top());
    else if (area.bottom() >= viewport()->height())
        bar->setValue(bar->value() + area.bottom() - viewport()->height() + 1);
}

void GalleryView::scrollTo(std::size_t position) {
    if (!layout_.isVisible(position))
        setGroupOpen(layout_.groupOf(position), true);
    scrollIntoSight(tileRect(position));
}

void GalleryView::scrollNear(std::size_t position) {
    scrollIntoSight(layout_.isVisible(position) ? tileRect(position) : headerRect(layout_.groupOf(position)));
}

void GalleryView::layOut() {
    const auto top = layout_.groupAt(std::max<std::int64_t>(0, heightAt(kGap)));
    std::optional<std::size_t> kept;
    if (top) {
        const std::int64_t lines = std::max<std::int64_t>(0, heightAt(kGap) - layout_.linesTop(*top));
        kept = layout_.group(*top).first + static_cast<std::size_t>(lines / layout_.sizes().line) *
                                               static_cast<std::size_t>(layout_.sizes().columns);
    }
    layout_.resize(measured());
    updateScrollBar();
    if (kept && layout_.isVisible(*kept))
        verticalScrollBar()->setValue(verticalScrollBar()->value() + tileRect(*kept).top() - kGap -
                                      (layout_.hasHeaders() ? headerHeight() : 0));
    viewport()->update();
}

void GalleryView::updateScrollBar() {
    const std::int64_t most = layout_.height() + kGap - viewport()->height();
    verticalScrollBar()->setRange(0,
                                  static_cast<int>(std::clamp<std::int64_t>(most, 0, std::numeric_limits<int>::max())));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(std::max(1, layout_.sizes().line / 3));
}

void GalleryView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layout_.resize(measured());
    updateScrollBar();
}

void GalleryView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

void GalleryView::setHeader(std::optional<std::size_t> group) {
    if (group == header_)
        return;
    header_ = group;
    viewport()->update();
}

void GalleryView::selectGroup(std::size_t group, Qt::KeyboardModifiers modifiers) {
    choosing_ = true;
    setHeader(group);
    // Selecting a group alone would empty a list of the selected ones while the keys walk over it.
    if (model_->show() != RankingShow::Selected || modifiers != Qt::NoModifier)
        model_->selection()->chooseBy(modifiers, model_->samplesOf(group));
    choosing_ = false;
}

void GalleryView::mousePressEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (const auto group = headerAt(point)) {
        if (event->button() != Qt::LeftButton)
            selectGroup(*group, Qt::NoModifier); // what a menu is about
        else if (foldRect(*group).contains(point))
            setGroupOpen(*group, !layout_.isOpen(*group));
        else
            selectGroup(*group, event->modifiers());
        return;
    }
    const auto position = positionAt(point);
    if (position && event->button() == Qt::LeftButton)
        picker_->click(*position, event->modifiers());
    else if (position) // what a menu is about
        model_->selection()->hover(model_->sampleAt(*position));
}

void GalleryView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    const auto position = positionAt(point);
    model_->selection()->hover(position ? std::optional(model_->sampleAt(*position)) : std::nullopt);
    const auto group = headerAt(point);
    viewport()->setCursor(group && foldRect(*group).contains(point) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void GalleryView::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto group = headerAt(point)) // the link takes both clicks
        setGroupOpen(*group, !layout_.isOpen(*group));
    else if (const auto position = positionAt(point))
        emit inspectRequested(model_->sampleAt(*position));
}

void GalleryView::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    setTileSize(edge_ + (event->angleDelta().y() > 0 ? 8 : -8));
    emit tileSizeChanged(edge_);
}

std::size_t GalleryView::tileCount() const {
    return model_->size();
}

std::size_t GalleryView::itemCount() const {
    return model_->size() + (layout_.hasHeaders() ? layout_.groupCount() : 0);
}

std::optional<std::size_t> GalleryView::itemAt(QPoint point) const {
    if (const auto group = headerAt(point))
        return model_->size() + *group;
    return positionAt(point);
}

std::optional<std::size_t> GalleryView::currentItem() const {
    return header_ ? std::optional(model_->size() + *header_) : picker_->focusPosition();
}

bool GalleryView::isSelected(std::size_t position) const {
    return model_->selection()->contains(model_->sampleAt(position));
}

QRect GalleryView::itemRect(std::size_t item) const {
    return isHeading(item) ? headerRect(item - tileCount()) : tileRect(item);
}

QString GalleryView::spokenText(std::size_t position) const {
    if (isHeading(position))
        return headerText(position - tileCount());
    const ViewState& state = model_->state();
    const SampleId sample = model_->sampleAt(position);
    const Verdict verdict = model_->verdictOf(sample.row);
    QStringList parts{sampleCaption(*state.audit, sample), captions_.at(position)};
    if (model_->order().column == "id")
        parts.removeLast();
    if (verdict != Verdict::Good)
        parts << verdictWord(verdict);
    if (const CoverageVerdict coverage = model_->coverageVerdictOf(sample.row); coverage != CoverageVerdict::Covered)
        parts << verdictWord(coverage);
    parts << decisionText(state, sample) << tagsText(state, sample);
    parts.removeAll(QString());
    return parts.join(tr(", "));
}

void GalleryView::announceCurrent() {
    announceCurrentItem(*this);
}

void GalleryView::showCardAt(QPoint point) {
    const auto position = positionAt(point);
    if (!position) {
        SampleCard::hide(viewport());
        return;
    }
    const SampleId sample = model_->sampleAt(*position);
    const QPoint at = viewport()->mapToGlobal(point);
    if (nearestRect(*position).contains(point))
        if (const auto nearest = nearestOther(model_->state(), sample)) {
            SampleCard::show(viewport(), at, {model_->state(), *nearest, cache_});
            return;
        }
    const QString definition = captions_.definition(*position);
    const QString above =
        definition.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(definition.toHtmlEscaped());
    SampleCard::show(viewport(), at, {model_->state(), sample, cache_, above});
}

bool GalleryView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        model_->selection()->hover(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto group = headerAt(help->pos());
        if (group)
            QToolTip::showText(
                help->globalPos(),
                tr("A click selects these %1 samples; a double click or Enter shows all of them, or the first ones.")
                    .arg(formatCount(layout_.group(*group).count)),
                this, QRect(help->pos() - QPoint(2, 2), QSize(5, 5)));
        else
            showCardAt(help->pos());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace assay
