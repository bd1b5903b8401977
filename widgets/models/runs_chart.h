#pragma once

#include "engine/audit/result/model_runs.h"
#include "engine/metrics/tables/metric.h"
#include "widgets/link/view_state.h"

#include <QPointF>
#include <QWidget>

#include <optional>
#include <span>
#include <vector>

namespace assay {

class ChartFrame;

/// The runs among the models of an audit. Empty without an audit.
std::vector<ModelRun> runsOf(const ViewState& state);
/// A run as people read it: its models' names with "…" in place of what varies.
QString runTitle(const ModelRun& run);

/// Runs that can be drawn beside one: those whose numbers are of the same parameter, without models of it.
std::vector<ModelRun> runsBeside(const ModelRun& run, std::span<const ModelRun> all);

/// One score over the number in the names of a run's models: a line through points with 95 % intervals. Other runs are
/// dashed lines through squares. The current model is ringed. A click on a point, or the left and right arrow keys,
/// make another model the current one.
class RunsChart : public QWidget {
    Q_OBJECT

public:
    explicit RunsChart(QWidget* parent);

    /// @param runs of the state's audit, the one in hand first; none: shows nothing
    void show(const ViewState& state, std::vector<ModelRun> runs, const Metric* metric);
    /// Where the point of one of a run's models is, in this widget's coordinates; nothing where it has no value.
    /// @param run index into those that are shown
    std::optional<QPointF> pointOf(std::size_t place, std::size_t run = 0) const;
    const std::vector<ModelRun>& runs() const noexcept { return runs_; }
    /// Paints the line and the mark of a run into a box of a legend.
    static void paintSample(QPainter& painter, const QRectF& box, std::size_t run, const QPalette& palette);
    /// Colour of a run.
    static QColor colorOf(std::size_t run, const QPalette& palette);
    const ChartFrame& frame() const noexcept { return *frame_; }

    QSize sizeHint() const override { return {400, 260}; }

signals:
    void modelChosen(std::size_t model);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Place {
        std::size_t run = 0, point = 0;
    };

    bool isShown() const { return !runs_.empty() && metric_ != nullptr; }
    const RunPoint& pointAt(Place place) const { return runs_[place.run].points[place.point]; }
    const ModelAudit& modelAt(Place place) const { return *state_.audit->models[pointAt(place).model]; }
    double valueOf(Place place) const;
    void setAxes();
    void paint(QPainter& painter) const;
    void paintRun(QPainter& painter, std::size_t run) const;
    void paintInterval(QPainter& painter, Place place) const;
    std::optional<Place> placeAt(QPoint point) const;
    void explain(QPoint point, QPoint globalPoint);

    ChartFrame* frame_;
    ViewState state_;
    std::vector<ModelRun> runs_; ///< the one in hand first
    const Metric* metric_ = nullptr;
};

} // namespace assay
