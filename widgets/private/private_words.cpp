#include "widgets/private/private_words.h"

#include "engine/audit/findings/findings.h"
#include "engine/data/brief_text.h"
#include "engine/subsets/order/listed_pairs.h"
#include "widgets/charts/figure.h"
#include "widgets/common/number_format.h"
#include "widgets/link/useful_of_kept.h"

#include <QCoreApplication>

#include <cmath>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct PrivatePanelWords {
    Q_DECLARE_TR_FUNCTIONS(assay::PrivatePanel)
};

double valueOf(const ModelAudit& model, const std::string& id) {
    return model.hasMetric(id) ? model.metric(id) : IntervalRow::kNone;
}

QString numberIn(double value) {
    return std::isnan(value) ? QString() : dataNumber(value);
}

IntervalRow distanceRow(const ModelAudit& model, const std::string& distance, const std::string& ending,
                        const QString& name) {
    IntervalRow row{name, ending.empty() ? IntervalRow::Mark::Synthetic : IntervalRow::Mark::Real};
    row.low = valueOf(model, distance + "_5" + ending);
    row.value = row.high = valueOf(model, distance + "_median" + ending);
    row.text = std::isnan(row.value)
                   ? QStringLiteral("-")
                   : PrivatePanelWords::tr("%1 to %2").arg(formatNumber(row.low), formatNumber(row.value));
    row.toolTip =
        PrivatePanelWords::tr("<b>%1</b><br>5 % of the samples are nearer than %2, half of them nearer than %3.")
            .arg(name.toHtmlEscaped(), formatNumber(row.low), formatNumber(row.value));
    return row;
}

} // namespace

QString privateHint(const ViewState& state) {
    if (!state.hasModel())
        return PrivatePanelWords::tr("You see here whether the synthetic set reveals which samples the model was "
                                     "trained on. It needs a held-out set.");
    if (state.audit->heldOut == nullptr)
        return PrivatePanelWords::
            tr("You would see here whether %1 gives training samples away, and which samples are most exposed.\nThat "
               "needs a held-out set: real samples that the model was not trained on.")
                .arg(QString::fromStdString(briefText(state.current().name)));
    return state.current().complete ? QString::fromStdString(privateSentence(*state.audit, state.current()))
                                    : PrivatePanelWords::tr("Measuring distances\u2026");
}

QString privateKeptSentence(const ViewState& state) {
    if (!keepsSome(state))
        return {};
    const UsefulOfKept* known = usefulOfKept(state);
    if (known == nullptr)
        return PrivatePanelWords::tr("Measuring the kept samples, and as many at random\u2026");
    if (!known->scores || !known->scores->kept.membershipAuc || !known->scores->random.membershipAuc)
        return PrivatePanelWords::tr("Membership inference was not computed for the kept samples.");
    return PrivatePanelWords::tr("The %1 kept samples: AUC %2; as many at random: %3.")
        .arg(formatCount(known->scores->kept.rows), formatNumber(*known->scores->kept.membershipAuc),
             formatNumber(*known->scores->random.membershipAuc));
}

QString exposedSummary(const ListedPairs& pairs) {
    if (!pairs.hasLists())
        return PrivatePanelWords::tr("Ranking the real samples\u2026");
    if (pairs.size() == 0)
        return pairs.all().pairs.empty()
                   ? PrivatePanelWords::tr("This audit holds no lists of neighbours to find samples in.")
                   : PrivatePanelWords::tr("No sample passes the filter. Show all (Ctrl+Shift+L).");
    const std::size_t guessed = pairs.size() / 100;
    return PrivatePanelWords::tr(
               "%1 of %2 real samples can be identified with 1 % false alarms (marked); guessing finds "
               "%3.")
        .arg(formatCount(pairs.remarkable()), formatCount(pairs.size()), formatCount(guessed));
}

std::vector<IntervalRow> distanceRows(const ViewState& state, const std::string& distance) {
    const ModelAudit& model = state.current();
    return {distanceRow(model, distance, "", QString::fromStdString(model.name)),
            distanceRow(model, distance, "_held_out", PrivatePanelWords::tr("held-out"))};
}

TableContent groupContent(const ViewState& state, const std::vector<GroupUse>& groups) {
    const auto real = static_cast<double>(state.audit->real->set->rows());
    const auto synthetic = static_cast<double>(state.current().set->rows());
    const auto cells = cellsOf(groups);
    const auto count = [&](std::size_t GroupUse::*of) {
        return cells(
            [of](const GroupUse& group) { return cellOf(formatCount(group.*of), static_cast<double>(group.*of)); });
    };
    const auto share = [&](std::size_t GroupUse::*of, double all, Side side) {
        return cells([of, all, side](const GroupUse& group) -> TableCell {
            const double part = static_cast<double>(group.*of) / all;
            return {.text = formatTenths(part), .sort = part, .graphic = CellShare{part, side}};
        });
    };
    TableContent content{.rows = static_cast<int>(groups.size()), .sortedBy = 1, .sortedOrder = Qt::DescendingOrder};
    content.names = {.title = PrivatePanelWords::tr("Group"),
                     .hint = PrivatePanelWords::tr("Real samples that belong together. A click selects them, and the "
                                                   "synthetic samples nearest to them."),
                     .cell = cells([](const GroupUse& group) {
                         const QString name = QString::fromStdString(briefText(group.name));
                         return textCell(name, name);
                     }),
                     .side = Qt::AlignLeft,
                     .most = 20};
    content.columns = {
        {.title = PrivatePanelWords::tr("Real"),
         .hint = PrivatePanelWords::tr("Real samples of the group"),
         .cell = count(&GroupUse::realRows),
         .leavesAt = 1},
        {.title = PrivatePanelWords::tr("Nearest"),
         .hint = PrivatePanelWords::tr("Synthetic samples whose nearest real sample is of the group"),
         .cell = count(&GroupUse::nearest)},
        {.title = PrivatePanelWords::tr("Share"),
         .hint = PrivatePanelWords::tr("These as a share of all synthetic samples"),
         .cell = share(&GroupUse::nearest, synthetic, Side::Synthetic)},
        {.title = PrivatePanelWords::tr("Share of real"),
         .hint = PrivatePanelWords::tr("The group\u2019s share of the real samples. A group whose synthetic share is "
                                       "much larger is drawn from too often."),
         .cell = share(&GroupUse::realRows, real, Side::Real)}};
    return content;
}

void addMembershipData(std::vector<QStringList>& data, const QString& metric, const std::vector<IntervalRow>& rows) {
    for (const IntervalRow& row : rows)
        data.push_back({metric, row.name, numberIn(row.value), numberIn(row.low), numberIn(row.high)});
}

void addDistanceData(std::vector<QStringList>& data, const ViewState& state) {
    const ModelAudit& model = state.current();
    for (const char* id : {"dcr_5", "dcr_median", "nndr_5", "nndr_median"}) {
        data.push_back({QLatin1String(id), QString::fromStdString(model.name), numberIn(valueOf(model, id)), {}, {}});
        data.push_back({QLatin1String(id),
                        PrivatePanelWords::tr("held-out"),
                        numberIn(valueOf(model, std::string(id) + "_held_out")),
                        {},
                        {}});
    }
}

} // namespace assay
