#include "widgets/text/names.h"

#include "engine/audit/findings/findings.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "widgets/common/number_format.h"
#include "widgets/text/score_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <limits>

namespace assay {
QString classText(const std::string& label) {
    const QString text = QString::fromStdString(label);
    bool isNumber = false;
    text.toDouble(&isNumber);
    return isNumber ? QCoreApplication::translate("assay::ClassText", "class %1").arg(text) : text;
}

QString briefClassText(const std::string& label) {
    constexpr qsizetype kMost = 40;
    const QString text = classText(label);
    return text.size() <= kMost ? text : text.left(kMost / 2) + QChar(0x2026) + text.right(kMost / 2 - 1);
}

namespace {

/// Translation context of this file's texts.
struct FeatureNameWords {
    Q_DECLARE_TR_FUNCTIONS(assay::FeatureName)
};

} // namespace

QString featureName(const EmbeddingSet& real, std::uint32_t feature) {
    const auto& names = real.source().columnNames;
    return feature < names.size() ? QString::fromStdString(names[feature])
                                  : FeatureNameWords::tr("feature %1").arg(formatCount(feature));
}

namespace {

constexpr std::size_t kMaxRows = 14; // a tooltip must not outgrow the screen with the catalogue

} // namespace

double metricOr(const ModelAudit& model, std::string_view id) {
    return model.hasMetric(id) ? model.metric(id) : std::numeric_limits<double>::quiet_NaN();
}

QString markedName(const ModelAudit& model) {
    const QString name = QString::fromStdString(model.name);
    return isMarked(model) ? QCoreApplication::translate("assay::ModelSummary", "%1 (!)").arg(name) : name;
}

QString concernText(const ModelAudit& model) {
    QStringList lines;
    for (const Finding& finding : model.findings)
        if (finding.marksModel)
            lines << QString::fromStdString(finding.sentence);
    return lines.join(QLatin1Char('\n'));
}

QString modelToolTip(const ModelAudit& model) {
    QString html = QStringLiteral("<b>%1</b>").arg(QString::fromStdString(model.name).toHtmlEscaped());
    if (!model.summary.empty())
        html += QStringLiteral("<p>%1%2</p>")
                    .arg(isMarked(model) ? QStringLiteral("<b>(!)</b> ") : QString(),
                         QString::fromStdString(model.summary).toHtmlEscaped());
    html += QStringLiteral("<table>");
    std::size_t rows = 0;
    for (const MetricValue& value : model.metrics)
        if (const Metric* metric = findMetric(value.id); metric && isShownToPeople(*metric) && ++rows <= kMaxRows)
            html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\">%2</td></tr>")
                        .arg(catalogText(metric->title).toHtmlEscaped(), fullScoreText(model, *metric));
    html += QStringLiteral("</table>");
    if (rows > kMaxRows)
        html += QCoreApplication::translate("assay::ModelSummary", "and %1 more among all scores")
                    .arg(formatCount(rows - kMaxRows));
    return html;
}

} // namespace assay
