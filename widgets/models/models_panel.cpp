#include "widgets/models/models_panel.h"

#include "widgets/models/models_model.h"
#include "widgets/models/models_tree.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kWideFrom = 430; // logical pixels: from here on names and numbers share a line
constexpr int kRoomyFrom = 260;
constexpr int kLongHeadersFrom = 820;

/// Sorts numbers as numbers, models without one last.
class ModelOrder : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const QVariant a = left.data(ModelsModel::SortRole);
        const QVariant b = right.data(ModelsModel::SortRole);
        if (left.column() == ModelsModel::Name)
            return a.toString() < b.toString();
        const bool aMissing = std::isnan(a.toDouble());
        const bool bMissing = std::isnan(b.toDouble());
        if (aMissing || bMissing) // sortOrder() reverses the result, so reverse it beforehand
            return sortOrder() == Qt::AscendingOrder ? !aMissing && bMissing : aMissing && !bMissing;
        return a.toDouble() < b.toDouble();
    }
};

} // namespace

ModelsPanel::ModelsPanel(PanelHost& host) : Panel(host) {
    model_ = new ModelsModel(this);
    sorted_ = new ModelOrder(this);
    sorted_->setSourceModel(model_);
    tree_ = new ModelsTree(this);
    tree_->setObjectName(QStringLiteral("modelsTree"));
    tree_->setAccessibleName(title());
    tree_->setModel(sorted_);
    tree_->header()->setSectionResizeMode(ModelsModel::Name, QHeaderView::Stretch);
    tree_->sortByColumn(-1, Qt::AscendingOrder); // the order of the audit until a header is clicked
    setContent(tree_, tr("The synthetic sets and their scores are listed here."));
    connect(tree_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        if (following_ || !current.isValid())
            return;
        const auto chosen = static_cast<std::size_t>(sorted_->mapToSource(current).row());
        if (chosen != state().model)
            this->host().setModel(chosen);
    });
}

void ModelsPanel::stateChanged(const Changes& changes) {
    following_ = true;
    if (changes.audit)
        model_->setAudit(state().audit);
    showCurrent();
    following_ = false;
    fitToWidth();
}

void ModelsPanel::showCurrent() {
    if (!state().hasModel())
        return;
    const QModelIndex at = sorted_->mapFromSource(model_->index(static_cast<int>(state().model), 0));
    tree_->selectionModel()->setCurrentIndex(at, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void ModelsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitToWidth();
}

void ModelsPanel::fitToWidth() {
    const bool compact = width() < kWideFrom;
    model_->setShortHeaders(width() < kLongHeadersFrom);
    tree_->setCompact(compact);
    tree_->setColumnHidden(ModelsModel::BadFidelity, compact);
    tree_->setColumnHidden(ModelsModel::BadCoverage, compact);
    const QFontMetrics metrics = fontMetrics();
    const int headerGap = !compact ? 20 : width() < kRoomyFrom ? 6 : 12;
    const int numberGap = std::min(headerGap, 10);
    for (int section = ModelsModel::ClippedDensity; section < ModelsModel::SectionCount; ++section) {
        const QString header = model_->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = metrics.horizontalAdvance(header) + headerGap;
        for (int row = 0; row < model_->rowCount(); ++row)
            width =
                std::max(width, metrics.horizontalAdvance(model_->index(row, section).data().toString()) + numberGap);
        tree_->setColumnWidth(section, width);
    }
}

} // namespace assay
