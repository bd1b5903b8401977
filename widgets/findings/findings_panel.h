#pragma once

#include "engine/subsets/rules/filter.h"
#include "widgets/link/linked_view.h"

#include <memory>
#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedLayout;
class QVBoxLayout;

namespace assay {

class FindingCard;
class ThumbnailCache;

/// Findings of the current model, most severe first: a summary and one card per finding, with the samples that stand
/// for it. A click on a card selects the samples that it is about, a click on an example those that are like it.
/// Buttons show these samples only, and reject them.
class FindingsPanel : public LinkedView {
    Q_OBJECT

public:
    /// @param pictures of all views; null: its own
    FindingsPanel(SampleSelection* selection, QWidget* parent, ThumbnailCache* pictures = nullptr);
    ~FindingsPanel() override;

    static QString title() { return tr("What is wrong with this model?"); }

signals:
    /// The person wants the audit judged again, by this version.
    void judgementWanted();
    /// The person wants these samples rejected by hand.
    void rejectionWanted(const assay::SampleSet& samples);
    /// Double click or Enter on an example.
    void inspectRequested(assay::SampleId sample);

protected:
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;

private:
    void fill();
    void showStage();
    void addCard(const Finding& finding);
    void focusCard(const FindingCard* from, int step);

    std::unique_ptr<ThumbnailCache> own_;
    ThumbnailCache* pictures_;
    QStackedLayout* pages_;
    QScrollArea* scroll_;
    QLabel* summary_;
    QLabel* stage_;
    QString firstName_;  ///< of the model whose first scores are shown; empty where they are complete
    QPushButton* judge_; ///< where the verdicts are an earlier version's
    QVBoxLayout* cardLayout_;
    std::vector<FindingCard*> cards_;
};

} // namespace assay
