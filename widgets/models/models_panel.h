#pragma once

#include "widgets/link/panel.h"

namespace assay {

class TableView;
enum class ModelsRoom;

/// All models of the audit with their scores; the current one is chosen here by click or arrow keys. In a narrow dock
/// each model takes two lines, its name above its numbers.
class ModelsPanel : public Panel {
    Q_OBJECT

public:
    explicit ModelsPanel(PanelHost& host);

    static QString title() { return tr("How good is each?"); }

protected:
    void stateChanged(const Changes& changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    ModelsRoom room() const;
    void showModels();

    TableView* table_;
    ModelsRoom shownFor_{}; ///< room that the table was made for
};

} // namespace assay
