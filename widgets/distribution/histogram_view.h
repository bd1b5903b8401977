#pragma once

#include "engine/subsets/rules/column_histogram.h"
#include "widgets/charts/plot_series.h"
#include "widgets/link/panel.h"
#include "widgets/link/sample_selection.h"

#include <optional>
#include <string>
#include <vector>

namespace assay {

class Plot;
struct Column;

/// The distribution of a per-sample column, for the current synthetic set or for the real set, whichever the column is
/// of.
///
/// Click a bar to select its samples, drag across bars for a range; Shift adds (all from the bar before), Ctrl toggles,
/// Ctrl+Shift takes away; arrow keys and Enter do the same. The selected share of each bar is outlined in yellow, what
/// is rejected is faded. Of a part of the axis (Plot) the tallest bar there fills the height. An outline shows the
/// counts expected of as many good samples (goodSampleValues).
class HistogramView : public Panel {
    Q_OBJECT

public:
    /// @param columnId id of any per-sample column of the catalogue
    HistogramView(std::string columnId, PanelHost& host);

    /// "How faithful is each sample?"
    QString title() const;

    const std::string& columnId() const noexcept { return columnId_; }
    /// Shows another per-sample column of the catalogue.
    void setColumn(std::string columnId);
    /// Looks of the chart. A logarithmic axis has effect where all values are above 0.
    struct Look {
        bool logarithmic = false;
        bool cumulative = false; ///< bars count the samples up to their upper end
        bool outlined = true;    ///< by good samples

        bool operator==(const Look&) const = default;
    };
    const Look& look() const noexcept { return look_; }
    void setLook(const Look& look);
    /// Whether a logarithmic axis can be shown: all values are above 0, and they differ.
    bool canBeLogarithmic() const { return counted_.canBeLogarithmic(); }
    /// Height of the outline over a bar, in samples of the set that is shown; 0 without an outline.
    double outlineOver(std::size_t bin) const { return counted_.good().empty() ? 0.0 : counted_.good().at(bin); }

    std::optional<Figure> figure() override;

    const HistogramBins& bins() const noexcept { return counted_.bins(); }
    Plot& plot() const noexcept { return *plot_; }
    /// Samples in a bar; in a cumulative chart in it and the ones before.
    std::size_t countIn(std::size_t bin) const { return counted_.countIn(bin); }
    /// The values of the bars that were chosen last; of the one under the mouse where that is another.
    std::optional<ViewFilter::Range> chosenRange() const;
    std::size_t selectedIn(std::size_t bin) const { return counted_.selectedIn(bin); }

    QSize sizeHint() const override { return {380, 220}; }
    QSize minimumSizeHint() const override { return {136, 130}; }

protected:
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;
    void hoverChanged() override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    const Column* column() const;
    const std::vector<double>* values() const;
    SetId set() const;
    void showColumn();
    void recount();
    void countSelected();
    QString binText(std::size_t bin) const;
    ChartAxis xAxis() const;
    ChartAxis yAxis(const ChartAxis& x) const;
    PlotSeries bars() const;
    PlotSeries outline() const;
    void draw();

    Plot* plot_;
    std::string columnId_;
    ColumnHistogram counted_;
    std::shared_ptr<const ModelAudit> binned_; ///< whose values the bars were chosen for
    Look look_;
    GrowingChoice choice_;
};

} // namespace assay
