#include "widgets/models/models_panel.h"

#include "widgets/common/hint_label.h"
#include "widgets/models/models_table.h"
#include "widgets/tables/table_view.h"

#include <QLabel>
#include <QStackedLayout>

namespace assay {
namespace {

constexpr int kWideFrom = 430; // logical pixels: from here on names and numbers share a line
constexpr int kLongHeadersFrom = 820;

} // namespace

ModelsPanel::ModelsPanel(SampleSelection* selection, QWidget* parent) : LinkedView(selection, parent) {
    table_ = new TableView(this);
    table_->setObjectName(QStringLiteral("modelsTable"));
    table_->setAccessibleName(title());
    hint_ = new QLabel(tr("The synthetic sets and their scores would be listed here.\n"
                          "Open a real and a synthetic set to begin."),
                       this);
    hint_->setObjectName(QStringLiteral("modelsHint"));
    makeHint(hint_);
    pages_ = new QStackedLayout(this);
    pages_->setContentsMargins(0, 0, 0, 0);
    pages_->addWidget(hint_);
    pages_->addWidget(table_);
    connect(table_, &TableView::rowChosen, this, [this](int row) {
        if (const auto chosen = static_cast<std::size_t>(row); chosen != state().model)
            emit modelChosen(chosen);
    });
}

ModelsRoom ModelsPanel::room() const {
    return width() < kWideFrom          ? ModelsRoom::Compact
           : width() < kLongHeadersFrom ? ModelsRoom::Short
                                        : ModelsRoom::Long;
}

void ModelsPanel::stateChanged(const ViewState& previous) {
    if (previous.audit != state().audit)
        showModels();
    else if (state().hasModel())
        table_->showRow(static_cast<int>(state().model));
}

void ModelsPanel::showModels() {
    shownFor_ = room();
    table_->setContent(modelsTable(state().audit, shownFor_));
    if (state().hasModel())
        table_->showRow(static_cast<int>(state().model));
    pages_->setCurrentWidget(state().hasModel() ? static_cast<QWidget*>(table_) : hint_);
}

void ModelsPanel::resizeEvent(QResizeEvent* event) {
    LinkedView::resizeEvent(event);
    if (room() != shownFor_)
        showModels();
}

} // namespace assay
