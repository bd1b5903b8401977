#pragma once

#include "engine/math/statistics/histogram.h"
#include "widgets/link/panel.h"
#include "widgets/link/sample_selection.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

class ChartFrame;
struct Column;

/// How a per-sample column is spread, for the current synthetic set or for the real set, whichever the column is of.
///
/// Click a bar to select its samples, drag across bars for a range; Shift adds (all from the bar before), Ctrl toggles,
/// Ctrl+Shift takes away; arrow keys and Enter do the same. The selected share of each bar is outlined in yellow, what
/// is rejected is faded. Of a part of the axis (ChartFrame) the tallest bar there fills the height. An outline shows
/// how as many good samples (goodSampleValues) would be spread.
///
/// Axes are Qt Charts', bars are painted: its stacked bars stand on categories and not on values, end between pixels,
/// vanish where a bar is lower than one, and cannot be outlined in part.
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
    bool canBeLogarithmic() const { return canBeLogarithmic_; }
    /// Height of the outline over a bar, in samples of the set that is shown; 0 without an outline.
    double outlineOver(std::size_t bin) const { return good_.empty() ? 0.0 : good_.at(bin); }

    std::optional<Figure> figure() override;

    /// Area of a bar's whole column in widget coordinates, from the axis to the top.
    QRect binRect(std::size_t bin) const;
    const HistogramBins& bins() const noexcept { return bins_; }
    const ChartFrame& frame() const noexcept { return *frame_; }
    /// Samples in a bar; in a cumulative chart in it and the ones before.
    std::size_t countIn(std::size_t bin) const { return counts_.at(bin); }
    /// The values of the bars that were chosen last; of the one under the mouse where that is another.
    std::optional<ViewFilter::Range> chosenRange() const;
    std::size_t selectedIn(std::size_t bin) const { return selected_.at(bin); }

    QSize sizeHint() const override { return {380, 220}; }
    QSize minimumSizeHint() const override { return {136, 130}; }

protected:
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;
    void hoverChanged() override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    const Column* column() const;
    const std::vector<double>* values() const;
    SetId set() const;
    void showColumn();
    void forgetBins();
    void recount();
    void countSelected();
    void chooseBinsFor(const std::vector<double>& values);
    void countGood();
    void sumUp(std::vector<std::size_t>& counts) const;
    QRect plotArea() const;
    double xOf(double value) const;
    int heightOf(std::size_t count) const;
    std::optional<std::size_t> binAt(QPoint point) const;
    SampleSet samplesIn(std::size_t first, std::size_t last) const;
    /// Chooses the samples of these bars, whichever is the first.
    void pickBins(SelectionChange how, std::size_t from, std::size_t to);
    void moveCursor(std::size_t to, Qt::KeyboardModifiers modifiers);
    QString binText(std::size_t bin) const;
    void fitAxes();
    void repaintBars();
    void paintEmpty(QPainter& painter) const;
    void paintBar(QPainter& painter, std::size_t bin) const;
    void paintBars(QPainter& painter) const;
    void paintOutline(QPainter& painter) const;

    ChartFrame* frame_;
    std::string columnId_;
    HistogramBins bins_;
    std::shared_ptr<const ModelAudit> binned_; ///< whose values the bins were chosen for
    std::vector<std::uint8_t> binOfRow_;       ///< kNoBin for none; looked up whenever something is counted
    std::vector<std::size_t> counts_;
    std::vector<std::size_t> rejected_;
    std::vector<std::size_t> selected_;
    std::vector<double> good_; ///< per bin, scaled to total_; empty for no outline
    Look look_;
    bool canBeLogarithmic_ = false;
    std::size_t total_ = 0;   ///< samples that are shown
    std::size_t missing_ = 0; ///< those among them that have no value
    std::optional<std::size_t> hoverBin_;
    std::optional<std::size_t> cursor_;   ///< where the arrow keys are
    std::optional<std::size_t> anchor_;   ///< where a range starts
    std::optional<std::size_t> dragLast_; ///< bar under the mouse while dragging
    GrowingChoice choice_;
    SelectionChange change_ = SelectionChange::Replace; ///< what the drag at hand does
};

} // namespace assay
