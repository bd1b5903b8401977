#include "widgets/model_summary.h"

#include "engine/audit/explain.h"
#include "widgets/number_format.h"

#include <QStringList>

#include <limits>

namespace assay {

double metricOr(const ModelAudit& model, std::string_view id) {
    for (const MetricValue& metric : model.metrics)
        if (metric.id == id)
            return metric.value;
    return std::numeric_limits<double>::quiet_NaN();
}

QString concernText(const ModelAudit& model) {
    QStringList lines;
    for (const Concern& concern : modelConcerns(model))
        lines << QString::fromStdString(concern.sentence);
    return lines.join(QLatin1Char('\n'));
}

QString modelToolTip(const ModelAudit& model) {
    QString html = QStringLiteral("<b>%1</b>").arg(QString::fromStdString(model.name).toHtmlEscaped());
    const QString concerns = concernText(model);
    if (!concerns.isEmpty())
        html += QStringLiteral("<p><b>(!)</b> %1</p>").arg(concerns.toHtmlEscaped().replace('\n', "<br>"));
    html += QStringLiteral("<table>");
    for (const MetricValue& value : model.metrics)
        if (const Metric* metric = findMetric(value.id))
            html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\">%2</td></tr>")
                        .arg(catalogText(metric->title).toHtmlEscaped(), formatWithUnit(value.value, metric->unit));
    return html + QStringLiteral("</table>");
}

} // namespace assay
