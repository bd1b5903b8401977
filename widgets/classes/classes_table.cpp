#include "widgets/classes/classes_table.h"

#include "widgets/charts/heat_paint.h"
#include "widgets/classes/classes_model.h"
#include "widgets/common/colors.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include <algorithm>

namespace assay {
namespace {

constexpr int kInset = 6;
constexpr int kSideBar = 3;
constexpr int kLineLength = 16;    // characters
constexpr int kMeasuredRows = 100; // of a thousand classes, whose numbers are as long as one another

/// Headings in as many lines as they need; below that of a score, whose samples it is of.
class ClassHeader : public QHeaderView {
public:
    explicit ClassHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
        setSectionsClickable(true);
        setHighlightSections(false);
        setMinimumSectionSize(30);
        setResizeContentsPrecision(kMeasuredRows);
    }

protected:
    QSize sectionSizeFromContents(int section) const override {
        const QStringList lines = linesOf(section);
        int width = 0;
        for (const QString& line : lines)
            width = std::max(width, fontMetrics().horizontalAdvance(line));
        return {width + 2 * kInset + arrowWidth(),
                static_cast<int>(lines.size()) * fontMetrics().lineSpacing() + kInset + kSideBar};
    }

    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        painter->save();
        QStyleOptionHeaderV2 option;
        initStyleOption(&option);
        option.rect = rect;
        initStyleOptionForIndex(&option, section);
        option.text.clear();
        painter->save(); // it leaves a clip behind
        style()->drawControl(QStyle::CE_Header, &option, painter, this);
        painter->restore();
        const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
        paintLines(*painter, rect.adjusted(kInset, 0, -kInset - (sorted ? arrowWidth() : 0), -kSideBar), section);
        if (!sideOf(section).isEmpty())
            painter->fillRect(rect.left() + 1, rect.bottom() - kSideBar + 1, rect.width() - 2, kSideBar,
                              isOfReal(section) ? colors::real(palette()) : colors::synthetic(palette()));
        painter->restore();
    }

private:
    /// The lines at the foot of a heading, the side in another colour.
    void paintLines(QPainter& painter, const QRect& rect, int section) const {
        const QStringList lines = linesOf(section);
        const int height = fontMetrics().lineSpacing();
        QRect line(rect.left(), rect.bottom() + 1 - kInset / 2 - static_cast<int>(lines.size()) * height, rect.width(),
                   height);
        const int alignment = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        for (qsizetype at = 0; at < lines.size(); ++at, line.translate(0, height)) {
            const bool side = at + 1 == lines.size() && !sideOf(section).isEmpty();
            painter.setPen(side ? colors::mutedText(palette()) : palette().color(QPalette::ButtonText));
            painter.drawText(line, alignment, fontMetrics().elidedText(lines[at], Qt::ElideRight, line.width()));
        }
    }

    int arrowWidth() const { return style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, this); }

    QString sideOf(int section) const {
        return model()->headerData(section, Qt::Horizontal, ClassesModel::SideRole).toString();
    }

    bool isOfReal(int section) const {
        return model()->headerData(section, Qt::Horizontal, ClassesModel::RealSideRole).toBool();
    }

    /// The heading in lines of some length, broken between words; the side last.
    QStringList linesOf(int section) const {
        const int most = kLineLength * fontMetrics().averageCharWidth();
        QStringList lines;
        for (const QString& word :
             model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString().split(QLatin1Char(' '))) {
            const QString longer = lines.isEmpty() ? word : lines.last() + QLatin1Char(' ') + word;
            if (lines.isEmpty() || fontMetrics().horizontalAdvance(longer) > most)
                lines << word;
            else
                lines.last() = longer;
        }
        if (const QString side = sideOf(section); !side.isEmpty())
            lines << side;
        return lines;
    }
};

/// Scores are coloured cells, also in a selected row, which has a frame there.
class ClassDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QVariant shade = index.data(ClassesModel::ShadeRole);
        if (shade.isValid()) {
            paintScore(*painter, option, {.shade = shade.toDouble(), .text = index.data().toString()});
            return;
        }
        QStyleOptionViewItem item = option;
        if (index.column() == ClassesModel::SyntheticColumn && index.data(ClassesModel::MissingRole).toBool())
            item.palette.setColor(QPalette::Text, colors::unauthentic(option.palette)); // as a model's "gaps"
        QStyledItemDelegate::paint(painter, item, index);
        if (index.column() == ClassesModel::ClassColumn) {
            painter->setPen(colors::gridLine(option.palette));
            painter->drawLine(option.rect.topRight(), option.rect.bottomRight());
        }
    }

private:
    static void paintScore(QPainter& painter, const QStyleOptionViewItem& option, const HeatCell& cell) {
        painter.save();
        painter.setFont(option.font);
        const QRectF rect = QRectF(option.rect).adjusted(0, 0, -1, -1);
        paintHeatCell(painter, rect, cell, option.palette, Qt::AlignRight | Qt::AlignVCenter);
        if (option.state & QStyle::State_Selected) {
            // The dark line inside is seen on the yellow end of the map.
            const QColor yellow = colors::selected(option.palette);
            painter.fillRect(QRectF(rect.left(), rect.top(), option.rect.width(), 2), yellow);
            painter.fillRect(QRectF(rect.left(), rect.bottom() - 2, option.rect.width(), 2), yellow);
            painter.fillRect(QRectF(rect.left(), rect.top() + 2, option.rect.width(), 1), Qt::black);
            painter.fillRect(QRectF(rect.left(), rect.bottom() - 3, option.rect.width(), 1), Qt::black);
        }
        painter.restore();
    }
};

/// Common part of both views of the table.
void prepare(QTableView& table, QAbstractItemModel* model) {
    table.setHorizontalHeader(new ClassHeader(&table));
    table.setModel(model);
    table.setItemDelegate(new ClassDelegate(&table));
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::ExtendedSelection);
    table.setShowGrid(false);
    table.setAlternatingRowColors(true);
    table.setWordWrap(false);
    table.setTextElideMode(Qt::ElideMiddle); // names of classes differ at their ends
    table.setTabKeyNavigation(false);        // Tab leaves the table
    table.setFrameShape(QFrame::NoFrame);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 8);
}

} // namespace

ClassesTable::ClassesTable(QAbstractItemModel* model, QWidget* parent) : QTableView(parent) {
    prepare(*this, model);
    makeNames();
    connectNames();
    setSortingEnabled(true);
    sortByColumn(ClassesModel::ClassColumn, Qt::AscendingOrder);
    connect(this, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& index) { emit opened(index.row()); });
}

void ClassesTable::keyPressEvent(QKeyEvent* event) {
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!opens)
        QTableView::keyPressEvent(event);
    else if (currentIndex().isValid())
        emit opened(currentIndex().row());
}

void ClassesTable::makeNames() {
    names_ = new QTableView(this);
    names_->setObjectName(QStringLiteral("classesNames"));
    prepare(*names_, model());
    names_->setSelectionModel(selectionModel());
    names_->setFocusPolicy(Qt::NoFocus);
    names_->setAutoScroll(false); // it follows this table alone
    names_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    names_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    names_->viewport()->installEventFilter(this);
    names_->show();
}

void ClassesTable::connectNames() {
    QHeaderView* own = horizontalHeader();
    QHeaderView* other = names_->horizontalHeader();
    other->setSortIndicatorShown(true);
    connect(own, &QHeaderView::sortIndicatorChanged, other, [other](int column, Qt::SortOrder order) {
        const QSignalBlocker quiet(other);
        other->setSortIndicator(column, order);
    });
    connect(other, &QHeaderView::sortIndicatorChanged, this, &QTableView::sortByColumn);
    connect(own, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        if (column != ClassesModel::ClassColumn)
            return;
        names_->setColumnWidth(column, width);
        updateGeometries();
    });
    connect(other, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        if (column == ClassesModel::ClassColumn)
            setColumnWidth(column, width);
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, names_->verticalScrollBar(), &QScrollBar::setValue);
}

void ClassesTable::fitColumns() {
    resizeColumnsToContents();
    const int letter = fontMetrics().averageCharWidth();
    for (int column = 0; column < model()->columnCount(); ++column)
        setColumnWidth(column, std::min(columnWidth(column), 30 * letter));
    // Apart from the numbers that pass beside them, and never most of the table.
    const int names = columnWidth(ClassesModel::ClassColumn) + kInset;
    setColumnWidth(ClassesModel::ClassColumn, std::min(names, 20 * letter));
}

void ClassesTable::updateGeometries() {
    QTableView::updateGeometries();
    if (names_ == nullptr)
        return;
    names_->horizontalHeader()->setFixedHeight(horizontalHeader()->height());
    names_->setGeometry(frameWidth(), frameWidth(), std::min(columnWidth(ClassesModel::ClassColumn), width()),
                        horizontalHeader()->height() + viewport()->height());
    names_->verticalScrollBar()->setValue(verticalScrollBar()->value());
}

void ClassesTable::scrollTo(const QModelIndex& index, ScrollHint hint) {
    QScrollBar* bar = horizontalScrollBar();
    const int before = bar->value();
    QTableView::scrollTo(index, hint);
    if (index.column() == ClassesModel::ClassColumn)
        bar->setValue(before); // always in sight
    else if (const int hidden = names_->width() - visualRect(index).left(); hidden > 0)
        bar->setValue(bar->value() - hidden);
}

bool ClassesTable::takeMouse(const QMouseEvent& event) {
    // Where the name would be without the other view: the cell that lies under it is scrolled into sight otherwise.
    const QPointF at = event.position() - QPointF(horizontalOffset(), 0);
    QMouseEvent moved(event.type(), at, event.globalPosition(), event.button(), event.buttons(), event.modifiers(),
                      event.pointingDevice());
    return QCoreApplication::sendEvent(viewport(), &moved);
}

bool ClassesTable::eventFilter(QObject* watched, QEvent* event) {
    // One view handles the mouse: what Shift extends from is known to it alone.
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseMove:
        if (watched == names_->viewport()) {
            if (event->type() == QEvent::MouseButtonPress)
                setFocus(Qt::MouseFocusReason);
            return takeMouse(*static_cast<QMouseEvent*>(event));
        }
        break;
    case QEvent::Wheel:
        if (watched == names_->viewport())
            return QCoreApplication::sendEvent(viewport(), event);
        break;
    default:
        break;
    }
    return QTableView::eventFilter(watched, event);
}

} // namespace assay
