#include "widgets/ranking/ranking_table.h"

#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_picker.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QSignalBlocker>

#include <algorithm>
#include <optional>

namespace assay {

RankingTable::RankingTable(RankingModel* model, RankingPicker* picker, ThumbnailCache* pictures, QWidget* parent)
    : SampleTable(model->selection(), pictures, parent, model), ranking_(model), picker_(picker) {
    setAccessibleName(tr("List of ranked samples"));
    setVerticalScrollMode(ScrollPerItem);
    verticalHeader()->setSectionsClickable(false);
    horizontalHeader()->setSortIndicatorClearable(false);
    connect(model, &RankingModel::orderChanged, this, &RankingTable::showOrder);
    connect(model, &QAbstractItemModel::modelReset, this, &RankingTable::showOrder);
    connect(model, &QAbstractItemModel::dataChanged, this, [this] { setState(ranking_->state()); });
    showOrder();
}

void RankingTable::showOrder() {
    const QSignalBlocker quiet(horizontalHeader()); // it only follows: sorting again would undo the ranking's choice
    horizontalHeader()->setSortIndicator(ranking_->sectionOf(ranking_->order().column), ranking_->order().order);
    setState(ranking_->state());
}

void RankingTable::scrollToPosition(std::size_t position) {
    scrollToPlace(static_cast<int>(position));
}

TableView::RowMarks RankingTable::marksOf(const QModelIndex& index) const {
    RowMarks marks = SampleTable::marksOf(index);
    marks.isCurrent = false; // keys go on from the focused sample
    return marks;
}

void RankingTable::pick(int place, Qt::KeyboardModifiers modifiers) {
    picker_->click(static_cast<std::size_t>(place), modifiers);
}

void RankingTable::keyPressEvent(QKeyEvent* event) {
    const int page = std::max(1, viewport()->height() / verticalHeader()->defaultSectionSize());
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right; // these scroll
    const auto move = [this, page](int key, std::optional<std::size_t> from) {
        return movedInList(key, from, ranking_->size(), page);
    };
    if (sideways || !picker_->key(event, move))
        SampleTable::keyPressEvent(event);
}

} // namespace assay
