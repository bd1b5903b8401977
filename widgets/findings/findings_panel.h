#pragma once

#include "engine/subsets/rules/filter.h"
#include "widgets/link/linked_view.h"

#include <vector>

class QLabel;
class QStackedLayout;
class QVBoxLayout;

namespace assay {

class FindingCard;

/// Findings of the current model, most severe first: a summary sentence and one card per finding. A
/// click on a card selects the samples that it is about; its button puts the rule into force that would mend it.
class FindingsPanel : public LinkedView {
    Q_OBJECT

public:
    FindingsPanel(SampleSelection* selection, QWidget* parent);

    static QString title() { return tr("What is wrong with this model?"); }

signals:
    /// The person wants these rules in force too.
    void rulesWanted(const assay::FilterRules& rules);

protected:
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;

private:
    void fill();
    void select(const Finding& finding);

    QStackedLayout* pages_;
    QLabel* summary_;
    QVBoxLayout* cardLayout_;
    std::vector<FindingCard*> cards_;
};

} // namespace assay
