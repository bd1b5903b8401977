#pragma once

#include "engine/audit/result/audit_result.h"
#include "tests/widgets/support/changed_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/charts/plot.h"
#include "widgets/curves/curve_legend.h"
#include "widgets/curves/curve_view.h"

#include <QComboBox>

#include <memory>
#include <string>
#include <vector>

namespace assay::test {

/// One line, 1 - x to some power, at ten even steps.
CurveValues calibration(double power);
/// k = 1 .. 20 of shares and of PCE in nats, which has a band.
CurveValues sensitivity();
/// Models with both, named as in fakeAudit or `name` and a number.
std::shared_ptr<AuditResult> auditWith(std::size_t models, const std::string& name = {});
/// The same audit but for one model's curves.
std::shared_ptr<AuditResult> withCurves(const std::shared_ptr<AuditResult>& audit, std::size_t model,
                                        std::vector<CurveValues> curves);

/// The view of an audit's curves, and what people do with it.
struct CurveWindow : ShownView<CurveView> {
    QComboBox* picker = view.findChild<QComboBox*>("curvePicker");
    Plot* chart = view.findChild<Plot*>("curveChart");
    CurveLegend* legend = view.findChild<CurveLegend*>("curveLegend");

    explicit CurveWindow(const ViewState& state, QSize size = {760, 420}) : ShownView(state, size) { settle(); }
    void settle();
    void setModel(std::size_t model);
    void pick(int at);
    void hover(QPoint point);
    void click(QPoint point);
    /// What the chart says of a point or a mark under the mouse.
    template <class... Place>
    QString readOutAt(const Place&... place) {
        hover(placeOf(place...));
        return chart->readOut();
    }
    void shoot(const QString& name) {
        settle();
        test::shoot(view, name);
    }
    void clickTick(int row);
    QStringList names() const;
    /// Whether the chart's library draws a line, of the first style, where the mouse would find it.
    bool isDrawnBetween(std::size_t line, std::size_t point);
    /// Where a point of a line is, and where a mark is, in the chart.
    QPoint placeOf(std::size_t line, std::size_t point) const { return chart->positionOf({line, point}).toPoint(); }
    QPoint placeOf(const ChartMark& mark) const { return chart->toWidget({mark.x, mark.y}).toPoint(); }
    const ChartAxis& x() const { return chart->xAxis(); }
    const ChartAxis& y() const { return chart->yAxis(); }
    std::size_t seriesCount() const { return chart->lineCount(); }
};

} // namespace assay::test
