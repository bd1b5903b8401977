#pragma once

#include "engine/audit/findings/findings.h"
#include "engine/audit/result/finding.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/link/view_state.h"

#include <QFrame>

#include <memory>

class QBoxLayout;
class QPushButton;

namespace assay {

class SampleGrid;
class SampleSelection;
class ThumbnailCache;

/// The samples that stand for a finding as cells of a grid: each above the number of samples like it, a copy beside its
/// original. Choosing one selects the samples like it.
class ExampleCells : public GridList {
public:
    /// @param finding has examples; outlives this
    ExampleCells(const Finding& finding, SampleSelection* selection) : GridList(selection), finding_(finding) {}

    /// @param state of the audit that the finding belongs to
    void show(const ViewState& state);
    /// Look of their grid: flat where the samples have no pictures.
    GridLook look() const;

    void choose(Place place, Qt::KeyboardModifiers modifiers) override;

private:
    SampleId sampleOf(const FindingExample& example) const;
    GridCell cellOf(const FindingExample& example) const;

    const Finding& finding_;
};

/// One finding: what is wrong, by how much, the samples that stand for it, and what can be done about it. A click,
/// Enter or Space chooses all its samples; Up and Down go to the next card.
class FindingCard : public QFrame {
    Q_OBJECT

public:
    /// @param finding outlives the card, as selection and cache do
    FindingCard(const Finding& finding, SampleSelection* selection, ThumbnailCache* cache, QWidget* parent);
    ~FindingCard() override;

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
    /// The person wants to say which samples belong together.
    void groupsWanted();
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
    std::unique_ptr<ExampleCells> examples_; ///< null: no examples
    SampleGrid* grid_ = nullptr;             ///< of the examples
    QPushButton* show_ = nullptr;            ///< null: no samples
    QPushButton* reject_ = nullptr;          ///< null: nothing to reject
    bool chosen_ = false;
};

} // namespace assay
