#pragma once

#include "engine/audit/result/model_runs.h"
#include "engine/subsets/what_if/what_if.h"
#include "widgets/charts/plot_series.h"
#include "widgets/link/panel.h"

#include <vector>

class QToolButton;

namespace assay {

class Plot;

/// Every model as a point: clipped density against clipped coverage. The current one is ringed, a suspicious one
/// carries (!); click, or the left and right arrow keys, make another one current. Where rules reject some of its
/// samples, a line leads from the current one to where the kept ones alone would be. Models of a run (modelRuns) are
/// joined by a path with arrows, which can be hidden.
class ScatterPanel : public Panel {
    Q_OBJECT

public:
    explicit ScatterPanel(PanelHost& host);

    static QString title() { return tr("Which models are faithful, and which cover the real data?"); }

    std::optional<Figure> figure() override;

    /// The ids of its points are models; those of the kept samples and of paths are no models.
    Plot& plot() const noexcept { return *plot_; }
    /// Id of the kept samples' mark.
    static constexpr std::size_t kKept = static_cast<std::size_t>(-1);

protected:
    void stateChanged(const Changes& changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Of the kept samples of the current model by themselves; null where they are not known.
    const WhatIfResult* keptScores() const { return state().computed.keptScores.get(); }
    std::size_t count() const;
    QPointF valueOf(std::size_t model) const;
    QString describe(PlotPoint point) const;
    QString keptToolTip() const;
    PlotSeries paths() const;
    PlotSeries models(bool suspicious) const;
    PlotSeries wayToKept() const;
    PlotSeries kept() const;
    void draw();
    void placePathButton();

    Plot* plot_;
    QToolButton* pathButton_;
    std::vector<ModelRun> runs_;
};

} // namespace assay
