#pragma once

#include "engine/report/scores/explain.h"
#include "widgets/link/panel.h"
#include "widgets/sample/visited_samples.h"

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QScrollArea;
class QToolButton;

namespace assay {

struct BarFeatures;
struct Finding;
class FeatureContrastTable;
class NoteEdit;
class SampleComparisonView;
class SampleGrid;
class TableView;
class VerdictBadge;

/// Why the focused sample was scored as it was: the sample beside its nearest one of the other set, the verdict in a
/// sentence, its neighbours of both sets, and, folded, every score. While nothing is selected, the first example of the
/// gravest finding takes that place, and is called an example.
class SamplePanel : public Panel {
    Q_OBJECT

public:
    /// @param pictures outlives the view; null: the view keeps its own
    explicit SamplePanel(PanelHost& host);

    /// "scores": whether the list of all scores, which is folded at first, is unfolded.
    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

public slots:
    /// Walk through the samples inspected so far.
    void goBack();
    void goForward();
    /// Gives the keyboard to the note of the shown sample, if there is one.
    void editNote();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;

private:
    QWidget* makeHeader();
    QWidget* makeBody();
    QWidget* makeNeighbors();
    SampleGrid* makeNeighborGrid(const QString& name, const QString& title, QWidget* parent);
    QToolButton* makeScoresToggle();
    void connectSamples();
    void go(std::ptrdiff_t steps);
    void showSample();
    void showNothing();
    void showNames(SampleId sample);
    void showScores();
    void showNeighbors(SampleId sample);
    /// Shows the features beside the nearest sample's where one of them has no picture.
    /// @return the features to draw rows by; null where there are only pictures
    std::shared_ptr<const BarFeatures> showFeatures(SampleId sample, const std::vector<NeighborRelation>& nearest);
    const ModelAudit* modelOf(SampleId sample) const;
    /// What stands for the gravest finding of the current model that has examples; null without one.
    const Finding* exampleFinding() const;
    std::optional<SampleId> focusedSample() const;
    void showExampleHint(bool isExample);

    QScrollArea* scroll_;
    QLabel* name_;
    VerdictBadge* badge_;
    SampleComparisonView* comparison_;
    QLabel* reason_;
    QLabel* group_;
    QLabel* origin_;
    QLabel* example_;
    FeatureContrastTable* features_;
    QLabel* realCaption_;
    SampleGrid* nearestReal_;
    QLabel* syntheticCaption_;
    SampleGrid* nearestSynthetic_;
    NoteEdit* note_;
    QToolButton* scoresToggle_;
    TableView* scores_;
    QToolButton* back_;
    QToolButton* forward_;
    std::optional<SampleId> shown_; ///< the focused sample or an example
    bool isExample_ = false;
    VisitedSamples visited_;
    bool walking_ = false;
};

} // namespace assay
