#pragma once

#include "engine/audit/findings/findings.h"
#include "widgets/link/view_state.h"

#include <QFrame>

class QBoxLayout;
class QPushButton;

namespace assay {

class SampleSelection;
class ExampleStrip;
class ThumbnailCache;

/// One finding: what is wrong, by how much, the samples that stand for it, and what can be done about it. A click,
/// Enter or Space chooses all its samples; Up and Down go to the next card.
class FindingCard : public QFrame {
    Q_OBJECT

public:
    /// @param finding outlives the card, as selection and cache do
    FindingCard(const Finding& finding, SampleSelection* selection, ThumbnailCache* cache, QWidget* parent);

    const Finding& finding() const noexcept { return finding_; }
    SampleSet samples() const;
    /// Shows whether its samples are what is selected.
    void setChosen(bool chosen);
    /// Shows decisions and the filter. @param state of the audit that the finding belongs to
    void setState(const ViewState& state);

signals:
    /// The person wants its samples selected.
    void chosen();
    /// The person wants to see its samples only, or everything again.
    void filterWanted(const assay::ViewFilter& filter);
    /// The person wants its samples rejected by hand.
    void rejectionWanted();
    void inspectRequested(assay::SampleId sample);
    /// Up (-1) or Down (1).
    void moved(int step);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString toolTipText() const;
    void addText(QBoxLayout* layout);
    void addButtons(QBoxLayout* layout);

    const Finding& finding_;
    ViewState state_;
    ExampleStrip* examples_ = nullptr; ///< null: no examples
    QPushButton* show_ = nullptr;      ///< null: no samples
    QPushButton* reject_ = nullptr;    ///< null: nothing to reject
    bool chosen_ = false;
};

} // namespace assay
