#include "widgets/useful/class_utility_table.h"

#include "widgets/common/share_bar.h"
#include "widgets/useful/class_utility_model.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace assay {
namespace {

constexpr int kLeastName = 40; // in logical pixels
constexpr int kMostForNames = 140;

class ShareDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, option.palette.color(colorGroupOf(option), QPalette::Highlight));
        if (const QVariant share = index.data(ClassUtilityModel::ShareRole); share.isValid())
            paintShareBar(*painter, option, share.toDouble(),
                          index.column() == ClassUtilityModel::Real ? Side::Real : Side::Synthetic);
        QStyleOptionViewItem plain = option;
        plain.state &= ~QStyle::State_Selected;
        if (option.state & QStyle::State_Selected)
            plain.palette.setColor(QPalette::Text, option.palette.color(QPalette::HighlightedText));
        QStyledItemDelegate::paint(painter, plain, index);
    }
};

} // namespace

ClassUtilityTable::ClassUtilityTable(QAbstractItemModel* model, QWidget* parent) : QTableView(parent) {
    setModel(model);
    setItemDelegate(new ShareDelegate(this));
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setTabKeyNavigation(false);
    setFrameShape(NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle); // names of classes differ at their ends
    setSortingEnabled(true);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(30);
    connect(model, &QAbstractItemModel::modelReset, this, &ClassUtilityTable::fitColumns);
}

/// Numbers have the room that they need; names the rest.
void ClassUtilityTable::fitColumns() {
    if (model()->columnCount() == 0)
        return;
    int numbers = 0;
    setColumnHidden(ClassUtilityModel::Tested, false);
    for (int column = ClassUtilityModel::Tested; column < ClassUtilityModel::Columns; ++column) {
        const int wide = std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        setColumnWidth(column, wide);
        numbers += wide;
    }
    const int tested = columnWidth(ClassUtilityModel::Tested);
    const bool fits = viewport()->width() - numbers >=
                      std::clamp(sizeHintForColumn(ClassUtilityModel::Class), kLeastName, kMostForNames);
    setColumnHidden(ClassUtilityModel::Tested, !fits); // its tooltips say it, too
    const int left = viewport()->width() - numbers + (fits ? 0 : tested);
    setColumnWidth(ClassUtilityModel::Class, std::max(kLeastName, left));
}

void ClassUtilityTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns();
}

} // namespace assay
