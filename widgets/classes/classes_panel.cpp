#include "widgets/classes/classes_panel.h"

#include "engine/data/embedding_set.h"
#include "widgets/classes/classes_model.h"
#include "widgets/classes/classes_table.h"
#include "widgets/common/hint_label.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"
#include "widgets/link/sample_selection.h"
#include "widgets/text/class_text.h"

#include <QItemSelectionModel>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>

namespace assay {

ClassesPanel::ClassesPanel(SampleSelection* selection, QWidget* parent) : LinkedView(selection, parent) {
    setObjectName(QStringLiteral("classesPanel"));
    model_ = new ClassesModel(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(ClassesModel::SortRole);
    hint_ = new QLabel(this);
    hint_->setObjectName(QStringLiteral("classesHint"));
    makeHint(hint_);
    pages_ = new QStackedLayout(this);
    pages_->setContentsMargins(0, 0, 0, 0);
    pages_->addWidget(hint_);
    pages_->addWidget(makeTablePage());
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ClassesPanel::selectClasses);
    showNote();
}

QWidget* ClassesPanel::makeTablePage() {
    auto* page = new QWidget(this);
    table_ = new ClassesTable(sorted_, page);
    table_->setObjectName(QStringLiteral("classesTable"));
    table_->setAccessibleName(title());
    note_ = new WrappingLabel(page);
    note_->setObjectName(QStringLiteral("classesNote"));
    note_->setMargin(6);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(table_, 1);
    layout->addWidget(note_);
    return page;
}

void ClassesPanel::stateChanged(const ViewState& previous) {
    const ModelAudit* before = previous.hasModel() ? &previous.current() : nullptr;
    const ModelAudit* after = state().hasModel() ? &state().current() : nullptr;
    if (before == after && previous.model == state().model) {
        if (previous.shown != state().shown)
            model_->setShown(state());
        return;
    }
    model_->setState(state());
    model_->countSelected(*selection());
    table_->fitColumns();
    showNote();
}

void ClassesPanel::selectionChanged() {
    model_->countSelected(*selection());
    if (selecting_)
        return;
    selecting_ = true;
    table_->clearSelection(); // of samples that are not the selected ones any more
    selecting_ = false;
}

void ClassesPanel::selectClasses() {
    const QModelIndexList rows = table_->selectionModel()->selectedRows();
    if (selecting_)
        return;
    SampleSet samples; // none where a click beside the rows chose none
    for (const QModelIndex& row : rows)
        samples |= model_->samplesOf(sorted_->mapToSource(row).row());
    selecting_ = true;
    selection()->replace(samples);
    selecting_ = false;
}

void ClassesPanel::showNote() {
    pages_->setCurrentIndex(model_->hasClasses() ? 1 : 0);
    if (!state().hasModel()) {
        hint_->setText(tr("The scores of every class would be compared here.\n"
                          "Open a real and a synthetic set with labels to begin."));
        return;
    }
    if (!model_->hasClasses()) {
        hint_->setText(
            tr("Neither set has labels.\nWith an array \u201clabels\u201d in its .npz file, a number or a name "
               "for every sample, scores come by class."));
        return;
    }
    const auto missing = model_->missing();
    const QString name = QString::fromStdString(state().current().name);
    if (!missing) {
        note_->setText(!state().current().set->hasLabels() ? tr("%1 has no labels.").arg(name)
                       : !state().audit->real->set->hasLabels()
                           ? tr("The real set has no labels.")
                           : tr("%1 and the real set have no class in common.").arg(name));
    } else if (missing->empty()) {
        note_->setText(tr("Every class of the real set is in %1.").arg(name));
    } else {
        QStringList names;
        for (const std::string& label : *missing)
            names << classText(label);
        note_->setText(tr("Missing from %1: %2").arg(name, names.join(QStringLiteral(", "))));
    }
    if (const QString moved = movedText(); !moved.isEmpty())
        note_->setText(note_->text() + QLatin1Char('\n') + moved);
}

QString ClassesPanel::movedText() const {
    const std::optional<ClassMeans>& means = state().current().classMeans;
    if (!means)
        return {};
    const auto farthest = std::ranges::max_element(means->classes, {}, &ClassShift::distance);
    const std::string& label = state().audit->real->set->labels().names[farthest->realClass];
    return tr("Fr\u00e9chet distance of the class means: %1. %2 has moved farthest, by %3 (by chance: %4).")
        .arg(formatNumber(means->frechetDistance), classText(label), formatNumber(farthest->distance),
             formatNumber(farthest->byChance));
}

} // namespace assay
