#include "widgets/link/useful_of_kept.h"

#include "engine/audit/result/audit_result.h"
#include "engine/subsets/what_if/kept_audit.h"
#include "widgets/common/number_format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct UsefulWords {
    Q_DECLARE_TR_FUNCTIONS(assay::UsefulOfKept)
};

/// An interval of the very same samples: audits of the samples that were kept before may still be there.
const MetricInterval* intervalOf(const ModelAudit* audit, std::string_view id, double value) {
    return audit != nullptr && audit->hasMetric(id) && audit->metric(id) == value ? audit->interval(id) : nullptr;
}

void addInterval(IntervalRow& row, const MetricInterval* interval, const std::function<QString(double)>& text) {
    if (interval == nullptr || std::isnan(interval->low))
        return;
    row.low = interval->low;
    row.high = interval->high;
    row.toolTip += UsefulWords::tr("<br>95 % interval %1 to %2").arg(text(row.low), text(row.high));
}

QString toolTipOf(const QString& name, const QString& value) {
    return UsefulWords::tr("<b>%1</b>: %2").arg(name.toHtmlEscaped(), value);
}

} // namespace

const UsefulOfKept* usefulOfKept(const ViewState& state) {
    const UsefulOfKept* known = state.computed.usefulOfKept.get();
    return known != nullptr && state.kept && known->kept == state.kept ? known : nullptr;
}

bool keepsSome(const ViewState& state) {
    return state.hasModel() && state.kept && std::ranges::find(*state.kept, true) != state.kept->end() &&
           std::ranges::find(*state.kept, false) != state.kept->end();
}

IntervalRow metricRow(const ViewState& state, std::string_view id, const QString& name,
                      const std::function<QString(double)>& text) {
    const ModelAudit& model = state.current();
    IntervalRow row{name, IntervalRow::Mark::Synthetic};
    row.value = model.hasMetric(id) ? model.metric(id) : IntervalRow::kNone;
    row.text = std::isnan(row.value) ? QStringLiteral("-") : text(row.value);
    row.toolTip = toolTipOf(name, row.text);
    addInterval(row, model.interval(id), text);
    return row;
}

std::vector<IntervalRow> usefulRows(const ViewState& state, const UsefulMetric& metric,
                                    const std::function<QString(double)>& text) {
    std::vector<IntervalRow> rows{metricRow(state, metric.id, QString::fromStdString(state.current().name), text)};
    if (!keepsSome(state))
        return rows;
    const auto count = static_cast<std::size_t>(std::ranges::count(*state.kept, true));
    const UsefulOfKept* known = usefulOfKept(state);
    const KeptAudit* audits = state.computed.keptAudits.get();
    const auto add = [&](IntervalRow::Mark mark, const QString& name, const UsefulScores* scores,
                         const ModelAudit* audit) {
        IntervalRow row{name, mark};
        if (known == nullptr)
            row.text = QStringLiteral("\u2026");
        else if (scores == nullptr || !(scores->*metric.ofKept))
            row.text = QStringLiteral("-");
        else
            row.text = text(row.value = *(scores->*metric.ofKept));
        row.toolTip = toolTipOf(name, row.text);
        addInterval(row, intervalOf(audit, metric.id, row.value), text);
        rows.push_back(row);
    };
    const bool has = known != nullptr && known->scores;
    add(IntervalRow::Mark::Kept, UsefulWords::tr("%1 kept").arg(formatCount(count)),
        has ? &known->scores->kept : nullptr, audits != nullptr ? audits->kept.get() : nullptr);
    add(IntervalRow::Mark::Random, UsefulWords::tr("%1 at random").arg(formatCount(count)),
        has ? &known->scores->random : nullptr, audits != nullptr ? audits->random.get() : nullptr);
    return rows;
}

} // namespace assay
