#pragma once

#include "engine/subsets/rules/filter.h"
#include "widgets/link/panel.h"

#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace assay {

class FindingCard;

/// Findings of the current model, most severe first: a summary and one card per finding, with the samples that stand
/// for it. A click on a card selects the samples that it is about, a click on an example those that are like it.
/// Buttons show these samples only, and reject them.
class FindingsPanel : public Panel {
    Q_OBJECT

public:
    explicit FindingsPanel(PanelHost& host);

    /// That of the summary and the first card.
    int heightWanted(int width) const override;

    static QString title() { return tr("What is wrong with this model?"); }

protected:
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;

private:
    void fill();
    void showStage();
    void addCard(const Finding& finding);
    void focusCard(const FindingCard* from, int step);

    QScrollArea* scroll_;
    QLabel* summary_;
    QLabel* stage_;
    QString firstName_;  ///< of the model whose first scores are shown; empty where they are complete
    QPushButton* judge_; ///< where the verdicts are an earlier version's
    QVBoxLayout* cardLayout_;
    std::vector<FindingCard*> cards_;
};

} // namespace assay
