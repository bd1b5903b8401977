#pragma once

#include "engine/report/scores/table_features.h"
#include "widgets/charts/figure.h"
#include "widgets/charts/plot_series.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/view_state.h"

#include <QWidget>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace assay {

class PictureHeading;
class Plot;

/// One feature on both sets: two bars for each range or category, the left one of the real samples, the right one of
/// the synthetic samples, each as a share of its set.
///
/// A click on a bar selects its samples; Shift adds, Ctrl toggles, Ctrl+Shift takes away. The arrow keys and Enter do
/// the same. The selected share of each bar is outlined in yellow.
class FeaturePicture : public QWidget {
    Q_OBJECT

public:
    /// @param selection outlives the picture
    FeaturePicture(SampleSelection* selection, QWidget* parent);

    /// A feature in the real set and in the current model, under the filter of `state`. O(N + M).
    static FeatureBars barsOf(const ViewState& state, std::uint32_t feature);
    void showBars(const ViewState& state, const FeatureBars& bars);
    const FeatureBars& bars() const noexcept { return bars_; }
    /// The picture for a paper; nothing where there are no bars.
    std::optional<Figure> figure();
    /// Series 0 are the real bars, series 1 the synthetic ones.
    Plot& plot() const noexcept { return *plot_; }
    std::size_t selectedIn(std::size_t side, std::size_t bar) const { return selected_[side].at(bar); }

    QSize minimumSizeHint() const override { return {180, 130}; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void countSelected();
    void showHeading();
    void draw();
    ChartAxis xAxis() const;
    ChartAxis yAxis() const;
    PlotSeries seriesOf(std::size_t side) const;
    QString textOf(PlotPoint bar) const;
    /// "age: 20 to 30", "job: clerk".
    QString barText(std::size_t bar) const;

    SampleSelection* selection_;
    PictureHeading* heading_;
    Plot* plot_;
    ViewState state_;
    FeatureBars bars_;
    QString title_;
    QStringList names_; ///< of bars that stand for one value or category each; else empty
    std::array<std::vector<std::size_t>, 2> selected_;
};

} // namespace assay
