#include "widgets/tables/table_header.h"

#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"
#include "widgets/tables/row_model.h"

#include <QAbstractItemView>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace assay {
namespace {

constexpr int kBar = 3;                   // height of the bar below a heading
constexpr int kArrow = 4;                 // height of the arrow of a sorted column, above its heading
constexpr int kLineLength = 18;           // letters of a line of a heading
constexpr qsizetype kMaxMeasured = 60;    // letters of a name: no more are shown
constexpr qsizetype kMaxHeaderNames = 60; // names
constexpr int kMaxSurveyed = 1'000;       // names that are measured: further ones are as long
const QString kMinus = QStringLiteral(" \u2212 ");

/// A long name without its middle, which no room would show: names of one kind often differ at the end.
QString cutName(const QString& name) {
    return name.size() <= kMaxMeasured ? name : name.left(kMaxMeasured / 2) + name.right(kMaxMeasured / 2);
}

} // namespace

void paintArrow(QPainter& painter, QPointF top, Qt::SortOrder order) {
    const double from = order == Qt::AscendingOrder ? kArrow : 0.0;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(painter.pen().color());
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(
        QPolygonF({top + QPointF(-kArrow, from), top + QPointF(kArrow, from), top + QPointF(0.0, kArrow - from)}));
    painter.restore();
}

TableHeader::TableHeader(Qt::Orientation orientation, QWidget* parent) : QHeaderView(orientation, parent) {
    setSectionsClickable(true);
    setHighlightSections(false);
    setSectionResizeMode(orientation == Qt::Vertical ? Fixed : Interactive);
    setMinimumSectionSize(orientation == Qt::Vertical ? 4 : 20);
}

const RowModel& TableHeader::rows() const {
    return *static_cast<const RowModel*>(model());
}

const TableContent& TableHeader::content() const {
    return rows().content();
}

QFont TableHeader::fontOf(const TableColumn& column) const {
    QFont font = this->font();
    font.setBold(column.isBold);
    return font;
}

int TableHeader::matrixCellWidth() const {
    return fontMetrics().horizontalAdvance(content().widest) + kCellInset + 4;
}

QStringList TableHeader::linesOf(const TableColumn& column) const {
    QStringList lines;
    for (const QString& word : column.title.split(QLatin1Char(' '))) {
        if (lines.isEmpty() || !column.names.isEmpty() || lines.last().size() + 1 + word.size() <= kLineLength)
            lines = lines.isEmpty() ? QStringList(word) : lines.first(lines.size() - 1) << lines.last() + u' ' + word;
        else
            lines << word;
    }
    if (!column.below.isEmpty())
        lines << column.below;
    return lines;
}

QSize TableHeader::sizeHint() const {
    const QSize ofSections = QHeaderView::sizeHint();
    if (orientation() == Qt::Vertical)
        return {extent_, ofSections.height()};
    return content().isMatrix ? QSize(ofSections.width(), extent_) : ofSections;
}

QSize TableHeader::sectionSizeFromContents(int section) const {
    if (orientation() == Qt::Vertical)
        return {extent_, fontMetrics().height()};
    if (content().isMatrix)
        return {matrixCellWidth(), extent_};
    const TableColumn& column = content().column(section);
    const QFontMetrics metrics(fontOf(column));
    const QStringList lines = linesOf(column);
    int width = 0;
    for (const QString& line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    const int letters = column.names.isEmpty() ? std::max(column.most, kLineLength) : column.most;
    const int most = letters * fontMetrics().averageCharWidth();
    width = std::min(width, most) + metrics.horizontalAdvance(column.suffix);
    return {width + 2 * content().inset() + 2, // a text that fits to the pixel is elided
            static_cast<int>(lines.size()) * metrics.lineSpacing() + kCellInset + kBar + kArrow / 2};
}

int TableHeader::widestName() const {
    const bool isVertical = orientation() == Qt::Vertical;
    const int count = std::min(kMaxSurveyed, isVertical ? rows().rowCount() : rows().columnCount());
    int widest = 0;
    int marks = 0;
    for (int at = 0; at < count; ++at) {
        const QString name = rows().headerData(at, orientation()).toString();
        widest = std::max(widest, fontMetrics().horizontalAdvance(cutName(name)));
        if (isVertical)
            marks = std::max(marks, fontMetrics().horizontalAdvance(rows().nameAt(at).mark));
    }
    const int most = (isVertical ? content().names.most : content().column(0).most) * fontMetrics().averageCharWidth();
    if (isVertical)
        widest = std::max({widest, fontMetrics().horizontalAdvance(content().names.title),
                           content().names.least * fontMetrics().averageCharWidth()});
    return std::min(widest, most) + (marks > 0 ? marks + kCellInset : 0);
}

void TableHeader::fit() {
    const TableContent& shown = content();
    const bool isVertical = orientation() == Qt::Vertical;
    setVisible(!isVertical || shown.hasNames());
    extent_ = 0;
    if (isVertical) {
        extent_ = widestName() + 2 * kCellInset + 2; // a text that fits to the pixel is elided
    } else if (shown.isMatrix && shown.columnCount() > 0) {
        const int widest = widestName();
        areTurned_ = widest + 4 > matrixCellWidth();
        const int line = fontMetrics().height() + 4;
        extent_ = line + (areTurned_ ? widest + 2 * kCellInset : line);
    }
    fitNames();
    viewport()->update();
}

void TableHeader::setExtent(int width) {
    extent_ = width;
    fitNames();
    viewport()->update();
}

void TableHeader::fitNames() {
    fittedNames_.clear();
    const bool isVertical = orientation() == Qt::Vertical;
    const int count = isVertical ? rows().rowCount() : rows().columnCount();
    if ((!isVertical && !content().isMatrix) || count > kMaxHeaderNames)
        return;
    QStringList cut;
    for (int at = 0; at < count; ++at)
        cut << cutName(rows().headerData(at, orientation()).toString());
    const int title = fontMetrics().height() + 4;
    const double room = isVertical   ? extent_ - 2.0 * kCellInset
                        : areTurned_ ? extent_ - title - 1.0 * kCellInset
                                     : matrixCellWidth();
    if (!isVertical || content().isMatrix)
        for (const QString& name : cut)
            fittedNames_ << elidedName(name, cut, QFontMetricsF(fontMetrics()), room);
}

QString TableHeader::shownName(int section, double width) const {
    if (section < fittedNames_.size())
        return fittedNames_[section];
    const QString name = cutName(rows().headerData(section, orientation()).toString());
    return fontMetrics().elidedText(name, content().names.elide, static_cast<int>(width));
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    painter->save();
    painter->setFont(font());
    if (orientation() == Qt::Vertical)
        paintName(*painter, rect, section);
    else if (content().isMatrix)
        paintTurned(*painter, rect, section);
    else
        paintHeading(*painter, rect, section);
    painter->restore();
}

void TableHeader::paintEvent(QPaintEvent* event) {
    QHeaderView::paintEvent(event);
    const bool isVertical = orientation() == Qt::Vertical;
    if (!isVertical && !content().isMatrix)
        return;
    QPainter painter(viewport());
    const int end = length() - offset(); // beyond the last section, too
    painter.fillRect(viewport()->rect().adjusted(isVertical ? 0 : end, isVertical ? end : 0, 0, 0),
                     palette().color(QPalette::Base));
    if (isVertical)
        return;
    painter.setPen(colors::mutedText(palette()));
    const QRect line(2, 0, viewport()->width() - 4, fontMetrics().height() + 4);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(content().columnsTitle, Qt::ElideRight, line.width()));
}

void TableHeader::paintName(QPainter& painter, const QRect& rect, int section) const {
    const auto* view = qobject_cast<const QAbstractItemView*>(parentWidget());
    const bool isOdd = section % 2 == 1 && view != nullptr && view->alternatingRowColors();
    painter.fillRect(rect, palette().color(isOdd ? QPalette::AlternateBase : QPalette::Base));
    const QRect line = rect.adjusted(kCellInset, 0, -kCellInset, 0);
    const QString mark = rows().nameAt(section).mark;
    const int room = line.width() - (mark.isEmpty() ? 0 : fontMetrics().horizontalAdvance(mark) + kCellInset);
    const bool isSelected = view != nullptr && view->selectionBehavior() == QAbstractItemView::SelectRows &&
                            view->selectionModel() &&
                            view->selectionModel()->rowIntersectsSelection(section, QModelIndex());
    if (isSelected)
        painter.fillRect(rect, palette().color(QPalette::Highlight));
    const QColor ink = palette().color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    painter.setPen(ink);
    painter.drawText(line, content().names.alignment(), shownName(section, room));
    painter.setPen(isSelected ? ink : colors::mutedText(palette()));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, mark);
    painter.setPen(colors::gridLine(palette()));
    painter.drawLine(rect.topRight(), rect.bottomRight());
}

void TableHeader::paintTurned(QPainter& painter, const QRect& rect, int section) const {
    const QRect room = rect.adjusted(0, fontMetrics().height() + 4, 0, 0);
    painter.fillRect(rect, palette().color(QPalette::Base));
    painter.setPen(palette().color(QPalette::Text));
    if (!areTurned_) {
        painter.drawText(room, Qt::AlignCenter, shownName(section, room.width()));
        return;
    }
    painter.translate(room.left(), room.bottom() + 1);
    painter.rotate(-90);
    const QRect turned(kCellInset - 1, 0, room.height() - kCellInset, room.width());
    painter.drawText(turned, Qt::AlignLeft | Qt::AlignVCenter, shownName(section, turned.width()));
}

QString TableHeader::shownTitle(const TableColumn& column, const QString& line, int width) const {
    const QFontMetricsF metrics(fontOf(column));
    const double room = width - metrics.horizontalAdvance(column.suffix);
    if (column.names.isEmpty())
        return metrics.elidedText(line, Qt::ElideRight, room) + column.suffix;
    if (metrics.horizontalAdvance(column.names.join(kMinus)) <= room)
        return column.names.join(kMinus) + column.suffix;
    QStringList all;
    for (const TableColumn& other : content().columns)
        all << other.names;
    QStringList shown = column.names;
    const auto parts = static_cast<double>(shown.size());
    for (QString& name : shown)
        name = elidedName(name, all, metrics, (room - (parts - 1) * metrics.horizontalAdvance(kMinus)) / parts);
    return shown.join(kMinus) + column.suffix;
}

void TableHeader::paintHeading(QPainter& painter, const QRect& rect, int section) const {
    const TableColumn& column = content().column(section);
    QStyleOptionHeaderV2 option;
    initStyleOption(&option);
    option.rect = rect;
    initStyleOptionForIndex(&option, section);
    option.text.clear();
    painter.save(); // it leaves a clip behind
    style()->drawControl(QStyle::CE_HeaderSection, &option, &painter, this);
    painter.restore();
    painter.setPen(palette().color(QPalette::ButtonText));
    if (content().isSortable && sortIndicatorSection() == section)
        paintArrow(painter, {rect.center().x() + 0.5, rect.top() + 1.5}, sortIndicatorOrder());
    const QRect text = rect.adjusted(content().inset(), 0, -content().inset(), -kBar);
    painter.setFont(fontOf(column));
    const QStringList lines = linesOf(column);
    const int height = fontMetrics().lineSpacing();
    QRect line(text.left(), text.bottom() + 1 - kCellInset / 2 - static_cast<int>(lines.size()) * height, text.width(),
               height);
    for (qsizetype at = 0; at < lines.size(); ++at, line.translate(0, height)) {
        const bool isBelow = at + 1 == lines.size() && !column.below.isEmpty();
        painter.setPen(isBelow ? colors::mutedText(palette()) : palette().color(QPalette::ButtonText));
        painter.drawText(line, column.alignment(), shownTitle(column, lines[at], line.width()));
    }
    if (column.bar)
        painter.fillRect(rect.left() + 1, rect.bottom() - kBar + 1, rect.width() - 2, kBar, column.bar(palette()));
}

} // namespace assay
