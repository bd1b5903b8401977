#include "widgets/ranking/gallery_view.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_picker.h"
#include "widgets/samples/decision_marks.h"
#include "widgets/samples/sample_marks.h"
#include "widgets/samples/sample_tooltip.h"
#include "widgets/samples/thumbnail_cache.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace assay {
namespace {

constexpr int kGap = 6;
constexpr int kPairGap = 2; // between a sample and its original
constexpr int kStrip = 3;   // height of the colour strip under a picture
constexpr int kCaptionTile = 40;
constexpr int kChipMargin = 10; // of both sides of a verdict's text

} // namespace

GalleryView::GalleryView(RankingModel* model, RankingPicker* picker, ThumbnailCache* cache, QWidget* parent)
    : QAbstractScrollArea(parent), model_(model), picker_(picker), cache_(cache) {
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Gallery of ranked samples"));
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        updateScrollBar();
        viewport()->update();
    });
    connect(model_, &QAbstractItemModel::dataChanged, viewport(), qOverload<>(&QWidget::update));
    connect(model_->selection(), &SampleSelection::hoverChanged, viewport(), qOverload<>(&QWidget::update));
}

void GalleryView::setTileSize(int edge) {
    edge = std::clamp(edge, kSmallestTile, kLargestTile);
    if (edge == edge_)
        return;
    // The sample at the top stays in sight while its tile grows.
    const auto top = positionAt(QPoint(kGap + 1, kGap + 1));
    edge_ = edge;
    updateScrollBar();
    if (top)
        verticalScrollBar()->setValue(static_cast<int>(*top) / columns() * pitchY());
    viewport()->update();
}

bool GalleryView::captionsFit() const {
    return edge_ >= kCaptionTile;
}

int GalleryView::tileHeight() const {
    return edge_ + kStrip + (captionsFit() ? fontMetrics().height() : 0);
}

bool GalleryView::showsOriginals() const {
    const Column* column = model_->rankedColumn();
    return column != nullptr && column->id == "copy_ratio" && model_->state().hasModel() &&
           model_->state().current().hasColumn("nearest_real");
}

int GalleryView::tileWidth() const {
    return showsOriginals() ? 2 * edge_ + kPairGap : edge_;
}

int GalleryView::pitchX() const {
    return tileWidth() + kGap;
}

int GalleryView::pitchY() const {
    return tileHeight() + kGap;
}

int GalleryView::columns() const {
    return std::max(1, (viewport()->width() - kGap) / pitchX());
}

QRect GalleryView::tileRect(std::size_t position) const {
    const int perLine = columns();
    const int line = static_cast<int>(position) / perLine;
    const int column = static_cast<int>(position) % perLine;
    return {kGap + column * pitchX(), kGap + line * pitchY() - verticalScrollBar()->value(), tileWidth(), tileHeight()};
}

std::optional<std::size_t> GalleryView::positionAt(QPoint point) const {
    const int x = point.x() - kGap;
    const int y = point.y() - kGap + verticalScrollBar()->value();
    if (x < 0 || y < 0 || x % pitchX() >= tileWidth() || y % pitchY() >= tileHeight() || x / pitchX() >= columns())
        return std::nullopt;
    const auto position = static_cast<std::size_t>(y / pitchY()) * static_cast<std::size_t>(columns()) +
                          static_cast<std::size_t>(x / pitchX());
    return position < model_->size() ? std::optional(position) : std::nullopt;
}

void GalleryView::scrollTo(std::size_t position) {
    const QRect tile = tileRect(position).adjusted(0, -kGap, 0, kGap);
    QScrollBar* bar = verticalScrollBar();
    if (tile.top() < 0)
        bar->setValue(bar->value() + tile.top());
    else if (tile.bottom() >= viewport()->height())
        bar->setValue(bar->value() + tile.bottom() - viewport()->height() + 1);
}

void GalleryView::updateScrollBar() {
    const int perLine = columns();
    const int lines = (static_cast<int>(model_->size()) + perLine - 1) / perLine;
    verticalScrollBar()->setRange(0, std::max(0, lines * pitchY() + kGap - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(std::max(1, pitchY() / 3));
}

void GalleryView::paintCaption(QPainter& painter, std::uint32_t row, const QRect& tile) const {
    const Column* column = model_->rankedColumn();
    if (column)
        painter.fillRect(QRect(tile.left(), tile.top() + edge_, edge_, kStrip),
                         colors::score(model_->rankedShade(row), palette()));
    if (!captionsFit())
        return;
    const QRect line(tile.left() - kGap / 2, tile.top() + edge_ + kStrip, edge_ + kGap, fontMetrics().height());
    const QString text = column && column->unit != Unit::Row ? formatValue(model_->rankedValue(row), *column)
                                                             : QString::fromStdString(model_->listed().idText(row));
    painter.setPen(colors::mutedText(palette()));
    painter.drawText(line, Qt::AlignCenter, fontMetrics().elidedText(text, Qt::ElideMiddle, line.width()));
}

QString GalleryView::verdictText(Verdict verdict) const {
    QStringList texts;
    if (const Column* column = findColumn("verdict"))
        texts << formatValue(static_cast<double>(verdict), *column);
    switch (verdict) {
    case Verdict::Copy:
        texts << tr("C", "verdict: copy");
        break;
    case Verdict::OverRepresented:
        texts << tr("over") << tr("O", "verdict: over-represented");
        break;
    case Verdict::Unrealistic:
        texts << tr("unreal") << tr("U", "verdict: unrealistic");
        break;
    case Verdict::Good:
        break;
    }
    for (const QString& text : texts)
        if (fontMetrics().horizontalAdvance(text) + kChipMargin <= edge_ - 6)
            return text;
    return texts.isEmpty() ? QString() : texts.back();
}

/// By name where there is room for it, else by number.
void GalleryView::paintTags(QPainter& painter, SampleId sample, const QRect& picture) const {
    const bool alone = model_->verdictOf(sample.row) == Verdict::Good; // else the corner beside it is taken
    const int room = alone ? picture.width() - 14 : picture.width() / 3;
    QString text = tagsText(model_->state(), sample);
    if (fontMetrics().horizontalAdvance(text) > room)
        text = fontMetrics().elidedText(QString::fromStdString(assay::tagsText(model_->state().tagsOf(sample))),
                                        Qt::ElideRight, room);
    const QRect label(picture.left() + 3, picture.top() + 3, fontMetrics().horizontalAdvance(text) + 8,
                      fontMetrics().height());
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(label, 3, 3);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(label, Qt::AlignCenter, text);
    painter.setBrush(Qt::NoBrush);
}

void GalleryView::paintDecision(QPainter& painter, SampleId sample, const QRect& picture) const {
    const ViewState& state = model_->state();
    if (state.isAccepted(sample))
        paintDecisionMark(painter, DecisionMark::Check, picture, palette());
    else if (state.isUnsure(sample))
        paintDecisionMark(painter, DecisionMark::QuestionMark, picture, palette());
    else if (!isReal(sample.set) && !state.isKept(sample.row))
        paintDecisionMark(painter, DecisionMark::Cross, picture, palette());
}

/// In words: colour alone would not tell one verdict from another.
void GalleryView::paintVerdict(QPainter& painter, Verdict verdict, const QRect& picture) const {
    const QString text = verdictText(verdict);
    const int wide = fontMetrics().horizontalAdvance(text) + kChipMargin;
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors::verdict(verdict, palette()));
    const QRect label(picture.right() - wide - 2, picture.top() + 3, wide, fontMetrics().height());
    painter.drawRoundedRect(label, 3, 3);
    painter.setPen(palette().color(QPalette::Base));
    painter.drawText(label, Qt::AlignCenter, text);
    painter.setBrush(Qt::NoBrush);
}

/// The nearest real sample, as large, with a rim in the colour of real samples.
void GalleryView::paintOriginal(QPainter& painter, std::uint32_t row, const QRect& tile) const {
    const double nearest = model_->state().current().column("nearest_real")[row];
    const QRect picture(tile.left() + edge_ + kPairGap, tile.top(), edge_, edge_);
    cache_->paint(painter, picture, {SetId::Real, static_cast<std::uint32_t>(nearest)}, palette());
    painter.fillRect(QRect(picture.left(), picture.bottom() + 1, edge_, kStrip), colors::real(palette()));
    if (captionsFit()) {
        const QRect line(picture.left(), tile.top() + edge_ + kStrip, edge_, fontMetrics().height());
        painter.setPen(colors::mutedText(palette()));
        painter.drawText(line, Qt::AlignCenter, tr("real"));
    }
}

void GalleryView::paintTile(QPainter& painter, std::size_t position, const QRect& tile) const {
    const SampleId sample = model_->sampleAt(position);
    const SampleSelection* selection = model_->selection();
    const QRect picture(tile.left(), tile.top(), edge_, edge_);
    const bool rejected = !isReal(sample.set) && !model_->state().isKept(sample.row);
    painter.setOpacity(rejected ? kRejectedOpacity : 1.0);
    cache_->paint(painter, picture, sample, palette(),
                  model_->rankedColumn() ? colors::score(model_->rankedShade(sample.row), palette()) : QColor());
    painter.setOpacity(1.0);
    paintCaption(painter, sample.row, tile);
    if (showsOriginals())
        paintOriginal(painter, sample.row, tile);
    painter.setRenderHint(QPainter::Antialiasing);
    paintDecision(painter, sample, picture);
    if (!model_->state().noteOf(sample).empty())
        paintNoteMark(painter, picture, palette());
    if (model_->state().tagsOf(sample) != 0)
        paintTags(painter, sample, picture);
    if (const Verdict verdict = model_->verdictOf(sample.row); verdict != Verdict::Good)
        paintVerdict(painter, verdict, picture);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintSelectionFrame(painter, picture, selectionMark(*selection, sample), palette());
}

void GalleryView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    lastPainted_ = 0;
    const int scrolled = verticalScrollBar()->value();
    const int first = std::max(0, (event->rect().top() + scrolled - kGap) / pitchY());
    const int last = (event->rect().bottom() + scrolled) / pitchY();
    const auto perLine = static_cast<std::size_t>(columns());
    const std::size_t end = std::min(model_->size(), (static_cast<std::size_t>(last) + 1) * perLine);
    for (std::size_t position = static_cast<std::size_t>(first) * perLine; position < end; ++position) {
        paintTile(painter, position, tileRect(position));
        ++lastPainted_;
    }
}

void GalleryView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
}

void GalleryView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateScrollBar();
}

void GalleryView::mousePressEvent(QMouseEvent* event) {
    const auto position = positionAt(event->position().toPoint());
    if (position && event->button() == Qt::LeftButton)
        picker_->click(*position, event->modifiers());
    else if (position) // what a menu is about
        model_->selection()->hover(model_->sampleAt(*position));
}

void GalleryView::mouseMoveEvent(QMouseEvent* event) {
    const auto position = positionAt(event->position().toPoint());
    model_->selection()->hover(position ? std::optional(model_->sampleAt(*position)) : std::nullopt);
}

void GalleryView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto position = positionAt(event->position().toPoint());
    if (position && event->button() == Qt::LeftButton)
        emit inspectRequested(model_->sampleAt(*position));
}

void GalleryView::keyPressEvent(QKeyEvent* event) {
    if (!picker_->key(event, {columns(), std::max(1, viewport()->height() / pitchY())}))
        QAbstractScrollArea::keyPressEvent(event);
}

void GalleryView::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    setTileSize(edge_ + (event->angleDelta().y() > 0 ? 8 : -8));
    emit tileSizeChanged(edge_);
}

bool GalleryView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        model_->selection()->hover(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto position = positionAt(help->pos());
        if (position)
            QToolTip::showText(help->globalPos(), sampleToolTip(model_->state(), model_->sampleAt(*position)), this,
                               tileRect(*position));
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace assay
