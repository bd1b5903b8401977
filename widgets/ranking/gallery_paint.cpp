#include "widgets/ranking/gallery_view.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/common/verdict_words.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/gallery_sizes.h"
#include "widgets/ranking/group_text.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/samples/decision_marks.h"
#include "widgets/samples/sample_marks.h"
#include "widgets/link/thumbnail_cache.h"

#include <QCoreApplication>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace assay {
namespace {

/// A text in at most two lines: the number alone in the first one if the rest fits in the second, else as few words as
/// that takes.
QStringList inTwoLines(const QString& text, const QFontMetrics& metrics, int width) {
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

void paintChip(QPainter& painter, const QRect& area, const QString& text, const QColor& back, const QColor& ink) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(back);
    painter.drawRoundedRect(area, 3, 3);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(ink);
    painter.drawText(area, Qt::AlignCenter, text);
}

} // namespace

QString gallery::foldText(const GalleryLayout& layout, std::size_t group) {
    return layout.isOpen(group) ? QCoreApplication::translate("assay::GalleryView", "show fewer")
                                : QCoreApplication::translate("assay::GalleryView", "show all %1")
                                      .arg(formatCount(layout.group(group).count));
}

using namespace gallery;

void GalleryView::paintCaption(QPainter& painter, std::size_t position, const QRect& tile) const {
    if (model_->rankedColumn() != nullptr)
        painter.fillRect(QRect(tile.left(), tile.top() + edge_, edge_, kStrip),
                         colors::score(model_->rankedShade(model_->sampleAt(position).row), palette()));
    if (captionLines_ == 0)
        return;
    const QFontMetrics metrics(smallFont());
    QRect line(tile.left() - kGap / 2 + 1, tile.bottom() + 1 - captionHeight() + kCaptionGap, edge_ + kGap - 2,
               metrics.height());
    const QString text = captions_.at(position);
    painter.setFont(smallFont());
    painter.setPen(palette().color(QPalette::Text));
    for (const QString& part : captionLines_ == 1 ? QStringList{text} : inTwoLines(text, metrics, line.width())) {
        painter.drawText(line, Qt::AlignCenter, metrics.elidedText(part, Qt::ElideRight, line.width()));
        line.translate(0, line.height());
    }
    painter.setFont(font());
}

QFont GalleryView::smallFont() const {
    QFont small = font();
    small.setPixelSize(std::max(9, QFontInfo(font()).pixelSize() - 2));
    return small;
}

int GalleryView::badgeWidth(const QString& text) const {
    return QFontMetrics(smallFont()).horizontalAdvance(text) + kChipMargin;
}

QString GalleryView::fittingBadge(const QString& word) const {
    return badgeWidth(word) <= edge_ - 6 ? word : word.left(1).toUpper();
}

QString GalleryView::verdictText(Verdict verdict) const {
    if (verdict == Verdict::Good)
        return {};
    const QString word = fittingBadge(verdictWord(verdict));
    // "Copy" and "crowded" begin with one letter.
    return word.size() > 1 ? word
           : verdict == Verdict::Crowded
               ? QCoreApplication::translate("assay::GalleryView", "D", "verdict: crowded, too dense")
               : word;
}

QString GalleryView::verdictText(CoverageVerdict verdict) const {
    return verdict == CoverageVerdict::Covered ? QString() : fittingBadge(verdictWord(verdict));
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
    paintChip(painter, label, text, palette().color(QPalette::Base), palette().color(QPalette::Text));
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
void GalleryView::paintVerdict(QPainter& painter, const QString& text, const QColor& color,
                               const QRect& picture) const {
    const int wide = badgeWidth(text);
    const int high = QFontMetrics(smallFont()).height();
    painter.setFont(smallFont());
    paintChip(painter, QRect(picture.right() - wide - 2, picture.top() + 3, wide, high), text, color,
              palette().color(QPalette::Base));
    painter.setFont(font());
}

/// With a strip in the colour of its set, and its name.
void GalleryView::paintNearest(QPainter& painter, std::size_t position) const {
    const auto nearest = nearestOther(model_->state(), model_->sampleAt(position));
    const QRect picture = nearestRect(position);
    if (!nearest || picture.isEmpty())
        return;
    const bool real = isReal(nearest->set);
    const QColor color = real ? colors::real(palette()) : colors::synthetic(palette());
    cache_->paint(painter, picture, *nearest, palette());
    painter.fillRect(QRect(picture.left(), picture.bottom() + 1, edge_, kStrip), color);
    const QString name = real ? tr("real") : tr("synthetic");
    const int wide = badgeWidth(name);
    if (wide > edge_ - 6)
        return;
    painter.setFont(smallFont());
    painter.setRenderHint(QPainter::Antialiasing);
    paintChip(painter, QRect(picture.left() + 3, picture.top() + 3, wide, QFontMetrics(smallFont()).height()), name,
              color, palette().color(QPalette::Base));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(font());
}

void GalleryView::paintTile(QPainter& painter, std::size_t position) const {
    const QRect tile = tileRect(position);
    const SampleId sample = model_->sampleAt(position);
    const SampleSelection* selection = model_->selection();
    const QRect picture(tile.left(), tile.top(), edge_, edge_);
    const bool rejected = !isReal(sample.set) && !model_->state().isKept(sample.row);
    painter.setOpacity(rejected ? kRejectedOpacity : 1.0);
    cache_->paint(painter, picture, sample, palette(),
                  model_->rankedColumn() ? colors::score(model_->rankedShade(sample.row), palette()) : QColor());
    painter.setOpacity(1.0);
    paintNearest(painter, position);
    paintCaption(painter, position, tile);
    painter.setRenderHint(QPainter::Antialiasing);
    paintDecision(painter, sample, picture);
    if (!model_->state().noteOf(sample).empty())
        paintNoteMark(painter, picture, palette());
    if (model_->state().tagsOf(sample) != 0)
        paintTags(painter, sample, picture);
    const Verdict verdict = model_->verdictOf(sample.row);
    if (verdict != Verdict::Good)
        paintVerdict(painter, verdictText(verdict), colors::verdict(verdict, palette()), picture);
    const CoverageVerdict coverage = model_->coverageVerdictOf(sample.row);
    if (coverage != CoverageVerdict::Covered)
        paintVerdict(painter, verdictText(coverage), colors::real(palette()), picture);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintSelectionFrame(painter, picture, selectionMark(*selection, sample), palette());
}

void GalleryView::paintHeader(QPainter& painter, std::size_t group) const {
    const QRect area = headerRect(group);
    painter.fillRect(area, palette().color(QPalette::AlternateBase));
    if (header_ == group) {
        painter.setPen(QPen(colors::selected(palette()), 2));
        painter.drawRect(area.adjusted(1, 1, -1, -1));
    }
    QRect text = area.adjusted(kHeaderMargin, 0, -kHeaderMargin, 0);
    if (const auto centre = groupCentre(*model_, layout_.group(group))) {
        const QRect picture(text.left(), area.center().y() - kCentreEdge / 2 + 1, kCentreEdge, kCentreEdge);
        cache_->paint(painter, picture, *centre, palette());
        text.setLeft(picture.right() + kGap);
    }
    const QRect fold = foldRect(group);
    if (!fold.isEmpty()) {
        painter.setPen(palette().color(QPalette::Link));
        painter.drawText(fold, Qt::AlignCenter, foldText(layout_, group));
        text.setRight(fold.left() - kGap);
    }
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(headerText(group), Qt::ElideRight, text.width()));
    painter.setFont(font());
}

void GalleryView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    lastPainted_ = 0;
    const std::int64_t top = heightAt(event->rect().top());
    const std::int64_t bottom = heightAt(event->rect().bottom());
    const auto perLine = static_cast<std::size_t>(layout_.sizes().columns);
    const auto begin = layout_.groupAt(std::max<std::int64_t>(top, 0));
    for (std::size_t group = begin.value_or(layout_.groupCount());
         group < layout_.groupCount() && layout_.headerTop(group) <= bottom; ++group) {
        if (layout_.hasHeaders())
            paintHeader(painter, group);
        const std::int64_t lines = layout_.linesTop(group);
        const std::int64_t line = layout_.sizes().line;
        const auto first = static_cast<std::size_t>(std::max<std::int64_t>(0, (top - lines) / line)) * perLine;
        for (std::size_t at = first; at < layout_.visible(group); ++at) {
            if (at % perLine == 0 && lines + static_cast<std::int64_t>(at / perLine) * line > bottom)
                break;
            paintTile(painter, layout_.group(group).first + at);
            ++lastPainted_;
        }
    }
}

} // namespace assay
