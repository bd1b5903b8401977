#include "tests/widgets/support/scores_window.h"

#include "engine/metrics/catalog/catalog.h"
#include "tests/widgets/support/fake_audit.h"

#include <QHeaderView>
#include <QtTest>

namespace assay::test {

std::shared_ptr<const AuditResult> auditWithMetrics(const std::vector<std::vector<MetricValue>>& metrics,
                                                    const std::string& name) {
    auto audit = std::make_shared<AuditResult>(*fakeAudit({.models = 1}));
    const auto base = audit->models[0];
    audit->models.clear();
    for (const auto& values : metrics) {
        auto model = std::make_shared<ModelAudit>(*base);
        model->name = name + "-" + std::to_string(audit->models.size());
        model->metrics = values;
        for (const MetricValue& always : {MetricValue{"clipped_density", 0.9}, MetricValue{"clipped_coverage", 0.9},
                                          MetricValue{"authenticity", 0.9}})
            if (!model->hasMetric(always.id))
                model->metrics.push_back(always);
        if (model->metric("authenticity") < 0.25) {
            model->findings = {copiesFinding(1.0 - model->metric("authenticity"))};
            model->summary = model->findings.front().sentence;
        }
        audit->models.push_back(model);
    }
    return audit;
}

std::shared_ptr<const AuditResult> fullAudit(std::size_t models) {
    std::vector<std::vector<MetricValue>> metrics(models);
    for (std::size_t m = 0; m < models; ++m)
        for (const Metric& metric : metricCatalog()) {
            const double share = static_cast<double>(metrics[m].size() % 7 + m + 1) / 20.0;
            const double scale = metric.unit == Unit::Nats ? 87.0 : metric.unit == Unit::Count ? 5000.0 : 1.0;
            metrics[m].push_back({metric.id, share * scale});
        }
    return auditWithMetrics(metrics, "stable-diffusion-v2-guidance-7.5-steps-50");
}

QStringList ScoresWindow::titles() const {
    QStringList result;
    for (int row = 0; row < model()->rowCount(); ++row)
        result << model()->headerData(row, Qt::Vertical).toString();
    return result;
}

void ScoresWindow::compareWith(int entry) const {
    compare->setFocus();
    QTest::keyClick(compare, Qt::Key_Home);
    for (int down = 0; down < entry; ++down)
        QTest::keyClick(compare, Qt::Key_Down);
    QCoreApplication::processEvents();
}

void ScoresWindow::clickHeader(int column) {
    QHeaderView* header = table->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                      QPoint(header->sectionViewportPosition(column) + 12, header->height() / 2));
}

} // namespace assay::test
