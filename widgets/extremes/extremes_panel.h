#pragma once

#include "widgets/link/panel.h"

namespace assay {

class Plot;
class SampleGrid;
class TableView;

/// How far each score of the current model's samples reaches: a table of the scores, the values of the chosen one from
/// the smallest to the largest, and the samples with the largest values.
class ExtremesPanel : public Panel {
    Q_OBJECT

public:
    explicit ExtremesPanel(PanelHost& host);

    static QString title() { return tr("Which samples have the largest scores?"); }

protected:
    void stateChanged(const Changes& changes) override;

private:
    void showScores();
    void showColumn();

    std::vector<const Column*> columns_;
    TableView* table_;
    Plot* plot_;
    SampleGrid* wall_;
};

} // namespace assay
