#pragma once

#include "engine/subsets/holes/coverage_holes.h"
#include "widgets/link/linked_view.h"

#include <memory>
#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace assay {

class SampleGrid;
class ThumbnailCache;

/// The parts of reality that the current model does not make: missed real samples that lie together, the largest group
/// first, with pictures, classes, and the nearest synthetic samples.
///
/// The panel does not look for them itself: it asks with holesWanted() and is given them with showHoles().
class HolesPanel : public LinkedView {
    Q_OBJECT

public:
    /// Largest number of holes that are shown; the rest are counted and exported.
    static constexpr std::size_t kMostShown = 50;

    /// @param pictures of the audit; outlives the view; null: the view keeps its own
    HolesPanel(SampleSelection* selection, QWidget* parent, ThumbnailCache* pictures = nullptr);
    ~HolesPanel() override;

    static QString title() { return tr("What does the model not make?"); }

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

public slots:
    /// Shows these holes; those of another model than the current one are ignored.
    void showHoles(std::shared_ptr<const assay::CoverageHoles> holes);

signals:
    /// The holes of this model of the audit are to be shown and have not been found yet.
    void holesWanted(std::shared_ptr<const assay::AuditResult> audit, std::size_t model);
    /// Double click or Enter: the person wants to look closely at a sample.
    void inspectRequested(assay::SampleId sample);
    /// The person wants the missed samples in a file.
    void exportRequested(std::shared_ptr<const assay::CoverageHoles> holes);

protected:
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;

private:
    struct Card {
        QWidget* frame;
        SampleGrid* pictures;
        QPushButton* show;
        SampleSet samples; ///< of its hole
    };

    void showList();
    void addCard(const CoverageHole& hole, QWidget* list);
    void showButtons();
    /// Shows one hole's samples only, or everything again.
    void filterTo(const SampleSet& samples);

    std::unique_ptr<ThumbnailCache> own_;
    ThumbnailCache* pictures_;
    std::shared_ptr<const CoverageHoles> holes_; ///< of the current model; null while they are not known
    std::vector<Card> cards_;
    QLabel* summary_;
    QPushButton* export_;
    QScrollArea* scroll_;
    QLabel* hint_;
    QStackedWidget* pages_;
};

} // namespace assay
