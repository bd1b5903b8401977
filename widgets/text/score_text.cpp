#include "widgets/text/score_text.h"

#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/number_format.h"
#include "widgets/text/names.h"

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

namespace {

/// Translation context of this file's texts.
struct ScoreDifferenceWords {
    Q_DECLARE_TR_FUNCTIONS(assay::ScoreDifference)
};

bool isKnown(const MetricDifference& difference) {
    return !std::isnan(difference.difference) && !std::isnan(difference.low) && !std::isnan(difference.high);
}

/// Why a score of two models has no difference that could be judged.
QString whyNone(const ModelAudit& first, const ModelAudit& second, const Metric& metric) {
    for (const ModelAudit* model : {&first, &second})
        if (const QString missing = missingReason(*model, metric); !missing.isEmpty())
            return QStringLiteral("%1: %2").arg(QString::fromStdString(model->name).toHtmlEscaped(), missing);
    if (metric.average == nullptr)
        return ScoreDifferenceWords::tr("No confidence interval: this is not a per-sample mean.");
    return ScoreDifferenceWords::tr("No interval of it was computed.");
}

} // namespace

QString differenceText(const MetricDifference& difference) {
    if (!isKnown(difference))
        return QStringLiteral("-");
    const QString value = formatNumber(difference.difference);
    return QStringLiteral("%1%2 [%3, %4]")
        .arg(difference.difference > 0.0 ? QStringLiteral("+") : QString(), value, formatNumber(difference.low),
             formatNumber(difference.high));
}

QString verdictText(const MetricDifference& difference, Direction better, double first, double second) {
    if (!difference.excludesZero())
        return {};
    const bool higher = difference.low > 0.0;
    if (better == Direction::Higher || better == Direction::Lower)
        return higher == (better == Direction::Higher) ? ScoreDifferenceWords::tr("better")
                                                       : ScoreDifferenceWords::tr("worse");
    if (better != Direction::Neutral) {
        const double best = better == Direction::NearestToZero ? 0.0 : better == Direction::NearestToHalf ? 0.5 : 1.0;
        if (first >= best && second >= best)
            return higher ? ScoreDifferenceWords::tr("farther") : ScoreDifferenceWords::tr("nearer");
        if (first <= best && second <= best)
            return higher ? ScoreDifferenceWords::tr("nearer") : ScoreDifferenceWords::tr("farther");
    }
    return higher ? ScoreDifferenceWords::tr("higher") : ScoreDifferenceWords::tr("lower");
}

QString differenceToolTip(const ModelAudit& first, const ModelAudit& second, const Metric& metric,
                          const MetricDifference* difference) {
    const QString name = QString::fromStdString(first.name).toHtmlEscaped();
    const QString other = QString::fromStdString(second.name).toHtmlEscaped();
    QString html = QStringLiteral("<b>%1 \u2212 %2</b>: ").arg(name, other);
    if (difference == nullptr || !isKnown(*difference)) {
        html += whyNone(first, second, metric);
    } else {
        html += ScoreDifferenceWords::tr("%1, 95 % interval").arg(differenceText(*difference)) + QStringLiteral("<br>");
        const QString verdict =
            verdictText(*difference, metric.better, metricOr(first, metric.id), metricOr(second, metric.id));
        const QString direction = directionText(metric.better);
        if (verdict.isEmpty())
            html += ScoreDifferenceWords::tr("The interval holds 0: the data do not tell the two apart.");
        else if (direction.isEmpty())
            html += ScoreDifferenceWords::tr("The interval excludes 0: %1 is %2.").arg(name, verdict);
        else
            html += ScoreDifferenceWords::tr("The interval excludes 0: %1 is %2 (%3).").arg(name, verdict, direction);
        html += QStringLiteral("<br>%1: %2<br>%3: %4")
                    .arg(name, fullScoreText(first, metric), other, fullScoreText(second, metric));
        for (const ModelAudit* model : {&first, &second})
            if (const QString concerns = concernText(*model); !concerns.isEmpty())
                html += QStringLiteral("<br><b>(!)</b> %1: %2")
                            .arg(QString::fromStdString(model->name).toHtmlEscaped(),
                                 concerns.toHtmlEscaped().replace('\n', QLatin1String(" ")));
    }
    return html + QStringLiteral("<hr>") + metricToolTip(metric);
}

QString sizeCaveat(const ModelAudit& first, const ModelAudit& second) {
    if (first.set->rows() == second.set->rows())
        return {};
    return ScoreDifferenceWords::tr(
               "Sets of %1 and %2 samples: coverage, recall, RCE and RE depend on the number of samples.")
        .arg(formatCount(first.set->rows()), formatCount(second.set->rows()));
}

} // namespace assay
