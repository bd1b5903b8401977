#pragma once

#include "engine/audit/result/audit_result.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// A curve that can be drawn of a model. Points into the audit and the catalogue, which it must not outlive.
struct CurveChoice {
    std::string key; ///< identifies the curve across models and audits
    std::string title;
    std::string note; ///< what it was made from; empty for curves of every audit
    const Curve* curve;
    const CurveValues* values;
    const RequestedCurve* demanded = nullptr; ///< null for a curve of every audit
};

/// Every curve of a model: those of every audit in the catalogue's order, then those on request, of the model
/// and of the whole audit. Empty for a model that is not there.
std::vector<CurveChoice> curveChoices(const AuditResult& audit, std::size_t model);

/// Warning, in a sentence, where the points of a choice use fewer than half the samples of the largest model; else
/// empty.
std::string curveCaveat(const AuditResult& audit, const CurveChoice& choice);

/// Meaning of the axes of a chart. Where neither says what sets the points of a line apart, as in a trade-off of two
/// scores, `alongTitle` does.
struct CurveAxes {
    std::string xTitle;
    Unit xUnit = Unit::Ratio;
    std::string yTitle;
    Unit yUnit = Unit::Ratio;
    std::string alongTitle{};
    Unit alongUnit = Unit::Ratio;
    bool logarithmicX = false; ///< where x is above 0
};

/// The axes that a choice's lines are drawn on.
CurveAxes curveAxes(const CurveChoice& choice);

/// One line to be drawn.
struct ChartLine {
    std::string name;                 ///< a metric's title with its unit, a model, or the curve's own title
    const Metric* metric = nullptr;   ///< whose values these are, if they are of one
    Unit unit;                        ///< of y
    std::optional<std::size_t> model; ///< whose it is, where the models' lines are drawn together
    std::size_t style;                ///< lines of one chart differ in it; the same for a model in every chart
    bool current = false;             ///< the current model's among those of all models
    const std::vector<double>* x;
    const CurveLine* line;
    bool ideal = false;                         ///< no score but the best there could be
    std::optional<std::size_t> controlOf{};     ///< the line, before it, that shows what this one would by chance
    const std::vector<double>* along = nullptr; ///< CurveAxes::alongTitle of every point, where there is such
    std::shared_ptr<const CurveValues> owned{}; ///< x and line, where they are made for the chart
};

/// The lines that a choice amounts to: first the ideal one, where the curve has such; then its own, each followed by
/// its control, or, where it has one alone, that of every model that has the curve.
std::vector<ChartLine> chartLines(const AuditResult& audit, std::size_t model, const CurveChoice& choice);

/// Whether values of these units can stand on one axis: shares and ratios can, nats and counts have their own.
bool shareAnAxis(Unit a, Unit b);

/// A value of the audit itself, put on the lines of a chart.
struct ChartMark {
    enum class Shape {
        Point,  ///< on a line
        Above,  ///< beyond a line's end, above it
        Below,  ///< likewise below it
        Landed, ///< mean coverage on the calibration's line
        OwnK    ///< the audit's own k: a line across the chart at x
    };

    Shape shape = Shape::Point;
    std::optional<std::size_t> line{}; ///< drawn while this one is; none: always
    double x = 0.0;
    double y = 0.0;
    std::optional<std::size_t> model{};                      ///< whose it is
    bool current = false;                                    ///< of the current model
    const Metric* metric = nullptr;                          ///< of the score
    double score = std::numeric_limits<double>::quiet_NaN(); ///< of the model, where the line is a relative one, too
    double end = std::numeric_limits<double>::quiet_NaN();   ///< of the line, where the score lies beyond it
};

/// Whether a choice is a bad-fraction curve.
bool isBadFraction(const CurveChoice& choice);

/// Marks of a choice's chart: on bad-fraction curves each model's own scores where they read as a share of
/// bad samples, or beside the end of the line that they lie beyond; on the calibration of coverage each model's mean
/// coverage, and the audit's own k. The current model's marks come last, so that they are drawn over the others.
/// @param lines of the same choice, as chartLines() gives them
std::vector<ChartMark> chartMarks(const AuditResult& audit, std::size_t model, const CurveChoice& choice,
                                  const std::vector<ChartLine>& lines);

} // namespace assay
