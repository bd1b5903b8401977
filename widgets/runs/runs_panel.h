#pragma once

#include "engine/audit/result/model_runs.h"
#include "widgets/link/panel.h"

#include <string>
#include <vector>

class QCheckBox;
class QLabel;

namespace assay {

class ElidingComboBox;
class Plot;

/// Models whose names carry a number (a training step, a guidance scale, a truncation) or a word (early, late) as
/// curves: any score over that number, with its interval.
class RunsPanel : public Panel {
    Q_OBJECT

public:
    explicit RunsPanel(PanelHost& host);

    static QString title() { return tr("Do the models of a run get better?"); }

    std::optional<Figure> figure() override;

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {240, 180}; }

protected:
    void stateChanged(const Changes& changes) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makePage();
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
    std::vector<ModelRun> found_;
    std::vector<ModelRun> drawn_; ///< the one in hand first
    std::vector<const Metric*> offered_;
    std::string wanted_ = "clipped_coverage"; ///< the metric that was picked last
};

} // namespace assay
