#pragma once

#include "engine/audit/result/audit_result.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/scores/scores_panel.h"
#include "widgets/tables/table_view.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include <memory>
#include <string>
#include <vector>

namespace assay::test {

/// Models with these metrics each, and those that every audit has.
std::shared_ptr<const AuditResult> auditWithMetrics(const std::vector<std::vector<MetricValue>>& metrics,
                                                    const std::string& name = "model");

/// Many models with every metric of the catalogue.
std::shared_ptr<const AuditResult> fullAudit(std::size_t models);

/// The table of all scores, and what people do with it.
struct ScoresWindow : ShownView<ScoresPanel> {
    TableView* table = view.findChild<TableView*>("scoresTable");
    QLineEdit* search = view.findChild<QLineEdit*>("scoresSearch");
    QComboBox* compare = view.findChild<QComboBox*>("scoresCompare");
    QLabel* sizes = view.findChild<QLabel*>("scoresSizes");

    explicit ScoresWindow(const ViewState& state, QSize size = {640, 420}) : ShownView(state, size) {}
    QAbstractItemModel* model() const { return table->model(); }
    QStringList titles() const;
    int row(const char* title) const { return static_cast<int>(titles().indexOf(QString(title))); }
    QString cell(int row, int column) const { return model()->index(row, column).data().toString(); }
    QString hint(int row, int column) const { return model()->index(row, column).data(Qt::ToolTipRole).toString(); }
    TableCell shown(int row, int column) const { return table->rows().cell(model()->index(row, column)); }
    bool isBest(int row, int column) const { return !shown(row, column).mark.isEmpty(); }
    QString verdict(int row, int column) const { return shown(row, column).lead; }
    bool isCurrent(int column) const { return table->content().column(column).isBold; }
    QString name(int column) const { return model()->headerData(column, Qt::Horizontal).toString(); }
    /// Chooses by keys, as a person would: the first entry of the list is no other model.
    void compareWith(int entry) const;
    void clickHeader(int column);
};

} // namespace assay::test
