#include "widgets/scores/scores_table.h"

#include "engine/audit/findings/findings.h"
#include "engine/audit/result/compare.h"
#include "engine/base/find_by.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/text/names.h"
#include "widgets/text/score_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace assay {
namespace {

const QString kBestMark = QStringLiteral("\u2022");
const QString kSuspiciousBestMark = QStringLiteral("\u25e6");
const QString kBetween = QStringLiteral(" \u2212 "); // of two names
constexpr int kModelLetters = 16;
constexpr int kMetricLetters = 34;

/// Translation context of this file's texts.
struct ScoresTable {
    Q_DECLARE_TR_FUNCTIONS(assay::ScoresTable)
};

/// Whether two values are equally good as they are written: a mark on one of two same figures would puzzle.
bool readAlike(const Metric& metric, double a, double b) {
    return formatValue(a, metric.unit) == formatValue(b, metric.unit) ||
           formatNumber(merit(metric.better, a)) == formatNumber(merit(metric.better, b));
}

/// The best value of a metric; NaN where none is better than the others as they are written.
double bestOf(const AuditResult& audit, const Metric& metric) {
    std::vector<double> values;
    for (const auto& model : audit.models)
        if (const double value = metricOr(*model, metric.id); !std::isnan(merit(metric.better, value)))
            values.push_back(value);
    const auto best = std::ranges::max_element(values, {}, [&](double value) { return merit(metric.better, value); });
    const bool differ = std::ranges::any_of(values, [&](double value) { return !readAlike(metric, value, *best); });
    return differ ? *best : std::numeric_limits<double>::quiet_NaN();
}

/// Which way is better, for the column "better" of a table of text.
QString betterField(Direction better) {
    switch (better) {
    case Direction::Higher:
        return ScoresTable::tr("higher");
    case Direction::Lower:
        return ScoresTable::tr("lower");
    case Direction::NearestToZero:
        return ScoresTable::tr("nearest to 0");
    case Direction::NearestToHalf:
        return ScoresTable::tr("nearest to 0.5");
    case Direction::NearestToOne:
        return ScoresTable::tr("nearest to 1");
    case Direction::Neutral:
        break;
    }
    return {};
}

QString fullNumber(double value) {
    return std::isnan(value) ? QString() : QString::number(value, 'g', QLocale::FloatingPointShortest);
}

/// What the cells are made from; never changes.
struct Scores : ScoresOf {
    explicit Scores(const ScoresOf& of) : ScoresOf(of), metrics(presentMetrics(of.audit.get())) {
        for (const Metric* metric : metrics)
            best.push_back(bestOf(*audit, *metric));
        if (other) // some milliseconds: the values behind the intervals are there
            differences = compareModels(currentModel(), otherModel());
    }

    const ModelAudit& currentModel() const { return *audit->models[current]; }
    const ModelAudit& otherModel() const { return *audit->models[*other]; }
    const Metric& metricAt(int row) const { return *metrics[static_cast<std::size_t>(row)]; }
    const MetricDifference* differenceAt(int row) const {
        return findBy(differences, &MetricDifference::id, metricAt(row).id);
    }
    bool isBest(int row, double value) const {
        const double top = best[static_cast<std::size_t>(row)];
        return !std::isnan(top) && !std::isnan(value) && readAlike(metricAt(row), value, top);
    }
    QStringList comparedNames() const { return {markedName(currentModel()), markedName(otherModel())}; }

    std::vector<const Metric*> metrics;
    std::vector<double> best; ///< of each row; NaN for none
    std::vector<MetricDifference> differences;
};
using ScoresPtr = std::shared_ptr<const Scores>;

TableCell metricCell(const Metric& metric) {
    const QString better = directionText(metric.better);
    const QString title = titleWithUnit(metric);
    TableCell cell{.text = title, .hint = metricToolTip(metric), .mark = directionMark(metric.better)};
    if (!better.isEmpty()) {
        cell.hint += QStringLiteral("<br>%1 %2").arg(directionMark(metric.better), better);
        cell.description = ScoresTable::tr("%1, %2").arg(title, better);
    }
    return cell;
}

QString scoreHint(const ModelAudit& model, const Metric& metric, bool isBest) {
    QString html = QStringLiteral("<b>%1</b>: ").arg(QString::fromStdString(model.name).toHtmlEscaped());
    const QString missing = missingReason(model, metric);
    html += missing.isEmpty() ? fullScoreText(model, metric) : missing;
    if (missing.isEmpty() && model.interval(metric.id))
        html += ScoresTable::tr(", 95 % interval");
    if (isBest) {
        html += QStringLiteral("<br>") + ScoresTable::tr("Best of these models: %1.").arg(directionText(metric.better));
        if (const QString concerns = concernText(model); !concerns.isEmpty())
            html += QStringLiteral("<br>") +
                    ScoresTable::tr("But beware: %1").arg(concerns.toHtmlEscaped().replace('\n', QLatin1String(" ")));
    }
    return html + QStringLiteral("<hr>") + metricToolTip(metric);
}

QString modelHint(const ModelAudit& model, bool isCurrent) {
    const QString concerns = concernText(model).toHtmlEscaped().replace('\n', QLatin1String("<br>"));
    return QStringLiteral("<b>%1</b><br>%2%3")
        .arg(QString::fromStdString(model.name).toHtmlEscaped(),
             concerns.isEmpty() ? QString() : concerns + QStringLiteral("<br>"),
             isCurrent ? ScoresTable::tr("The current model.")
                       : ScoresTable::tr("Click to make it the current model."));
}

TableColumn modelColumn(const ScoresPtr& scores, std::size_t at) {
    const auto model = scores->audit->models[at];
    const QString name = QString::fromStdString(model->name);
    const bool isCurrent = at == scores->current;
    const bool isSuspicious = isMarked(*model);
    TableColumn column{.title = markedName(*model), .hint = modelHint(*model, isCurrent)};
    column.cell = [=](int row) {
        const Metric& metric = scores->metricAt(row);
        const bool isBest = scores->isBest(row, metricOr(*model, metric.id));
        return TableCell{.text = scoreText(*model, metric),
                         .hint = scoreHint(*model, metric, isBest),
                         .isBold = isBest,
                         .mark = !isBest        ? QString()
                                 : isSuspicious ? kSuspiciousBestMark
                                                : kBestMark};
    };
    column.names = {name};
    column.suffix = isSuspicious ? markedName(*model).mid(name.size()) : QString();
    column.least = 10;
    column.most = kModelLetters;
    if (isCurrent) {
        column.isBold = true;
        column.bar = colors::synthetic;
        column.tint = colors::synthetic;
    }
    return column;
}

TableColumn differenceColumn(const ScoresPtr& scores) {
    TableColumn column{.title = scores->comparedNames().join(kBetween)};
    column.hint = QStringLiteral("<b>%1</b><br>").arg(column.title.toHtmlEscaped()) +
                  ScoresTable::tr("How much higher each score of the current model is, with the 95 % interval of the "
                                  "difference (both models are compared with the same parts of the real set). Bold, "
                                  "with a word: the interval excludes 0, so the models differ. One score in twenty "
                                  "does so by chance.");
    column.names = scores->comparedNames();
    column.most = 3 * kModelLetters;
    column.cell = [scores](int row) {
        const Metric& metric = scores->metricAt(row);
        const MetricDifference* difference = scores->differenceAt(row);
        TableCell cell{.text = difference ? differenceText(*difference) : QStringLiteral("-"),
                       .ink = colors::mutedText};
        cell.hint = differenceToolTip(scores->currentModel(), scores->otherModel(), metric, difference);
        if (difference)
            cell.lead = verdictText(*difference, metric.better, metricOr(scores->currentModel(), metric.id),
                                    metricOr(scores->otherModel(), metric.id));
        if (!cell.lead.isEmpty()) {
            cell.isBold = true;
            cell.ink = {};
            cell.description = ScoresTable::tr("%1, %2").arg(cell.text, cell.lead);
        }
        return cell;
    };
    return column;
}

QStringList copiedHeadings(const Scores& scores) {
    QStringList headings{ScoresTable::tr("score"), ScoresTable::tr("id"), ScoresTable::tr("unit"),
                         ScoresTable::tr("better")};
    for (const auto& model : scores.audit->models)
        headings << QString::fromStdString(model->name);
    if (scores.other)
        headings << scores.comparedNames().join(QStringLiteral(" - ")) << ScoresTable::tr("95 % low")
                 << ScoresTable::tr("95 % high") << ScoresTable::tr("excludes 0");
    return headings;
}

QStringList copiedFields(const Scores& scores, int row) {
    const Metric& metric = scores.metricAt(row);
    QStringList fields{catalogText(metric.title), catalogText(metric.id), unitName(metric.unit),
                       betterField(metric.better)};
    for (const auto& model : scores.audit->models)
        fields << fullNumber(metricOr(*model, metric.id));
    if (!scores.other)
        return fields;
    if (const MetricDifference* of = scores.differenceAt(row); of && !std::isnan(of->low))
        return fields << fullNumber(of->difference) << fullNumber(of->low) << fullNumber(of->high)
                      << (of->excludesZero() ? ScoresTable::tr("yes") : ScoresTable::tr("no"));
    return fields << QString() << QString() << QString() << QString();
}

/// Metrics of the catalogue that people see, by whether some model has them.
std::vector<const Metric*> metricsOf(const AuditResult* audit, bool arePresent) {
    std::vector<const Metric*> metrics;
    for (const Metric& metric : metricCatalog()) {
        if (audit == nullptr || audit->models.empty() || !isShownToPeople(metric))
            continue;
        const auto hasIt = [&](const auto& model) { return model->hasMetric(metric.id); };
        if (std::ranges::any_of(audit->models, hasIt) == arePresent)
            metrics.push_back(&metric);
    }
    return metrics;
}

} // namespace

std::vector<const Metric*> presentMetrics(const AuditResult* audit) {
    return metricsOf(audit, true);
}

std::vector<const Metric*> absentMetrics(const AuditResult* audit) {
    return metricsOf(audit, false);
}

TableContent scoresTable(const ScoresOf& of) {
    if (!of.audit || of.audit->models.empty())
        return {};
    const auto scores = std::make_shared<const Scores>(of);
    TableContent content{.rows = static_cast<int>(scores->metrics.size()), .isSortable = false};
    content.names = {.cell = [scores](int row) { return metricCell(scores->metricAt(row)); },
                     .side = Qt::AlignLeft,
                     .elide = Qt::ElideRight,
                     .most = kMetricLetters};
    for (std::size_t model = 0; model < of.audit->models.size(); ++model)
        content.columns.push_back(modelColumn(scores, model));
    if (of.other)
        content.columns.push_back(differenceColumn(scores));
    content.search = [scores](int row) {
        const Metric& metric = scores->metricAt(row);
        return QStringList({titleWithUnit(metric), catalogText(metric.id), catalogText(metric.definition),
                            catalogText(metric.source), catalogText(metric.synonyms)})
            .join(QLatin1Char('\n'));
    };
    content.copy = [scores](int row) { return copiedFields(*scores, row); };
    content.copyHeadings = copiedHeadings(*scores);
    return content;
}

} // namespace assay
