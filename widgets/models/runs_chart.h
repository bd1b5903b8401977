#pragma once

#include "engine/audit/result/model_runs.h"
#include "engine/metrics/tables/metric.h"
#include "widgets/link/linked_view.h"

#include <QPointF>
#include <QWidget>

#include <optional>
#include <vector>

namespace assay {

class ChartFrame;

/// The runs among the models of an audit. Empty without an audit.
std::vector<ModelRun> runsOf(const ViewState& state);
/// A run as people read it: its models' names with "…" in place of what varies.
QString runTitle(const ModelRun& run);

/// One score over the number in the names of a run's models: a line through points with 95 % intervals. The current
/// model is ringed. A click on a point, or the left and right arrow keys, make another model the current one.
class RunsChart : public QWidget {
    Q_OBJECT

public:
    explicit RunsChart(QWidget* parent);

    /// @param run of the state's audit; null: shows nothing
    void show(const ViewState& state, const ModelRun* run, const Metric* metric);
    /// Where the point of one of the run's models is, in this widget's coordinates; nothing where it has no value.
    std::optional<QPointF> pointOf(std::size_t place) const;
    const ChartFrame& frame() const noexcept { return *frame_; }

    QSize sizeHint() const override { return {400, 260}; }

signals:
    void modelChosen(std::size_t model);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    const ModelAudit& modelAt(std::size_t place) const;
    double valueOf(std::size_t place) const;
    void setAxes();
    void paint(QPainter& painter) const;
    std::optional<std::size_t> placeAt(QPoint point) const;
    void explain(QPoint point, QPoint globalPoint);

    ChartFrame* frame_;
    ViewState state_;
    std::optional<ModelRun> run_;
    const Metric* metric_ = nullptr;
};

} // namespace assay
