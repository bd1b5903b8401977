#include "widgets/grid/sample_grid.h"

#include "widgets/common/number_format.h"
#include "widgets/grid/grid_sizes.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/thumbnail_cache.h"

#include <QCursor>
#include <QEvent>
#include <QScrollBar>

#include <algorithm>
#include <limits>
#include <utility>

namespace assay {

using namespace grid;

QStringList grid::captionParts(const QString& text, const QFontMetrics& metrics, int width) {
    if (text.contains(u'\n'))
        return text.split(u'\n');
    if (metrics.horizontalAdvance(text) <= width)
        return {text};
    qsizetype end = -1;
    for (qsizetype at = text.indexOf(u' '); at >= 0; at = text.indexOf(u' ', at + 1)) {
        if (end >= 0 && metrics.horizontalAdvance(text.left(at)) > width)
            break;
        end = at;
        if (metrics.horizontalAdvance(text.mid(at + 1)) <= width)
            break;
    }
    return end < 0 ? QStringList{text} : QStringList{text.left(end), text.mid(end + 1)};
}

int grid::narrowestWidth(const QString& text, const QFontMetrics& metrics) {
    const auto widest = [&](const QStringList& lines) {
        int width = 0;
        for (const QString& line : lines)
            width = std::max(width, metrics.horizontalAdvance(line));
        return width;
    };
    int narrowest = widest(text.split(u'\n'));
    if (!text.contains(u'\n'))
        for (qsizetype at = text.indexOf(u' '); at >= 0; at = text.indexOf(u' ', at + 1))
            narrowest = std::min(narrowest, widest({text.left(at), text.mid(at + 1)}));
    return narrowest;
}

SampleGrid::SampleGrid(SampleSelection* selection, ThumbnailCache* cache, const GridLook& look, QWidget* parent)
    : QAbstractScrollArea(parent), selection_(selection), cache_(cache), heldOutCache_(cache), look_(look),
      list_(selection), contents_(&list_), edge_(look.edge) {
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    if (fits()) {
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        viewport()->setAutoFillBackground(false);
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    connect(cache_, &ThumbnailCache::arrived, viewport(), qOverload<>(&QWidget::update));
    connect(selection_, &SampleSelection::hoverChanged, viewport(), qOverload<>(&QWidget::update));
    connect(selection_, &SampleSelection::changed, this, [this] {
        viewport()->update();
        if (choosing_)
            return;
        setHeading(std::nullopt);
        if (isVisible())
            follow();
        announceCurrent();
    });
    makeGridsAccessible();
}

void SampleGrid::setContents(GridContents* contents) {
    contents_ = contents;
    contentsChanged();
}

void SampleGrid::setHeldOutPictures(ThumbnailCache* cache) {
    heldOutCache_ = cache;
    connect(cache, &ThumbnailCache::arrived, viewport(), qOverload<>(&QWidget::update));
}

void SampleGrid::setCells(const ViewState& state, std::vector<GridCell> cells) {
    list_.set(state, std::move(cells));
    contentsChanged();
}

void SampleGrid::setState(const ViewState& state) {
    list_.setState(state);
    viewport()->update();
}

void SampleGrid::contentsChanged() {
    heading_.reset();
    if (look_.arrows == GridLook::Arrows::Choose || (current_ && current_->cell >= contents_->size()))
        current_.reset();
    layout_.set(contents_->groups(), shownFor(viewport()->width(), edge_), measured());
    updateScrollBar();
    if (fits())
        updateGeometry();
    follow();
    if (look_.arrows == GridLook::Arrows::Walk && viewport()->underMouse()) // a click has brought others under it
        hoverAt(viewport()->mapFromGlobal(QCursor::pos()));
    viewport()->update();
}

void SampleGrid::setEdge(int edge) {
    edge = std::clamp(edge, kSmallestEdge, kLargestEdge);
    if (edge == edge_)
        return;
    look_.edge = edge_ = edge;
    layOut();
}

std::size_t SampleGrid::stopsPerCell() const {
    return look_.stops == GridLook::Stops::Pictures ? contents_->picturesPerCell() : 1;
}

QFont SampleGrid::captionFont() const {
    QFont small = font();
    small.setPixelSize(std::max(9, QFontInfo(font()).pixelSize() - 2));
    return small;
}

int SampleGrid::countCaptionLines(int edge) const {
    const QString widest = contents_->widestCaption();
    if (widest.isEmpty() || edge < kSmallestCaptioned)
        return 0;
    if (const auto breaks = widest.count(u'\n'); breaks > 0)
        return static_cast<int>(breaks) + 1;
    return QFontMetrics(captionFont()).horizontalAdvance(widest) <= cellWidth(edge) + look_.gap - 2 ? 1 : 2;
}

int SampleGrid::picturesHeight(int edge) const {
    const int one = pictureSize(edge).height() + kStrip;
    const auto count = static_cast<int>(contents_->picturesPerCell());
    if (look_.pictures == Qt::Vertical)
        return count * one + (count - 1) * kBetweenStacked;
    return one + (look_.pictureCaptions ? kCaptionGap + QFontMetrics(captionFont()).height() : 0);
}

int SampleGrid::cellWidth(int edge) const {
    const auto count = look_.pictures == Qt::Horizontal ? static_cast<int>(contents_->picturesPerCell()) : 1;
    const int pictures = count * edge + (count - 1) * kBetween;
    return fits() ? std::max(pictures, narrowestWidth(contents_->widestCaption(), QFontMetrics(captionFont())))
                  : pictures;
}

int SampleGrid::cellHeight(int edge) const {
    const int lines = edge == edge_ ? captionLines_ : countCaptionLines(edge);
    return picturesHeight(edge) + (lines > 0 ? kCaptionGap + lines * QFontMetrics(captionFont()).height() : 0);
}

int SampleGrid::headingHeight() const {
    const bool pictures = !contents_->groups().empty() && contents_->headingSample(0).has_value();
    return (pictures ? std::max(kHeadingPicture, fontMetrics().height()) : fontMetrics().height()) +
           2 * kHeadingMargin + look_.gap;
}

int SampleGrid::margin() const {
    return fits() ? kFrame : look_.gap;
}

int SampleGrid::titlesWidth() const {
    int width = 0;
    for (const QString& title : look_.rowTitles)
        width = std::max(width, fontMetrics().horizontalAdvance(title) + look_.gap);
    return width;
}

int SampleGrid::columnsFor(int width, int edge) const {
    return std::max(1, (width - 2 * margin() - titlesWidth() + look_.gap) / (cellWidth(edge) + look_.gap));
}

std::size_t SampleGrid::shownFor(int width, int edge) const {
    const std::size_t all = contents_->size();
    return look_.fewest == 0 ? all
                             : std::min(all, std::max(look_.fewest, static_cast<std::size_t>(columnsFor(width, edge))));
}

int SampleGrid::linesFor(int width, int edge) const {
    const auto columns = static_cast<std::size_t>(columnsFor(width, edge));
    return static_cast<int>((shownFor(width, edge) + columns - 1) / columns);
}

/// As few lines as possible, then pictures as large as possible; smaller ones where they take several lines.
int SampleGrid::fittingEdge(int width) const {
    constexpr int kStep = 2;
    constexpr int kLargestOfSeveralLines = 48;
    if (look_.smallestEdge == 0)
        return look_.edge;
    int best = look_.edge;
    for (int edge = best - kStep; edge >= look_.smallestEdge; edge -= kStep)
        if (linesFor(width, edge) < linesFor(width, best))
            best = edge;
    return linesFor(width, best) > 1 ? std::min(best, kLargestOfSeveralLines) : best;
}

int SampleGrid::heightForWidth(int width) const {
    const int edge = fittingEdge(width);
    return std::max(0, linesFor(width, edge) * (cellHeight(edge) + look_.gap) - look_.gap) + 2 * kFrame;
}

QSize SampleGrid::sizeHint() const {
    if (!fits())
        return QAbstractScrollArea::sizeHint();
    const auto count = static_cast<int>(look_.fewest == 0 ? contents_->size() : look_.fewest);
    const int width = titlesWidth() + count * (cellWidth(look_.edge) + look_.gap) - look_.gap + 2 * kFrame;
    return {width, heightForWidth(width)};
}

QSize SampleGrid::minimumSizeHint() const {
    if (!fits())
        return QAbstractScrollArea::minimumSizeHint();
    // One line: how many there are is a matter of heightForWidth().
    const int edge = look_.smallestEdge == 0 ? look_.edge : look_.smallestEdge;
    return {titlesWidth() + cellWidth(edge) + 2 * kFrame, cellHeight(edge) + 2 * kFrame};
}

/// The cells of a line share its width.
int SampleGrid::pitchX() const {
    const int pitch = cellWidth(edge_) + look_.gap;
    return fits() ? pitch : std::max(pitch, (viewport()->width() - look_.gap) / columns());
}

GridSizes SampleGrid::measured() {
    if (fits())
        edge_ = fittingEdge(viewport()->width());
    captionLines_ = countCaptionLines(edge_);
    return {columns(), cellHeight(edge_) + look_.gap, headingHeight()};
}

std::int64_t SampleGrid::heightAt(int y) const {
    return std::int64_t{y} - margin() + verticalScrollBar()->value();
}

int SampleGrid::yOf(std::int64_t height) const {
    return static_cast<int>(height + margin() - verticalScrollBar()->value());
}

QRect SampleGrid::cellRect(std::size_t cell) const {
    if (!layout_.isVisible(cell))
        return {};
    const auto line = static_cast<std::int64_t>(layout_.lineOf(cell)) * layout_.sizes().line;
    return {margin() + titlesWidth() + static_cast<int>(layout_.columnOf(cell)) * pitchX(),
            yOf(layout_.linesTop(layout_.groupOf(cell)) + line), cellWidth(edge_), cellHeight(edge_)};
}

QRect SampleGrid::pictureRect(GridPlace place) const {
    const QRect cell = cellRect(place.cell);
    if (cell.isEmpty() || place.picture >= contents_->picturesPerCell())
        return {};
    const QSize size = pictureSize(edge_);
    const auto picture = static_cast<int>(place.picture);
    if (look_.pictures == Qt::Vertical)
        return {QPoint(cell.left(), cell.top() + picture * (size.height() + kStrip + kBetweenStacked)), size};
    const auto count = static_cast<int>(contents_->picturesPerCell());
    const int left = (cell.width() - count * edge_ - (count - 1) * kBetween) / 2; // captions may be wider
    return {QPoint(cell.left() + left + picture * (edge_ + kBetween), cell.top()), size};
}

QRect SampleGrid::captionRect(std::size_t cell) const {
    const QRect area = cellRect(cell);
    const int height = captionLines_ * QFontMetrics(captionFont()).height();
    return area.isEmpty() || height == 0 ? QRect()
                                         : QRect(area.left() - look_.gap / 2 + 1, area.bottom() + 1 - height,
                                                 area.width() + look_.gap - 2, height);
}

QRect SampleGrid::headingRect(std::size_t group) const {
    if (!layout_.hasHeaders())
        return {};
    return {look_.gap, yOf(layout_.headerTop(group)), viewport()->width() - 2 * look_.gap,
            layout_.sizes().header - look_.gap};
}

QString SampleGrid::foldText(std::size_t group) const {
    return layout_.isOpen(group) ? tr("show fewer") : tr("show all %1").arg(formatCount(layout_.group(group).count));
}

QRect SampleGrid::foldRect(std::size_t group) const {
    if (!layout_.canFold(group))
        return {};
    const int width = fontMetrics().horizontalAdvance(foldText(group)) + 2 * kHeadingMargin;
    const QRect heading = headingRect(group);
    return {heading.right() - width + 1, heading.top(), width, heading.height()};
}

std::optional<std::size_t> SampleGrid::cellAt(QPoint point) const {
    const std::int64_t height = heightAt(point.y());
    const auto group = layout_.groupAt(height);
    const int x = point.x() - margin() - titlesWidth();
    if (!group || x < 0 || x % pitchX() >= cellWidth(edge_) || x / pitchX() >= layout_.sizes().columns)
        return std::nullopt;
    const std::int64_t inLines = height - layout_.linesTop(*group);
    if (inLines < 0 || inLines % layout_.sizes().line >= cellHeight(edge_))
        return std::nullopt;
    const auto at = static_cast<std::size_t>(inLines / layout_.sizes().line) * layout_.perLine() +
                    static_cast<std::size_t>(x / pitchX());
    return at < layout_.visible(*group) ? std::optional(layout_.group(*group).first + at) : std::nullopt;
}

std::optional<GridPlace> SampleGrid::placeAt(QPoint point) const {
    const auto cell = cellAt(point);
    if (!cell)
        return std::nullopt;
    const int below = look_.pictureCaptions ? kStrip + kCaptionGap + QFontMetrics(captionFont()).height() : 0;
    for (std::size_t picture = 0; picture < contents_->picturesPerCell(); ++picture)
        if (pictureRect({*cell, picture}).adjusted(0, 0, 0, below).contains(point))
            return GridPlace{*cell, picture};
    return stopsPerCell() == 1 ? std::optional(GridPlace{*cell, 0}) : std::nullopt;
}

std::optional<std::size_t> SampleGrid::headingAt(QPoint point) const {
    const auto group = layout_.groupAt(heightAt(point.y()));
    return group && headingRect(*group).contains(point) ? group : std::nullopt;
}

void SampleGrid::setGroupOpen(std::size_t group, bool open) {
    if (!layout_.canFold(group) || layout_.isOpen(group) == open)
        return;
    layout_.setOpen(group, open);
    updateScrollBar();
    viewport()->update();
}

void SampleGrid::scrollIntoSight(QRect area) {
    QScrollBar* bar = verticalScrollBar();
    area.adjust(0, -margin(), 0, margin());
    if (area.top() < 0)
        bar->setValue(bar->value() + area.top());
    else if (area.bottom() >= viewport()->height())
        bar->setValue(bar->value() + std::min(area.top(), area.bottom() - viewport()->height() + 1));
}

void SampleGrid::scrollTo(std::size_t cell) {
    if (!layout_.isVisible(cell))
        setGroupOpen(layout_.groupOf(cell), true);
    scrollIntoSight(cellRect(cell));
}

void SampleGrid::scrollNear(std::size_t cell) {
    scrollIntoSight(layout_.isVisible(cell) ? cellRect(cell) : headingRect(layout_.groupOf(cell)));
}

void SampleGrid::scrollToFocus() {
    const auto before = current_;
    follow();
    if (current_ && current_ != before)
        scrollTo(current_->cell);
}

void SampleGrid::layOut() {
    const auto top = layout_.groupAt(std::max<std::int64_t>(0, heightAt(margin())));
    std::optional<std::size_t> kept;
    if (top) {
        const std::int64_t lines = std::max<std::int64_t>(0, heightAt(margin()) - layout_.linesTop(*top));
        kept = layout_.inLine(*top, static_cast<std::size_t>(lines / layout_.sizes().line), 0);
    }
    layout_.resize(measured());
    updateScrollBar();
    if (kept && layout_.isVisible(*kept))
        verticalScrollBar()->setValue(verticalScrollBar()->value() + cellRect(*kept).top() - margin() -
                                      (layout_.hasHeaders() ? headingHeight() : 0));
    viewport()->update();
}

void SampleGrid::updateScrollBar() {
    const std::int64_t most = fits() ? 0 : layout_.height() + margin() - viewport()->height();
    verticalScrollBar()->setRange(0,
                                  static_cast<int>(std::clamp<std::int64_t>(most, 0, std::numeric_limits<int>::max())));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(std::max(1, layout_.sizes().line / 3));
}

void SampleGrid::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    if (look_.fewest > 0)
        contentsChanged(); // as many as a line holds
    layout_.resize(measured());
    updateScrollBar();
}

void SampleGrid::showEvent(QShowEvent* event) {
    QAbstractScrollArea::showEvent(event);
    follow();
}

void SampleGrid::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange && contents_ != nullptr)
        layOut();
}

} // namespace assay
