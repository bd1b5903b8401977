#include "widgets/ranking/ranking_table.h"

#include "widgets/common/colors.h"
#include "widgets/common/selected_row.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_picker.h"
#include "widgets/samples/sample_card.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <optional>

namespace assay {
namespace {

/// Shows the one selection, which the table's own selection model knows nothing of.
class RankingDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem item = option;
        item.state &= ~(QStyle::State_HasFocus | QStyle::State_Selected);
        if (index.data(RankingModel::RejectedRole).toBool())
            item.palette.setColor(QPalette::Text, colors::mutedText(option.palette));
        if (index.data(RankingModel::AccusedRole).toBool() && isVerdictColumn(index))
            item.palette.setColor(QPalette::Text, verdictColor(index, option.palette));
        if (const QColor color = decisionColor(index, option.palette); color.isValid())
            item.palette.setColor(QPalette::Text, color);
        if (index.data(RankingModel::SelectedRole).toBool())
            tintSelectedRow(*painter, option);
        QStyledItemDelegate::paint(painter, item, index);
        paintMarks(painter, option, index);
    }

private:
    /// Of the words that say that a person keeps it; none elsewhere.
    static QColor decisionColor(const QModelIndex& index, const QPalette& palette) {
        const auto* model = qobject_cast<const RankingModel*>(index.model());
        const bool accepted = model && index.column() == RankingModel::KeptColumn &&
                              model->state().isAccepted(index.data(RankingModel::SampleRole).value<SampleId>());
        return accepted ? colors::accepted(palette) : QColor();
    }
    static bool isVerdictColumn(const QModelIndex& index) {
        const auto* model = qobject_cast<const RankingModel*>(index.model());
        return model && model->sectionOf("verdict") == index.column();
    }

    static QColor verdictColor(const QModelIndex& index, const QPalette& palette) {
        const auto* model = qobject_cast<const RankingModel*>(index.model());
        return colors::verdict(model->verdictOf(model->sampleAt(static_cast<std::size_t>(index.row())).row), palette);
    }

    static void paintMarks(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
        const auto* model = qobject_cast<const RankingModel*>(index.model());
        if (!model || !index.data(RankingModel::SelectedRole).toBool())
            return;
        markSelectedRow(*painter, option, index.column() == 0,
                        model->selection()->focus() == index.data(RankingModel::SampleRole).value<SampleId>());
    }
};

} // namespace

RankingTable::RankingTable(RankingModel* model, RankingPicker* picker, ThumbnailCache* pictures, QWidget* parent)
    : QTableView(parent), ranking_(model), picker_(picker), pictures_(pictures) {
    setModel(model);
    setItemDelegate(new RankingDelegate(this));
    setSelectionMode(NoSelection);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setMouseTracking(true);
    setHorizontalScrollMode(ScrollPerPixel);
    setAccessibleName(tr("List of ranked samples"));
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    verticalHeader()->setSectionsClickable(false);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(40);
    horizontalHeader()->setDefaultSectionSize(fontMetrics().horizontalAdvance(QStringLiteral("Distance to real 0")));
    horizontalHeader()->setSortIndicatorClearable(false);
    showOrder();
    setSortingEnabled(true);
    connect(model, &RankingModel::orderChanged, this, &RankingTable::showOrder);
    connect(model, &QAbstractItemModel::modelReset, this, &RankingTable::showOrder);
    connect(model, &QAbstractItemModel::dataChanged, this, &RankingTable::showColumns);
    connect(model->selection(), &SampleSelection::changed, viewport(), qOverload<>(&QWidget::update));
}

void RankingTable::showOrder() {
    const QSignalBlocker quiet(horizontalHeader()); // it only follows: sorting again would undo the ranking's choice
    horizontalHeader()->setSortIndicator(ranking_->sectionOf(ranking_->order().column), ranking_->order().order);
    const int sections = horizontalHeader()->count();
    if (sections != sizedSections_) {
        for (int section = RankingModel::FixedColumnCount; section < sections; ++section)
            setColumnWidth(section, horizontalHeader()->sectionSizeHint(section) + fontMetrics().averageCharWidth());
        setColumnWidth(RankingModel::KeptColumn,
                       fontMetrics().horizontalAdvance(RankingModel::tr("rejected by hand")) + 12);
        setColumnWidth(RankingModel::TagsColumn, fontMetrics().horizontalAdvance(QStringLiteral("1 2 3 4 5")) + 12);
    }
    sizedSections_ = sections;
    showColumns();
}

/// The columns that have a value to show.
void RankingTable::showColumns() {
    const ViewState& state = ranking_->state();
    setColumnHidden(RankingModel::ClassColumn, !state.hasModel() || !ranking_->listed().hasLabels());
    setColumnHidden(RankingModel::NoteColumn, !state.notes || state.notes->empty());
}

void RankingTable::scrollToPosition(std::size_t position) {
    const int column = std::max(0, columnAt(1));
    scrollTo(ranking_->index(static_cast<int>(position), column));
}

void RankingTable::mousePressEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    if (index.isValid() && event->button() == Qt::LeftButton)
        picker_->click(static_cast<std::size_t>(index.row()), event->modifiers());
    else if (index.isValid()) // what a menu is about
        ranking_->selection()->hover(ranking_->sampleAt(static_cast<std::size_t>(index.row())));
}

void RankingTable::mouseMoveEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    ranking_->selection()->hover(
        index.isValid() ? std::optional(ranking_->sampleAt(static_cast<std::size_t>(index.row()))) : std::nullopt);
}

void RankingTable::mouseDoubleClickEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    if (index.isValid() && event->button() == Qt::LeftButton)
        emit inspectRequested(ranking_->sampleAt(static_cast<std::size_t>(index.row())));
}

void RankingTable::keyPressEvent(QKeyEvent* event) {
    const int page = std::max(1, viewport()->height() / verticalHeader()->defaultSectionSize());
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right; // these scroll
    const auto move = [this, page](int key, std::optional<std::size_t> from) {
        return movedInList(key, from, ranking_->size(), page);
    };
    if (sideways || !picker_->key(event, move))
        QTableView::keyPressEvent(event);
}

bool RankingTable::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        ranking_->selection()->hover(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QModelIndex index = indexAt(help->pos());
        if (index.isValid())
            SampleCard::show(viewport(), help->globalPos(),
                             {ranking_->state(), ranking_->sampleAt(static_cast<std::size_t>(index.row())), pictures_});
        else
            SampleCard::hide(viewport());
        return true;
    }
    return QTableView::viewportEvent(event);
}

} // namespace assay
