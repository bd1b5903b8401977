#include "widgets/diagnostics/full_balls_table.h"

#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"
#include "widgets/common/selected_row.h"
#include "widgets/diagnostics/full_balls_model.h"
#include "widgets/link/sample_selection.h"
#include "widgets/samples/sample_card.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr int kInset = 6;
constexpr int kShortId = 9; // characters

/// The picture of a sample with its id and class beside it; numbers as any table has them.
class FullBallsDelegate : public QStyledItemDelegate {
public:
    FullBallsDelegate(ThumbnailCache* pictures, const FullBallsModel* balls, const SampleSelection* selection,
                      QTableView* table)
        : QStyledItemDelegate(table), pictures_(pictures), balls_(balls), selection_(selection), table_(table) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const SampleId sample = balls_->sampleAt(index.row());
        const bool selected = selection_->contains(sample);
        QStyleOptionViewItem item = option;
        item.state &= ~(QStyle::State_HasFocus | QStyle::State_Selected);
        painter->save();
        if (selected)
            tintSelectedRow(*painter, option);
        if (index.column() == FullBallsModel::SampleColumn)
            paintSample(*painter, option, index);
        else
            QStyledItemDelegate::paint(painter, item, index);
        if (selected)
            markSelectedRow(*painter, option, index.column() == FullBallsModel::SampleColumn,
                            selection_->focus() == sample);
        else if (table_->hasFocus() && index.row() == table_->currentIndex().row())
            markCurrent(*painter, option);
        painter->restore();
    }

private:
    /// Where Enter would select.
    static void markCurrent(QPainter& painter, const QStyleOptionViewItem& option) {
        painter.setPen(QPen(option.palette.color(QPalette::Highlight), 1));
        painter.drawLine(option.rect.topLeft(), option.rect.topRight());
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    }

    void paintSample(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
        const QRect rect = option.rect.adjusted(kInset + 2, 3, -kInset, -3);
        const QRect picture(rect.left(), rect.top(), rect.height(), rect.height());
        pictures_->paint(painter, picture, balls_->sampleAt(index.row()), option.palette, colors::real(option.palette));
        QRect line = rect.adjusted(picture.width() + kInset, 0, 0, 0);
        const QString ofClass = index.data(FullBallsModel::ClassRole).toString();
        const QFontMetrics metrics = option.fontMetrics;
        if (!ofClass.isEmpty()) {
            line.setTop(rect.center().y() - metrics.height());
            line.setHeight(metrics.height());
        }
        painter.setFont(option.font);
        painter.setPen(option.palette.color(QPalette::Text));
        painter.drawText(
            line, Qt::AlignLeft | Qt::AlignVCenter,
            elidedName(index.data(FullBallsModel::IdRole).toString(), balls_->ids(), metrics, line.width()));
        line.translate(0, metrics.height());
        painter.setPen(colors::mutedText(option.palette));
        if (!ofClass.isEmpty())
            painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                             metrics.elidedText(ofClass, Qt::ElideRight, line.width()));
    }

    ThumbnailCache* pictures_;
    const FullBallsModel* balls_;
    const SampleSelection* selection_;
    const QTableView* table_;
};

} // namespace

FullBallsTable::FullBallsTable(FullBallsModel* model, SampleSelection* selection, ThumbnailCache* pictures,
                               QWidget* parent)
    : QTableView(parent), balls_(model), selection_(selection), pictures_(pictures) {
    setModel(model);
    setItemDelegate(new FullBallsDelegate(pictures_, model, selection, this));
    connect(pictures_, &ThumbnailCache::arrived, viewport(), qOverload<>(&QWidget::update));
    setSelectionMode(NoSelection); // the one selection is the program's
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false); // Tab leaves the table
    setMouseTracking(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSortIndicator(FullBallsModel::CountColumn, Qt::DescendingOrder);
    setSortingEnabled(true);
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &FullBallsTable::fitColumns);
    fitRows();
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        viewport()->update();
        if (!following_ && current.isValid())
            selection_->select(balls_->sampleAt(current.row()));
    });
}

void FullBallsTable::fit() {
    const QHeaderView* header = horizontalHeader();
    balls_->sort(header->sortIndicatorSection(), header->sortIndicatorOrder());
    fitColumns();
    followSelection();
}

std::optional<QRect> FullBallsTable::followSelection() {
    viewport()->update();
    const auto focus = selection_->focus();
    const auto row = focus ? balls_->rowOf(*focus) : std::nullopt;
    if (!row)
        return std::nullopt;
    const QModelIndex at = balls_->index(*row, FullBallsModel::SampleColumn);
    if (at.row() != currentIndex().row()) {
        following_ = true;
        setCurrentIndex(at);
        following_ = false;
    }
    return visualRect(at).translated(viewport()->pos());
}

void FullBallsTable::fitRows() {
    verticalHeader()->setDefaultSectionSize(2 * fontMetrics().height() + 12);
}

int FullBallsTable::fullHeight() const {
    return horizontalHeader()->sizeHint().height() + verticalHeader()->length() + 2 * frameWidth();
}

int FullBallsTable::numberWidth(int column) const {
    // Not the header's own hint, which is nothing while a column is left out.
    int width = fontMetrics().horizontalAdvance(balls_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    if (horizontalHeader()->sortIndicatorSection() == column)
        width += style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, this) + kInset;
    for (int row = 0; row < balls_->rowCount(); ++row)
        width = std::max(width, fontMetrics().horizontalAdvance(balls_->index(row, column).data().toString()));
    return width + 2 * kInset;
}

int FullBallsTable::leastWidth() const {
    const int picture = verticalHeader()->defaultSectionSize() + 3 * kInset;
    int width = picture + kShortId * fontMetrics().averageCharWidth() + verticalScrollBar()->sizeHint().width();
    for (const int column : {FullBallsModel::CountColumn, FullBallsModel::ClippedColumn, FullBallsModel::RatioColumn})
        width += numberWidth(column);
    return width;
}

void FullBallsTable::fitColumns() {
    // In a narrow table the redundant columns are hidden first; the name stays, because a picture alone is not enough.
    int missing = leastWidth() + numberWidth(FullBallsModel::RadiusColumn) - width();
    for (const int column : {FullBallsModel::RadiusColumn, FullBallsModel::ClippedColumn}) {
        setColumnHidden(column, missing > 0);
        missing -= missing > 0 ? numberWidth(column) : 0;
    }
    int room = viewport()->width();
    for (int column = FullBallsModel::CountColumn; column < FullBallsModel::ColumnCount; ++column) {
        setColumnWidth(column, numberWidth(column));
        room -= columnWidth(column); // none for a hidden one
    }
    setColumnWidth(FullBallsModel::SampleColumn, std::max(room, verticalHeader()->defaultSectionSize() + 2 * kInset));
}

void FullBallsTable::pick(const QModelIndex& index, Qt::KeyboardModifiers modifiers) {
    const SampleId sample = balls_->sampleAt(index.row());
    following_ = true; // the selection is changed below, by what the modifiers say
    setCurrentIndex(index);
    following_ = false;
    selection_->chooseBy(modifiers, {sample}, sample);
}

void FullBallsTable::inspect(const QModelIndex& index) {
    if (!index.isValid())
        return;
    const SampleId sample = balls_->sampleAt(index.row());
    selection_->select(sample);
    emit inspectRequested(sample);
}

void FullBallsTable::focusInEvent(QFocusEvent* event) {
    following_ = true; // coming here by Tab makes a row the current one, which is no choice
    QTableView::focusInEvent(event);
    following_ = false;
    viewport()->update();
}

void FullBallsTable::mousePressEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    if (index.isValid() && event->button() == Qt::LeftButton)
        pick(index, event->modifiers());
}

void FullBallsTable::mouseMoveEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    selection_->hover(index.isValid() ? std::optional(balls_->sampleAt(index.row())) : std::nullopt);
}

void FullBallsTable::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        inspect(indexAt(event->position().toPoint()));
}

void FullBallsTable::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        inspect(currentIndex());
    else
        QTableView::keyPressEvent(event);
}

void FullBallsTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns();
}

void FullBallsTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    fitRows();
    fitColumns();
}

bool FullBallsTable::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        selection_->hover(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const QModelIndex index = indexAt(help->pos()); index.isValid())
            SampleCard::show(viewport(), help->globalPos(),
                             {balls_->state(),
                              balls_->sampleAt(index.row()),
                              pictures_,
                              {},
                              index.data(Qt::ToolTipRole).toString()});
        else
            SampleCard::hide(viewport());
        return true;
    }
    return QTableView::viewportEvent(event);
}

QModelIndex FullBallsTable::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) {
    // A table's Home and End stay in their row, which is one thing here.
    if (action == MoveHome || action == MoveEnd)
        return balls_->index(action == MoveHome ? 0 : balls_->rowCount() - 1, FullBallsModel::SampleColumn);
    return QTableView::moveCursor(action, modifiers);
}

} // namespace assay
