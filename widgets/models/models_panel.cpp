#include "widgets/models/models_panel.h"

#include "widgets/models/models_table.h"
#include "widgets/tables/table_view.h"

namespace assay {
namespace {

constexpr int kWideFrom = 430; // logical pixels: from here on names and numbers share a line
constexpr int kLongHeadersFrom = 820;

} // namespace

ModelsPanel::ModelsPanel(PanelHost& host) : Panel(host) {
    table_ = named<TableView>("modelsTable", this);
    table_->setAccessibleName(title());
    setContent(table_, tr("The synthetic sets and their scores are listed here."));
    connect(table_, &TableView::rowChosen, this, [this](int row) {
        if (const auto chosen = static_cast<std::size_t>(row); chosen != state().model)
            this->host().setModel(chosen);
    });
}

ModelsRoom ModelsPanel::room() const {
    return width() < kWideFrom          ? ModelsRoom::Compact
           : width() < kLongHeadersFrom ? ModelsRoom::Short
                                        : ModelsRoom::Long;
}

void ModelsPanel::stateChanged(const Changes& changes) {
    if (changes.audit)
        showModels();
    else if (state().hasModel())
        table_->showRow(static_cast<int>(state().model));
}

void ModelsPanel::showModels() {
    shownFor_ = room();
    table_->setContent(modelsTable(state().audit, shownFor_));
    if (state().hasModel())
        table_->showRow(static_cast<int>(state().model));
}

void ModelsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    if (room() != shownFor_)
        showModels();
}

} // namespace assay
