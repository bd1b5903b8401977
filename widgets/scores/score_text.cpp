#include "widgets/scores/score_text.h"

#include "widgets/common/number_format.h"
#include "widgets/models/model_summary.h"

#include <QCoreApplication>

#include <cmath>

namespace assay {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("assay::ScoreText", text);
}

} // namespace

QString scoreText(const ModelAudit& model, const Metric& metric) {
    return formatValue(metricOr(model, metric.id), metric.unit);
}

QString fullScoreText(const ModelAudit& model, const Metric& metric) {
    const QString value = formatWithUnit(metricOr(model, metric.id), metric.unit);
    const MetricInterval* interval = model.interval(metric.id);
    return interval ? tr("%1 [%2, %3]")
                          .arg(value, formatValue(interval->low, metric.unit), formatValue(interval->high, metric.unit))
                    : value;
}

QString needsText(Needs needs) {
    switch (needs) {
    case Needs::HeldOut:
        return tr("a held-out real set");
    case Needs::OneClass:
        return tr("the one-class embedding");
    case Needs::Samples:
    case Needs::Rows:
        return tr("all rows of both sets in one place");
    case Needs::NearPairs:
        return tr("the pairs that no table lists");
    case Needs::Verdicts:
    case Needs::Missed:
        return tr("tables of at least 20 neighbours");
    case Needs::Tables:
        break;
    }
    return tr("the finished passes");
}

QString missingReason(const ModelAudit& model, const Metric& metric) {
    if (!std::isnan(metricOr(model, metric.id)))
        return {};
    if (model.hasMetric(metric.id))
        return tr("Not defined for these sets.");
    if (metric.needs == Needs::Tables)
        return tr("Was not computed for this model.");
    return tr("Needs %1, which this audit does not have.").arg(needsText(metric.needs));
}

QString directionMark(Direction better) {
    switch (better) {
    case Direction::Higher:
        return QStringLiteral("\u2191");
    case Direction::Lower:
        return QStringLiteral("\u2193");
    case Direction::NearestToZero:
        return QStringLiteral("\u2192\u20090");
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
        return tr("higher is better");
    case Direction::Lower:
        return tr("lower is better");
    case Direction::NearestToZero:
        return tr("nearest to 0 is best");
    case Direction::NearestToOne:
        return tr("nearest to 1 is best");
    case Direction::Neutral:
        break;
    }
    return {};
}

QString titleWithUnit(const Metric& metric) {
    const QString title = catalogText(metric.title);
    const QString unit = metric.unit == Unit::Nats ? unitName(metric.unit) : QString();
    return unit.isEmpty() || title.contains(unit, Qt::CaseInsensitive) ? title : tr("%1 (%2)").arg(title, unit);
}

} // namespace assay
