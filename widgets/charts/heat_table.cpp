#include "widgets/charts/heat_table.h"

#include "widgets/charts/heat_paint.h"
#include "widgets/common/colors.h"

#include <QAbstractButton>
#include <QEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr qsizetype kMostInToolTip = 300; // letters of a name

/// The names of rows or of columns; those of columns below a line that says what they are.
class HeatNames : public QHeaderView {
public:
    HeatNames(Qt::Orientation orientation, QWidget* parent) : QHeaderView(orientation, parent) {
        setSectionsClickable(true);
        setHighlightSections(false);
        setSectionResizeMode(QHeaderView::Fixed);
        setMinimumSectionSize(4);
    }

    void setSizes(const HeatSizes& sizes) {
        sizes_ = sizes;
        if (orientation() == Qt::Horizontal)
            setFixedHeight(sizes.title + sizes.columnNames);
        else
            setFixedWidth(sizes.rowNames);
        setDefaultSectionSize(orientation() == Qt::Horizontal ? sizes.cellWidth : sizes.cellHeight);
        viewport()->update();
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        painter->save();
        painter->setFont(font());
        painter->fillRect(rect, palette().color(QPalette::Window));
        painter->setPen(palette().color(QPalette::WindowText));
        if (orientation() == Qt::Horizontal)
            paintColumnName(*painter, QRectF(rect).adjusted(0, sizes_.title, 0, 0), content(), sizes_, section);
        else
            paintRowName(*painter, rect, content(), sizes_, section);
        painter->restore();
    }

    void paintEvent(QPaintEvent* event) override {
        QHeaderView::paintEvent(event);
        if (orientation() == Qt::Vertical)
            return;
        QPainter painter(viewport());
        painter.setPen(colors::mutedText(palette()));
        const QRect line(2, 0, viewport()->width() - 4, sizes_.title);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(content().columnsTitle, Qt::ElideRight, line.width()));
    }

private:
    const HeatContent& content() const { return static_cast<const HeatModel*>(model())->content(); }

    HeatSizes sizes_;
};

class HeatDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto& content = static_cast<const HeatModel*>(index.model())->content();
        const HeatCell cell =
            content.cell(static_cast<std::size_t>(index.row()), static_cast<std::size_t>(index.column()));
        painter->save();
        painter->setFont(option.font);
        // The gap of a pixel keeps cells of one colour apart.
        const QRectF rect = QRectF(option.rect).adjusted(0, 0, -1, -1);
        painter->setBrush(Qt::NoBrush);
        if (std::isnan(cell.shade))
            painter->fillRect(rect, option.palette.color(QPalette::Base)); // over the style's mark of selected cells
        paintHeatCell(*painter, rect, cell, option.palette);
        if (option.state & QStyle::State_Selected) {
            // Yellow is seen on every colour but its own: the dark line inside is seen there.
            painter->setPen(QPen(colors::selected(option.palette), 2.0));
            painter->drawRect(rect.adjusted(1, 1, -1, -1));
            painter->setPen(QPen(Qt::black, 1.0));
            painter->drawRect(rect.adjusted(2.5, 2.5, -2.5, -2.5));
        }
        if (option.state & QStyle::State_HasFocus) {
            const bool isPlain = std::isnan(cell.shade);
            const QColor ink =
                isPlain ? option.palette.color(QPalette::Text) : inkOn(colors::score(cell.shade, option.palette));
            painter->setPen(QPen(ink, 1.0, Qt::DotLine));
            painter->drawRect(rect.adjusted(4.5, 4.5, -4.5, -4.5));
        }
        painter->restore();
    }
};

} // namespace

void HeatModel::setContent(HeatContent content) {
    beginResetModel();
    content_ = std::move(content);
    endResetModel();
}

int HeatModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(content_.rows.size());
}

int HeatModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(content_.columns.size());
}

QVariant HeatModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const auto column = static_cast<std::size_t>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return content_.cell(row, column).text;
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignCenter);
    case Qt::ToolTipRole:
        return content_.toolTip ? QVariant(content_.toolTip(row, column)) : QVariant();
    case Qt::AccessibleTextRole:
        return content_.description ? QVariant(content_.description(row, column)) : QVariant();
    case ShadeRole: {
        const double shade = content_.cell(row, column).shade;
        return std::isnan(shade) ? QVariant() : QVariant(shade);
    }
    case SameRole:
        return content_.cell(row, column).isSame;
    default:
        return {};
    }
}

QVariant HeatModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const QStringList& names = orientation == Qt::Horizontal ? content_.columns : content_.rows;
    if (section < 0 || section >= names.size())
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && names[section].size() > kMostInToolTip)
        return names[section].left(kMostInToolTip) + QStringLiteral("\u2026");
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(names[section]) : QVariant();
}

HeatTable::HeatTable(QWidget* parent) : QTableView(parent), model_(new HeatModel(this)) {
    setHorizontalHeader(new HeatNames(Qt::Horizontal, this));
    setVerticalHeader(new HeatNames(Qt::Vertical, this));
    setModel(model_);
    setItemDelegate(new HeatDelegate(this));
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setSelectionBehavior(QAbstractItemView::SelectItems);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false); // Tab leaves the table
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    corner_ = new QLabel(this);
    corner_->setObjectName(QStringLiteral("heatRowsTitle"));
    corner_->setAlignment(Qt::AlignLeft | Qt::AlignBottom);
    corner_->setContentsMargins(kHeatInset, 0, 2, 2);
    corner_->setAttribute(Qt::WA_TransparentForMouseEvents); // the corner beneath chooses all
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!isClearing_)
            emit chosenChanged();
    });
    connect(this, &QAbstractItemView::doubleClicked, this, &HeatTable::opened);
}

void HeatTable::setContent(HeatContent content) {
    delete std::exchange(drawing_, nullptr); // of the content before
    model_->setContent(std::move(content));
    fitSections();
}

void HeatTable::fitSections() {
    const HeatSizes sizes = heatSizes(content(), fontMetrics());
    for (QHeaderView* header : {horizontalHeader(), verticalHeader()})
        static_cast<HeatNames*>(header)->setSizes(sizes);
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, colors::mutedText(palette()));
    corner_->setPalette(muted);
    corner_->setText(fontMetrics().elidedText(content().rowsTitle, Qt::ElideRight, sizes.rowNames - kHeatInset - 2));
    updateGeometries();
}

std::vector<HeatPlace> HeatTable::chosen() const {
    std::vector<HeatPlace> places;
    const QItemSelection ranges = selectionModel()->selection();
    for (const QItemSelectionRange& range : ranges)
        for (int row = range.top(); row <= range.bottom(); ++row)
            for (int column = range.left(); column <= range.right(); ++column)
                places.push_back({static_cast<std::size_t>(row), static_cast<std::size_t>(column)});
    const auto order = [](const HeatPlace& at) { return std::pair(at.row, at.column); };
    if (ranges.size() > 1) {
        std::ranges::sort(places, {}, order);
        places.erase(std::unique(places.begin(), places.end()), places.end());
    }
    return places;
}

void HeatTable::clearChosen() {
    const QScopedValueRollback quiet(isClearing_, true);
    clearSelection();
}

void HeatTable::choose(HeatPlace place) {
    const QModelIndex index = model_->index(static_cast<int>(place.row), static_cast<int>(place.column));
    scrollTo(index);
    setCurrentIndex(index);
}

QWidget* HeatTable::figureChart() {
    delete drawing_;
    drawing_ = new HeatDrawing(content(), this);
    return drawing_;
}

void HeatTable::updateGeometries() {
    if (isPlacing_)
        return;
    const QScopedValueRollback placing(isPlacing_, true);
    QTableView::updateGeometries();
    if (corner_ == nullptr)
        return;
    corner_->setGeometry(frameWidth(), frameWidth(), verticalHeader()->width(), horizontalHeader()->height());
    corner_->raise();
}

void HeatTable::keyPressEvent(QKeyEvent* event) {
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!opens) {
        QTableView::keyPressEvent(event);
        return;
    }
    if (selectionModel()->hasSelection())
        emit opened();
}

void HeatTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    const bool isLook = event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange ||
                        event->type() == QEvent::PaletteChange;
    if (isLook && corner_ != nullptr)
        fitSections();
}

} // namespace assay
