#pragma once

#include "widgets/link/panel.h"

class QSortFilterProxyModel;

namespace assay {

class ModelsModel;
class ModelsTree;

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
    void fitToWidth();
    void showCurrent();

    ModelsModel* model_;
    QSortFilterProxyModel* sorted_;
    ModelsTree* tree_;
    bool following_ = false; ///< while the current model is set in the tree: its signals are ignored
};

} // namespace assay
