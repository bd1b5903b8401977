#include "widgets/tables/table_view.h"

#include "widgets/common/colors.h"
#include "widgets/tables/cell_delegate.h"
#include "widgets/tables/table_header.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <numeric>
#include <utility>

namespace assay {
namespace {

constexpr int kMeasuredRows = 100; // of a thousand rows, whose numbers are as long as one another
constexpr int kMinTexts = 120;     // pixels of a column of text in a narrow table

/// The title of the rows' names, above them: sorts by them, in a matrix selects all.
class TableCorner : public QAbstractButton {
public:
    explicit TableCorner(TableView* view) : QAbstractButton(view), view_(view) {
        setObjectName(QStringLiteral("tableCorner"));
        setFocusPolicy(Qt::NoFocus);
        setMouseTracking(true);
    }

protected:
    void mousePressEvent(QMouseEvent* event) override {
        isResizing_ = isAtEdge(event->position());
        if (!isResizing_)
            QAbstractButton::mousePressEvent(event);
    }
    void mouseMoveEvent(QMouseEvent* event) override {
        setCursor(isResizing_ || isAtEdge(event->position()) ? Qt::SplitHCursor : Qt::ArrowCursor);
        if (isResizing_)
            view_->setNamesWidth(static_cast<int>(event->position().x()));
    }
    void mouseReleaseEvent(QMouseEvent* event) override {
        if (!std::exchange(isResizing_, false))
            QAbstractButton::mouseReleaseEvent(event);
    }
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        const bool isMatrix = view_->content().isMatrix;
        QStyleOptionHeader option;
        option.initFrom(this);
        painter.fillRect(rect(), palette().color(QPalette::Base));
        if (!isMatrix)
            style()->drawControl(QStyle::CE_HeaderSection, &option, &painter, this);
        const QRect text = rect().adjusted(kCellInset, 0, -2, -3);
        if (!isMatrix && view_->content().isSortable && view_->horizontalHeader()->sortIndicatorSection() < 0) {
            painter.setPen(palette().color(QPalette::ButtonText));
            paintArrow(painter, {rect().center().x() + 0.5, 1.5}, view_->horizontalHeader()->sortIndicatorOrder());
        }
        painter.setPen(isMatrix ? colors::mutedText(palette()) : palette().color(QPalette::ButtonText));
        painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom,
                         fontMetrics().elidedText(view_->content().names.title, Qt::ElideRight, text.width()));
    }

private:
    bool isAtEdge(QPointF at) const { return at.x() > width() - 5; }

    TableView* view_;
    bool isResizing_ = false; ///< the names are being made wider or narrower
};

} // namespace

TableView::TableView(QWidget* parent, RowModel* model)
    : QTableView(parent), model_(model != nullptr ? model : new RowModel(this)), delegate_(new CellDelegate(this)),
      corner_(new TableCorner(this)) {
    setHorizontalHeader(new TableHeader(Qt::Horizontal, this));
    setVerticalHeader(new TableHeader(Qt::Vertical, this));
    setModel(model_);
    setItemDelegate(delegate_);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle); // names of one kind differ at their ends
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(ScrollPerPixel);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    connect(model_, &QAbstractItemModel::modelReset, this, &TableView::fitToModel);
    connect(corner_, &QAbstractButton::clicked, this, &TableView::pressCorner);
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, corner_, qOverload<>(&QWidget::update));
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        verticalHeader()->viewport()->update();
        if (!isQuiet_)
            emit chosenChanged();
    });
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        if (!isQuiet_ && current.isValid())
            emit rowChosen(model_->rowAt(current.row()));
    });
    connect(this, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& at) { emit opened(model_->rowAt(at.row()), at.column()); });
}

TableHeader* TableView::headings() const {
    return static_cast<TableHeader*>(horizontalHeader());
}

TableHeader* TableView::rowNames() const {
    return static_cast<TableHeader*>(verticalHeader());
}

void TableView::setContent(TableContent content) {
    const QScopedValueRollback quiet(isQuiet_, true);
    delete std::exchange(figure_, nullptr); // of the content before
    const bool isAlike = content.columnCount() == model_->columnCount();
    const QPoint scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
    const int current = currentRow();
    const int column = currentIndex().column();
    model_->setContent(std::move(content));
    if (!isAlike)
        return;
    if (const int place = model_->placeOf(current); current >= 0 && place >= 0)
        selectionModel()->setCurrentIndex(model_->index(place, column), QItemSelectionModel::NoUpdate);
    horizontalScrollBar()->setValue(scrolled.x());
    verticalScrollBar()->setValue(scrolled.y());
}

QStringList TableView::titlesInSight() const {
    QStringList titles;
    for (const TableColumn& column : content().columns)
        titles << (column.isHidden ? QString() : column.title);
    return titles;
}

void TableView::fitToModel() {
    const bool isSortable = content().isSortable && !content().isMatrix;
    const bool isAlike = content().columns.size() == naturalWidths_.size();
    {
        const QSignalBlocker blocker(horizontalHeader()); // the model has sorted already
        if (!isAlike)
            horizontalHeader()->setSortIndicator(content().sortedBy, content().sortedOrder);
        if (isSortable != isSortingEnabled())
            setSortingEnabled(isSortable);
    }
    const bool areOther = std::exchange(fittedTitles_, titlesInSight()) != fittedTitles_;
    if (!content().keepsWidths || areOther)
        fit();
    else
        rowNames()->fit();
}

void TableView::fit() {
    verticalHeader()->setDefaultSectionSize(rowHeight());
    headings()->fit();
    rowNames()->fit();
    naturalWidths_.clear();
    for (int column = 0; column < model_->columnCount(); ++column)
        naturalWidths_.push_back(naturalWidth(column));
    fitColumns();
}

int TableView::rowHeight() const {
    const bool isDouble = content().above || content().below || content().hasPictures;
    return isDouble ? 2 * fontMetrics().height() + (content().hasPictures ? 12 : 8)
                    : fontMetrics().height() + (content().isDense ? 2 : 6);
}

int TableView::naturalWidth(int column) const {
    const TableColumn& shown = content().column(column);
    if (shown.isHidden)
        return 0;
    if (content().isMatrix)
        return headings()->matrixCellWidth();
    const int letter = fontMetrics().averageCharWidth();
    int width = shown.least * letter;
    for (int place = 0; place < std::min(model_->rowCount(), kMeasuredRows); ++place)
        width = std::max(width, delegate_->widthOf(model_->cell(model_->index(place, column))));
    width = std::min(width, shown.most * letter + 2 * content().inset());
    return std::max(width, horizontalHeader()->sectionSizeHint(column));
}

int TableView::leastWidthOf(int column) const {
    const TableColumn& shown = content().column(column);
    const int natural = naturalWidths_[static_cast<std::size_t>(column)];
    return shown.takesRoom ? std::min(natural, shown.least * fontMetrics().averageCharWidth() + 2 * content().inset())
                           : natural;
}

int TableView::leastWidth() const {
    int width = verticalScrollBar()->sizeHint().width();
    for (int column = 0; column < model_->columnCount(); ++column)
        width += content().column(column).leavesAt == 0 ? leastWidthOf(column) : 0;
    return width;
}

/// @return width of the columns that are left
int TableView::hideColumns(const std::vector<int>& widths) {
    const std::vector<TableColumn>& columns = content().columns;
    int needed = std::accumulate(widths.begin(), widths.end(), 0);
    std::vector<std::size_t> leaving;
    for (std::size_t at = 0; at < columns.size(); ++at) {
        setColumnHidden(static_cast<int>(at), columns[at].isHidden);
        if (columns[at].leavesAt > 0 && !columns[at].isHidden)
            leaving.push_back(at);
    }
    std::ranges::sort(leaving, {}, [&](std::size_t at) { return columns[at].leavesAt; });
    for (const std::size_t at : leaving) {
        const bool isHidden = needed > viewport()->width();
        setColumnHidden(static_cast<int>(at), isHidden);
        needed -= isHidden ? widths[at] : 0;
    }
    return needed;
}

void TableView::fitColumns() {
    const std::vector<TableColumn>& columns = content().columns;
    if (columns.empty() || naturalWidths_.size() != columns.size()) {
        updateGeometries();
        return;
    }
    if (content().isMatrix) {
        horizontalHeader()->setDefaultSectionSize(headings()->matrixCellWidth());
        updateGeometries();
        return;
    }
    const auto isText = [](const TableColumn& column) { return column.side == Qt::AlignLeft; };
    const auto texts = std::ranges::count_if(columns, isText);
    const int share = texts > 1 ? 28 : 40; // percent of the table that a text takes beside numbers
    std::vector<int> widths;
    for (std::size_t at = 0; at < columns.size(); ++at) {
        widths.push_back(leastWidthOf(static_cast<int>(at)));
        if (isText(columns[at]) && !columns[at].takesRoom)
            widths.back() = std::min(widths.back(), std::max(kMinTexts, viewport()->width() * share / 100));
    }
    const int room = viewport()->width() - hideColumns(widths);
    for (std::size_t at = 0; at < columns.size(); ++at)
        setColumnWidth(static_cast<int>(at), widths[at] + (columns[at].takesRoom ? std::max(0, room) : 0));
    updateGeometry();
    updateGeometries();
}

std::vector<int> TableView::selectedRows() const {
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows(firstColumn()))
        rows.push_back(model_->rowAt(index.row()));
    return rows;
}

int TableView::currentRow() const {
    return currentIndex().isValid() ? model_->rowAt(currentIndex().row()) : -1;
}

void TableView::showRow(int row) {
    const QScopedValueRollback quiet(isQuiet_, true);
    if (const int place = model_->placeOf(row); place >= 0)
        setCurrentIndex(model_->index(place, std::max(firstColumn(), currentIndex().column())));
}

void TableView::clearChosen() {
    const QScopedValueRollback quiet(isQuiet_, true);
    clearSelection();
}

void TableView::showWhole() {
    isWhole_ = true;
    setSelectionMode(NoSelection);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

int TableView::heightOf(int rows) const {
    return horizontalHeader()->sizeHint().height() + rows * rowHeight() + 2 * frameWidth();
}

int TableView::firstColumn() const {
    int column = 0;
    while (column + 1 < model_->columnCount() && isColumnHidden(column))
        ++column;
    return column;
}

QSize TableView::sizeHint() const {
    if (!isWhole_)
        return {200, 110}; // it takes what room there is
    return {std::accumulate(naturalWidths_.begin(), naturalWidths_.end(), 0), heightOf(model_->rowCount())};
}

QSize TableView::minimumSizeHint() const {
    return isWhole_ ? QSize(leastWidth(), heightOf(model_->rowCount())) : QTableView::minimumSizeHint();
}

void TableView::scrollToPlace(int place) {
    scrollTo(model_->index(place, std::max(0, columnAt(1))));
}

void TableView::scrollToColumn(int column) {
    if (model_->rowCount() > 0)
        scrollTo(model_->index(std::max(0, rowAt(0)), column));
}

void TableView::copy() {
    QGuiApplication::clipboard()->setText(model_->toTsv());
    emit copied();
}

QWidget* TableView::figureChart() {
    delete figure_;
    auto* copy = new TableView(this);
    figure_ = copy;
    copy->hide();
    copy->setFont(font());
    copy->setContent(content());
    copy->showWhole();
    if (isSortingEnabled())
        copy->sortByColumn(horizontalHeader()->sortIndicatorSection(), horizontalHeader()->sortIndicatorOrder());
    for (int row = kMaxInFigure; row < model_->rowCount(); ++row)
        copy->setRowHidden(row, true);
    int width = copy->verticalHeader()->sizeHint().width();
    for (int column = 0; column < model_->columnCount(); ++column) {
        copy->setColumnHidden(column, column >= kMaxInFigure);
        copy->setColumnWidth(column, column >= kMaxInFigure ? 0 : naturalWidths_[static_cast<std::size_t>(column)]);
        width += copy->columnWidth(column);
    }
    const int title = fontMetrics().horizontalAdvance(content().columnsTitle) + copy->verticalHeader()->width();
    copy->resize(std::max(width, title), heightOf(std::min(model_->rowCount(), kMaxInFigure)));
    return copy;
}

void TableView::pressCorner() {
    if (content().isMatrix) {
        selectAll();
        return;
    }
    const QHeaderView* header = horizontalHeader();
    if (!isSortingEnabled())
        return;
    const bool isNatural = header->sortIndicatorSection() < 0 && header->sortIndicatorOrder() == Qt::AscendingOrder;
    sortByColumn(-1, isNatural ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void TableView::updateGeometries() {
    if (isPlacing_)
        return;
    const QScopedValueRollback placing(isPlacing_, true);
    QTableView::updateGeometries();
    corner_->setVisible(!verticalHeader()->isHidden());
    corner_->setGeometry(frameWidth(), frameWidth(), verticalHeader()->width(), horizontalHeader()->height());
    corner_->raise();
}

void TableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!opens)
        QTableView::keyPressEvent(event);
    else if (currentIndex().isValid() && (selectionMode() == NoSelection || selectionModel()->hasSelection()))
        emit opened(currentRow(), currentIndex().column());
}

void TableView::focusInEvent(QFocusEvent* event) {
    const QScopedValueRollback quiet(isQuiet_, true); // coming here by Tab makes a row the current one, no choice
    QTableView::focusInEvent(event);
    viewport()->update();
}

void TableView::setNamesWidth(int width) {
    rowNames()->setExtent(std::clamp(width, 30, this->width() / 2));
    updateGeometries();
}

void TableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    verticalHeader()->setMaximumWidth(std::max(80, width() / 2)); // a narrow table shows cells, too
    const auto adapts = [](const TableColumn& column) { return column.takesRoom || column.leavesAt > 0; };
    if (std::ranges::any_of(content().columns, adapts))
        fitColumns();
}

void TableView::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fit();
}

QModelIndex TableView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) {
    // A table's Home and End stay in their row, which is one thing where rows are chosen.
    if (selectionBehavior() == SelectRows && (action == MoveHome || action == MoveEnd))
        return model_->index(action == MoveHome ? 0 : model_->rowCount() - 1, firstColumn());
    return QTableView::moveCursor(action, modifiers);
}

} // namespace assay
