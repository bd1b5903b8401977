#include "widgets/text/score_text.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/number_format.h"
#include "widgets/text/model_summary.h"

#include <QCoreApplication>

#include <cmath>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct ScoreTextWords {
    Q_DECLARE_TR_FUNCTIONS(assay::ScoreText)
};

} // namespace

QString scoreText(const ModelAudit& model, const Metric& metric) {
    return formatValue(metricOr(model, metric.id), metric.unit);
}

QString fullScoreText(const ModelAudit& model, const Metric& metric) {
    const QString value = formatWithUnit(metricOr(model, metric.id), metric.unit);
    const MetricInterval* interval = model.interval(metric.id);
    return interval ? ScoreTextWords::tr("%1 [%2, %3]")
                          .arg(value, formatValue(interval->low, metric.unit), formatValue(interval->high, metric.unit))
                    : value;
}

QString needsText(ResultType needed) {
    if (needed == needs::kHeldOut || needed == needs::kMembership)
        return ScoreTextWords::tr("a held-out real set");
    if (needed == needs::kUtility)
        return ScoreTextWords::tr("classes in both sets");
    if (needed == needs::kNumberUtility)
        return ScoreTextWords::tr("numbers as labels");
    if (needed == needs::kOneClass)
        return ScoreTextWords::tr("the one-class embedding");
    if (needed == needs::kSamples || needed == needs::kRows)
        return ScoreTextWords::tr("a full audit on one computer");
    if (needed == needs::kNearPairs)
        return ScoreTextWords::tr("a full audit");
    if (needed == needs::kVerdicts || needed == needs::kMissed)
        return ScoreTextWords::tr("a full audit with at least 20 neighbours of each sample");
    return ScoreTextWords::tr("the finished passes");
}

QString missingReason(const ModelAudit& model, const Metric& metric) {
    if (!std::isnan(metricOr(model, metric.id)))
        return {};
    if (model.hasMetric(metric.id))
        return ScoreTextWords::tr("Not defined for these sets.");
    if (!model.complete)
        return ScoreTextWords::tr("Is being computed.");
    if (metric.needs == needs::kTables)
        return ScoreTextWords::tr("Was not computed for this model.");
    return ScoreTextWords::tr("Needs %1, which this audit does not have.").arg(needsText(metric.needs));
}

QString directionMark(Direction better) {
    switch (better) {
    case Direction::Higher:
        return QStringLiteral("\u2191");
    case Direction::Lower:
        return QStringLiteral("\u2193");
    case Direction::NearestToZero:
        return QStringLiteral("\u2192\u20090");
    case Direction::NearestToHalf:
        return QStringLiteral("\u2192\u2009\u00bd");
    case Direction::NearestToOne:
        return QStringLiteral("\u2192\u20091");
    case Direction::Neutral:
        break;
    }
    return {};
}

QString directionText(Direction better) {
    switch (better) {
    case Direction::Higher:
        return ScoreTextWords::tr("higher is better");
    case Direction::Lower:
        return ScoreTextWords::tr("lower is better");
    case Direction::NearestToZero:
        return ScoreTextWords::tr("nearest to 0 is best");
    case Direction::NearestToHalf:
        return ScoreTextWords::tr("nearest to 0.5 is best");
    case Direction::NearestToOne:
        return ScoreTextWords::tr("nearest to 1 is best");
    case Direction::Neutral:
        break;
    }
    return {};
}

QString titleWithUnit(const Metric& metric) {
    const QString title = catalogText(metric.title);
    const QString unit = metric.unit == Unit::Nats ? unitName(metric.unit) : QString();
    return unit.isEmpty() || title.contains(unit, Qt::CaseInsensitive) ? title
                                                                       : ScoreTextWords::tr("%1 (%2)").arg(title, unit);
}

} // namespace assay
