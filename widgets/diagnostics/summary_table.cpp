#include "widgets/diagnostics/summary_table.h"

#include "widgets/common/colors.h"
#include "widgets/common/share_bar.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace assay {
namespace {

constexpr int kSummaryInset = 6;
constexpr int kLeastFirst = 14; // characters of the first column
constexpr int kLeastBar = 8;    // characters, too

class SummaryDelegate : public QStyledItemDelegate {
public:
    explicit SummaryDelegate(QTableView* table) : QStyledItemDelegate(table), table_(table) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QString detail = index.siblingAtColumn(0).data(SummaryTable::DetailRole).toString();
        QStyleOptionViewItem upper = option;
        if (!detail.isEmpty())
            upper.rect.setHeight(option.rect.height() / 2 + 1);
        if (const QVariant share = index.data(SummaryTable::ShareRole); share.isValid())
            paintShareBar(*painter, upper, share.toDouble(),
                          index.data(SummaryTable::RealSideRole).toBool() ? Side::Real : Side::Synthetic);
        const QRect line = upper.rect.adjusted(kSummaryInset, 0, -kSummaryInset, 0);
        painter->save();
        painter->setFont(option.font);
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(line, index.data(Qt::TextAlignmentRole).toInt(),
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, line.width()));
        if (!detail.isEmpty())
            paintDetail(*painter, option, detail);
        painter->restore();
    }

private:
    /// A cell's part of the second line, which runs below all cells of the row.
    void paintDetail(QPainter& painter, const QStyleOptionViewItem& option, const QString& detail) const {
        const int left = table_->columnViewportPosition(0) + kSummaryInset;
        const int width = table_->viewport()->width() - kSummaryInset - left;
        const QFontMetrics metrics = option.fontMetrics;
        const QRect line(left, option.rect.center().y() - 1, width, metrics.height());
        painter.setClipRect(option.rect);
        painter.setPen(colors::mutedText(option.palette));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(detail, Qt::ElideRight, width));
    }

    const QTableView* table_;
};

} // namespace

SummaryTable::SummaryTable(QAbstractItemModel* model, QWidget* parent) : QTableView(parent) {
    setModel(model);
    setItemDelegate(new SummaryDelegate(this));
    setSelectionMode(NoSelection);
    setFocusPolicy(Qt::NoFocus);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(model, &QAbstractItemModel::modelReset, this, &SummaryTable::fit);
    connect(model, &QAbstractItemModel::rowsInserted, this, &SummaryTable::fit);
    fit();
}

int SummaryTable::naturalWidth(int column) const {
    // Not the header's own hint, which is nothing while a column is left out.
    const QFontMetrics metrics = fontMetrics();
    int width = metrics.horizontalAdvance(model()->headerData(column, Qt::Horizontal).toString());
    for (int row = 0; row < model()->rowCount(); ++row) {
        const QModelIndex cell = model()->index(row, column);
        const bool bar = cell.data(ShareRole).isValid();
        width = std::max({width, metrics.horizontalAdvance(cell.data().toString()),
                          bar ? kLeastBar * metrics.averageCharWidth() : 0});
    }
    return width + 2 * kSummaryInset + 2; // a text that fits to the pixel is elided
}

int SummaryTable::contentHeight() const {
    return horizontalHeader()->sizeHint().height() + verticalHeader()->length();
}

QSize SummaryTable::sizeHint() const {
    int width = 0;
    for (int column = 0; column < model()->columnCount(); ++column)
        width += naturalWidth(column);
    return {width, contentHeight()};
}

QSize SummaryTable::minimumSizeHint() const {
    return {kLeastFirst * fontMetrics().averageCharWidth(), contentHeight()};
}

void SummaryTable::fit() {
    int lines = 1;
    for (int row = 0; row < model()->rowCount() && lines == 1; ++row)
        lines = model()->index(row, 0).data(DetailRole).toString().isEmpty() ? 1 : 2;
    verticalHeader()->setDefaultSectionSize(lines * fontMetrics().height() + (lines == 1 ? 6 : 8));
    const int least = minimumSizeHint().width();
    int room = viewport()->width() - least;
    bool left = true; // columns that are left out are the last ones
    for (int column = 1; column < model()->columnCount(); ++column) {
        const int width = naturalWidth(column);
        left = left && width <= room;
        setColumnHidden(column, !left);
        setColumnWidth(column, width);
        room -= left ? width : 0;
    }
    setColumnWidth(0, least + room);
    updateGeometry();
}

void SummaryTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fit();
}

void SummaryTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

} // namespace assay
