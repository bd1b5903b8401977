#include "widgets/tables/cell_delegate.h"

#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"
#include "widgets/link/thumbnail_cache.h"
#include "widgets/tables/row_model.h"
#include "widgets/tables/table_header.h"
#include "widgets/tables/table_view.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kMinShare = 8;       // letters of a cell with a bar
constexpr int kMinInterval = 120;  // pixels
constexpr int kMinPictureText = 9; // letters beside a picture
constexpr int kSelectedBar = 4;
constexpr int kAsideGap = 10;        // between the text of a line and what follows it
constexpr int kMinAside = 48;        // pixels; what follows says nothing in fewer
constexpr int kMaxColumnNames = 100; // names

/// Relative luminance of WCAG 2.
double luminanceOf(const QColor& color) {
    const auto linear = [](float part) {
        return part <= 0.04045F ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QPalette::ColorGroup colorGroupOf(const QStyleOptionViewItem& option) {
    if (!(option.state & QStyle::State_Enabled))
        return QPalette::Disabled;
    return option.state & QStyle::State_Active ? QPalette::Normal : QPalette::Inactive;
}

void paintShare(QPainter& painter, const QStyleOptionViewItem& option, const CellShare& bar) {
    const bool isSelected = option.state & QStyle::State_Selected;
    QColor color = bar.side == Side::Real ? colors::real(option.palette) : colors::synthetic(option.palette);
    if (isSelected && colors::isDark(option.palette))
        color = color.darker(170); // the text on it is light
    color.setAlphaF(isSelected ? 0.6F : 0.28F);
    QRect rect = option.rect.adjusted(1, 2, -1, -2);
    rect.setWidth(static_cast<int>(std::lround(bar.share * rect.width())));
    painter.fillRect(rect, color);
    if (!isSelected || rect.width() < 2)
        return;
    QColor edge = option.palette.color(colorGroupOf(option), QPalette::HighlightedText);
    edge.setAlphaF(0.6F);
    painter.setPen(edge);
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
}

void paintShift(QPainter& painter, const QStyleOptionViewItem& option, const CellShift& bar) {
    const double middle = option.rect.center().x();
    const double length = std::clamp(bar.part, -1.0, 1.0) * (option.rect.width() / 2.0 - 1.0);
    QColor color = colors::synthetic(option.palette);
    color.setAlphaF(0.35F);
    painter.fillRect(
        QRectF(std::min(middle, middle + length), option.rect.top() + 2, std::abs(length), option.rect.height() - 4),
        color);
}

/// A line at 0 and the interval about it, as far as the larger of its ends.
void paintInterval(QPainter& painter, const QStyleOptionViewItem& option, const CellInterval& shown,
                   const QColor& ink) {
    const double reach = std::max(std::abs(shown.low), std::abs(shown.high));
    const QRectF room = QRectF(option.rect).adjusted(8, 0, -8, 0);
    const auto at = [&](double value) {
        return QPointF(room.center().x() + (reach > 0.0 ? value / reach : 0.0) * room.width() / 2.0, room.center().y());
    };
    const QColor muted = option.state & QStyle::State_Selected ? option.palette.color(QPalette::HighlightedText)
                                                               : colors::mutedText(option.palette);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(muted, 1.0));
    painter.drawLine(QPointF(room.center().x(), option.rect.top() + 2),
                     QPointF(room.center().x(), option.rect.bottom() - 2));
    const QColor color = shown.excludesZero() ? ink : muted;
    painter.setPen(QPen(color, shown.excludesZero() ? 2.5 : 1.5));
    painter.drawLine(at(shown.low), at(shown.high));
    painter.setBrush(color);
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(at(shown.value), 3.5, 3.5);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
}

void paintShade(QPainter& painter, const QStyleOptionViewItem& option, const CellShade& shade) {
    // The gap of a pixel keeps cells of one colour apart.
    const QRectF rect = QRectF(option.rect).adjusted(0, 0, -1, -1);
    painter.fillRect(rect, std::isnan(shade.at) ? option.palette.color(QPalette::Base)
                                                : colors::amount(shade.at, option.palette));
    if (!shade.isSame)
        return;
    painter.setPen(QPen(colors::mutedText(option.palette), 1.0));
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace

/// A cell that is being painted.
struct CellDelegate::Painting {
    QPainter& painter;
    const QStyleOptionViewItem& option;
    const QModelIndex& index;
    const RowModel& model;
    TableCell cell;
    TableView::RowMarks marks;

    bool isSelected() const { return option.state & QStyle::State_Selected; }
    const CellShade* shade() const { return std::get_if<CellShade>(&cell.graphic); }
    const TableColumn& column() const { return model.content().column(index.column()); }
    QColor textColor() const { return option.palette.color(colorGroupOf(option), QPalette::Text); }
    QColor ink() const {
        if (shade() != nullptr)
            return std::isnan(shade()->at) ? textColor() : inkOn(colors::amount(shade()->at, option.palette));
        if (isSelected())
            return option.palette.color(colorGroupOf(option), QPalette::HighlightedText);
        if (cell.ink)
            return cell.ink(option.palette);
        const auto& isMuted = model.content().isMuted;
        return isMuted && isMuted(model.rowAt(index.row())) ? colors::mutedText(option.palette) : textColor();
    }
};

QColor inkOn(const QColor& background) {
    const double luminance = luminanceOf(background);
    return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? QColor(Qt::black) : QColor(Qt::white);
}

CellDelegate::CellDelegate(TableView* view) : QStyledItemDelegate(view), view_(view) {}

int CellDelegate::widthOf(const TableCell& cell) const {
    QFont font = view_->font();
    font.setBold(cell.isBold);
    const QFontMetrics metrics(font);
    const int letter = view_->fontMetrics().averageCharWidth();
    int width = metrics.horizontalAdvance(cell.text);
    for (const QString& beside : {cell.lead, cell.mark})
        width += beside.isEmpty() ? 0 : metrics.horizontalAdvance(beside) + kCellInset;
    if (std::holds_alternative<CellShare>(cell.graphic))
        width = std::max(width, kMinShare * letter);
    if (std::holds_alternative<CellInterval>(cell.graphic))
        width = std::max(width, kMinInterval);
    if (std::holds_alternative<CellPicture>(cell.graphic))
        width = std::max(width, kMinPictureText * letter) + view_->rowHeight() + kCellInset;
    return width + 2 * view_->content().inset() + 2; // a text that fits to the pixel is elided
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto& model = static_cast<const RowModel&>(*index.model());
    const Painting on{*painter, option, index, model, model.cell(index), view_->marksOf(index)};
    const TableContent& content = model.content();
    painter->save();
    painter->setFont(option.font);
    paintGround(on);
    QRect rect = option.rect;
    const int line = option.fontMetrics.height() + 2;
    if (content.above) {
        paintRowLine(on, content.above(model.rowAt(index.row())), QRect(rect.left(), rect.top() + 2, 0, line));
        rect.setTop(rect.center().y());
    }
    if (content.below) {
        rect.setHeight(rect.height() / 2 + 1);
        paintRowLine(on, content.below(model.rowAt(index.row())), QRect(rect.left(), rect.bottom() - 1, 0, line));
    }
    QStyleOptionViewItem upper = option;
    upper.rect = rect;
    if (const auto* share = std::get_if<CellShare>(&on.cell.graphic))
        paintShare(*painter, upper, *share);
    else if (const auto* shift = std::get_if<CellShift>(&on.cell.graphic))
        paintShift(*painter, upper, *shift);
    else if (const auto* interval = std::get_if<CellInterval>(&on.cell.graphic))
        paintInterval(*painter, upper, *interval, on.ink());
    paintText(on, rect.adjusted(content.inset(), 0, -content.inset(), 0));
    paintFrame(on);
    painter->restore();
}

void CellDelegate::paintGround(const Painting& on) const {
    const QRect rect = on.option.rect;
    if (on.isSelected() && on.shade() == nullptr)
        on.painter.fillRect(rect, on.option.palette.color(colorGroupOf(on.option), QPalette::Highlight));
    const auto tint = [&](QColor color, float part) {
        color.setAlphaF(part);
        on.painter.fillRect(rect, color);
    };
    if (on.column().tint)
        tint(on.column().tint(on.option.palette), 0.10F);
    if (on.marks.isChosen)
        tint(colors::selected(on.option.palette), 0.22F);
    if (on.shade() != nullptr)
        paintShade(on.painter, on.option, *on.shade());
    if (on.model.content().selectedBar && on.isSelected() && on.index.column() == view_->firstColumn())
        on.painter.fillRect(QRect(rect.left(), rect.top(), kSelectedBar, rect.height()),
                            on.model.content().selectedBar(on.option.palette));
}

void CellDelegate::paintText(const Painting& on, QRect rect) const {
    QPainter& painter = on.painter;
    const TableCell& cell = on.cell;
    QFont font = on.option.font;
    font.setBold(cell.isBold);
    painter.setFont(font);
    painter.setPen(on.ink());
    const QFontMetrics metrics(font);
    if (const auto* picture = std::get_if<CellPicture>(&cell.graphic)) {
        const QRect room(rect.left() + 2, rect.top() + 3, rect.height() - 6, rect.height() - 6);
        view_->paintPicture(painter, room, picture->sample);
        rect.setLeft(room.right() + kCellInset);
        if (!picture->below.isEmpty()) {
            const int middle = rect.center().y();
            painter.setPen(colors::mutedText(on.option.palette));
            painter.drawText(QRect(rect.left(), middle, rect.width(), metrics.height()), Qt::AlignLeft | Qt::AlignTop,
                             metrics.elidedText(picture->below, Qt::ElideRight, rect.width()));
            painter.setPen(on.ink());
            rect = QRect(rect.left(), middle - metrics.height(), rect.width(), metrics.height());
        }
    }
    for (const QString& beside : {cell.mark, cell.lead}) {
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, beside);
        rect.setLeft(rect.left() + (beside.isEmpty() ? 0 : metrics.horizontalAdvance(beside) + kCellInset));
    }
    const Qt::Alignment side =
        on.shade() != nullptr && on.model.content().isMatrix ? Qt::Alignment(Qt::AlignCenter) : on.column().alignment();
    if (on.model.content().isMatrix) {
        painter.drawText(on.option.rect, side, cell.text);
        return;
    }
    painter.drawText(rect, side,
                     on.column().areUnique ? elidedName(cell.text, namesIn(on), QFontMetricsF(metrics), rect.width())
                                           : metrics.elidedText(cell.text, on.column().elide, rect.width()));
}

/// The texts of a cell's column.
QStringList CellDelegate::namesIn(const Painting& on) {
    QStringList names;
    for (int place = 0; place < std::min(on.model.rowCount(), kMaxColumnNames); ++place)
        names << on.model.index(place, on.index.column()).data().toString();
    return names;
}

void CellDelegate::paintRowLine(const Painting& on, const RowLine& line, QRect rect) const {
    QPainter& painter = on.painter;
    painter.save();
    painter.setClipRect(on.option.rect, Qt::IntersectClip);
    rect.setLeft(view_->columnViewportPosition(view_->firstColumn()) + kCellInset);
    rect.setRight(view_->viewport()->width() - kCellInset);
    QFont font = on.option.font;
    font.setBold(line.isTitle && on.isSelected());
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const int room = rect.width() - metrics.horizontalAdvance(line.suffix);
    const QString text = (line.others.isEmpty() ? metrics.elidedText(line.text, Qt::ElideRight, room)
                                                : elidedName(line.text, line.others, QFontMetricsF(metrics), room)) +
                         line.suffix;
    const QColor selected = on.option.palette.color(colorGroupOf(on.option), QPalette::HighlightedText);
    painter.setPen(on.isSelected() ? selected : line.ink ? line.ink(on.option.palette) : on.textColor());
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, text);
    rect.setLeft(rect.left() + metrics.horizontalAdvance(text) + kAsideGap);
    if (rect.width() >= kMinAside) {
        painter.setPen(on.isSelected() || !line.asideInk ? selected : line.asideInk(on.option.palette));
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(line.aside, Qt::ElideRight, rect.width()));
    }
    painter.restore();
}

void CellDelegate::paintFrame(const Painting& on) const {
    QPainter& painter = on.painter;
    const QRectF rect = QRectF(on.option.rect).adjusted(0, 0, -1, -1);
    const QPalette& palette = on.option.palette;
    if (on.shade() != nullptr && on.isSelected()) {
        // Yellow is seen on every colour but its own: the dark line inside is seen there.
        painter.setPen(QPen(colors::selected(palette), 2.0));
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
        painter.setPen(QPen(Qt::black, 1.0));
        painter.drawRect(rect.adjusted(2.5, 2.5, -2.5, -2.5));
    }
    const bool isCurrent = view_->hasFocus() && on.index == view_->currentIndex();
    if (isCurrent && view_->selectionBehavior() == QAbstractItemView::SelectItems) {
        painter.setPen(on.shade() != nullptr ? QPen(on.ink(), 1.0, Qt::DotLine)
                                             : QPen(palette.color(QPalette::Highlight), 1.5));
        const double inset = on.shade() != nullptr ? 4.5 : 1.0;
        painter.drawRect(rect.adjusted(inset, inset, -inset, -inset));
    }
    if (on.marks.isChosen && on.index.column() == view_->firstColumn())
        painter.fillRect(QRectF(rect.left(), rect.top(), kSelectedBar, on.option.rect.height()),
                         colors::selected(palette));
    if (!on.marks.isFocused && !on.marks.isCurrent)
        return;
    painter.setPen(on.marks.isFocused ? QPen(colors::selected(palette), 2)
                                      : QPen(palette.color(QPalette::Highlight), 1));
    const QRect row = on.option.rect;
    painter.drawLine(row.left(), row.top() + (on.marks.isFocused ? 1 : 0), row.right(),
                     row.top() + (on.marks.isFocused ? 1 : 0));
    painter.drawLine(row.left(), row.bottom(), row.right(), row.bottom());
}

} // namespace assay
