#include "widgets/inspector/score_list.h"

#include "engine/report/scores/explain.h"
#include "widgets/common/eliding_label.h"
#include "widgets/common/number_format.h"

#include <QGridLayout>
#include <QLabel>

#include <cmath>

namespace assay {
namespace {

constexpr int kPercentileFrom = 254; // logical pixels; a narrower list shows it in the tooltip of the value
constexpr int kWidestId = 90;        // of a sample among the scores

} // namespace

ScoreList::ScoreList(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setVerticalSpacing(2);
    grid_->setColumnStretch(0, 1);
}

void ScoreList::clear() {
    while (QLayoutItem* item = grid_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

void ScoreList::showScores(const ViewState& state, const ModelAudit& model, SampleId sample) {
    clear();
    const Side side = isReal(sample.set) ? Side::Real : Side::Synthetic;
    addCells(0, {tr("Score"), tr("value"), tr("percentile")},
             {QString(), QString(), tr("Where the value stands among all samples of this set, from 0, the lowest")},
             {});
    int line = 1;
    for (const ColumnValues& values : model.columns) {
        const Column& column = columnOf(values);
        if (column.side == side && sample.row < values.values.size())
            addScore(line++, *state.audit, column, values.values, sample.row);
    }
}

void ScoreList::addScore(int line, const AuditResult& audit, const Column& column, const std::vector<double>& values,
                         std::size_t row) {
    const QString definition = metricToolTip(column);
    const double value = values[row];
    QString text = formatValue(value, column);
    QString standing;
    QString rankHint;
    QString hint = definition;
    if (column.unit == Unit::Row) {
        if (!std::isnan(value)) {
            const auto id = QString::fromStdString(audit.real->set->idText(static_cast<std::size_t>(value)));
            text = fontMetrics().elidedText(id, Qt::ElideMiddle, kWidestId);
            hint = QStringLiteral("<b>%1</b><br>%2").arg(id.toHtmlEscaped(), definition);
        }
    } else if (const Standing stand = standingOf(values, row); stand.total > 0) {
        if (column.unit == Unit::YesNo || column.unit == Unit::Word) {
            standing = tr("like %1").arg(formatPercent(static_cast<double>(stand.equal) / double(stand.total)));
            rankHint = tr("%1 of %2 samples share this answer").arg(formatCount(stand.equal), formatCount(stand.total));
        } else {
            standing = QString::number(std::lround(100.0 * stand.percentile()));
            rankHint = tr("Percentile %1: %2 of %3 samples lie below, %4 share this value")
                           .arg(QString::number(std::lround(100.0 * stand.percentile())), formatCount(stand.below),
                                formatCount(stand.total), formatCount(stand.equal - 1));
        }
    }
    if (!rankHint.isEmpty())
        hint += QStringLiteral("<br>%1").arg(rankHint.toHtmlEscaped());
    addCells(line, {catalogText(column.title), text, standing}, {definition, hint, rankHint}, catalogText(column.id));
}

void ScoreList::addCells(int line, const std::array<QString, 3>& texts, const std::array<QString, 3>& hints,
                         const QString& name) {
    for (int at = 0; at < 3; ++at) {
        const auto index = static_cast<std::size_t>(at);
        auto* label = at == 0 ? new ElidingLabel(this) : new QLabel(this);
        label->setTextFormat(Qt::PlainText);
        label->setText(texts[index]);
        label->setToolTip(hints[index]);
        if (at == 2) {
            label->setForegroundRole(QPalette::PlaceholderText);
            label->setVisible(hasRoomForPercentiles());
        }
        if (at == 1 && !name.isEmpty())
            label->setObjectName(QStringLiteral("score_%1").arg(name));
        grid_->addWidget(label, line, at, (at == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
}

bool ScoreList::hasRoomForPercentiles() const {
    return width() >= kPercentileFrom;
}

void ScoreList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    for (int line = 0; line < grid_->rowCount(); ++line)
        if (QLayoutItem* cell = grid_->itemAtPosition(line, 2))
            cell->widget()->setVisible(hasRoomForPercentiles());
}

} // namespace assay
