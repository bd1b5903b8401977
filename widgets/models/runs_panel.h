#pragma once

#include "engine/audit/result/model_runs.h"
#include "widgets/link/linked_view.h"

#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QStackedLayout;

namespace assay {

class ElidingComboBox;
class Plot;

/// Models whose names carry a number (a training step, a guidance scale, a truncation) or a word (early, late) as
/// curves: any score over that number, with its interval.
class RunsPanel : public LinkedView {
    Q_OBJECT

public:
    RunsPanel(SampleSelection* selection, QWidget* parent);

    static QString title() { return tr("Do the models of a run get better?"); }

    std::optional<Figure> figure() override;

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {240, 180}; }

signals:
    /// The person wants to add models of a run.
    void modelsWanted();

protected:
    void stateChanged(const ViewState& previous) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makePage();
    QWidget* makeEmptyPage();
    const ModelRun* run() const;
    const Metric* shownMetric() const;
    void listRuns();
    void listMetrics();
    void showRun();
    void draw();
    void showLegend();
    QString answer() const;

    ElidingComboBox* runs_;
    ElidingComboBox* metrics_;
    QCheckBox* beside_; ///< whether other runs are drawn, too
    Plot* plot_;
    QLabel* legend_;
    QLabel* answer_;
    QLabel* hint_;
    QPushButton* add_; ///< below the hint
    QStackedLayout* pages_;
    std::vector<ModelRun> found_;
    std::vector<ModelRun> drawn_; ///< the one in hand first
    std::vector<const Metric*> offered_;
    std::string wanted_ = "clipped_coverage"; ///< the metric that was picked last
};

} // namespace assay
