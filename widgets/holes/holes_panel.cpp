#include "widgets/holes/holes_panel.h"

#include "engine/data/brief_text.h"
#include "engine/report/scores/explain.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/sample_group_card.h"
#include "widgets/link/sample_groups.h"
#include "widgets/text/names.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <utility>

namespace assay {
namespace {

constexpr qsizetype kClassesNamed = 3;
constexpr double kSmallestShare = 0.01; // of a hole, for a class to be named

/// The commonest classes: "class 6 (98.5 %), class 5 (1.1 %)"; empty without classes.
QString classText(const CoverageHole& hole) {
    QStringList named;
    for (const auto& [name, count] : hole.classes) {
        const double share = static_cast<double>(count) / static_cast<double>(hole.rows.size());
        if (named.size() == kClassesNamed || (!named.empty() && share < kSmallestShare))
            break;
        const QString text = HolesPanel::tr("%1 (%2)", "class, percentage");
        named.append(text.arg(briefClassText(name), formatParts(count, hole.rows.size() - count).first));
    }
    return named.join(HolesPanel::tr(", "));
}

/// Missed samples, each above the synthetic sample nearest to it.
std::vector<GridCell> examplesOf(const ViewState& state, const CoverageHole& hole) {
    std::vector<GridCell> cells;
    for (const std::uint32_t row : hole.examples) {
        const SampleId real{SetId::Real, row};
        const auto nearest = nearestSamples(*state.audit, state.model, real, Side::Synthetic, 1);
        if (!nearest.empty())
            cells.push_back({{{real}, {nearest.front().neighbor}}});
    }
    return cells;
}

} // namespace

HolesPanel::HolesPanel(PanelHost& host)
    : Panel(host), summary_(named<WrappingLabel>("holesSummary", this)), scroll_(newScroll(nullptr, this)) {
    setObjectName(QStringLiteral("holesPanel"));
    auto* write = newButton<QPushButton>(
        "holesExport", tr("Export list\u2026"),
        tr("Write the missed real samples with the number of their hole, for the next training run"), this);
    connect(write, &QPushButton::clicked, this, [this] { this->host().exportHoles(holes_); });
    auto* list = new QWidget(this);
    auto* bar = newLayout<QHBoxLayout>(nullptr, {6, 4, 6, 4});
    bar->addWidget(summary_, 1);
    bar->addWidget(write, 0, Qt::AlignTop);
    auto* column = newLayout<QVBoxLayout>(list, {}, 0);
    column->addLayout(bar);
    column->addWidget(scroll_, 1);
    setContent(list, tr("The real samples that the model does not make are shown here."));
}

void HolesPanel::showHoles(std::shared_ptr<const CoverageHoles> holes) {
    if (!holes || !state().hasModel() || holes->model.get() != &state().current() || holes == holes_)
        return;
    holes_ = std::move(holes);
    showList();
}

void HolesPanel::stateChanged(const Changes& changes) {
    if (!changes.model) {
        for (SampleGroupCard* card : cards_)
            card->setState(state());
        return;
    }
    if (holes_ && (!state().hasModel() || holes_->model.get() != &state().current()))
        holes_.reset();
    showList();
    if (state().hasModel() && state().current().hasColumn("coverage_verdict") && !holes_)
        askOfModel("holes", tr("Grouping missed real samples"), coverageHoles, &HolesPanel::showHoles);
}

void HolesPanel::showList() {
    cards_.clear();
    const bool grouped =
        state().hasModel() && state().audit->real->set->hasGroups() && state().current().hasColumn("coverage_verdict");
    missedGroups_ = grouped ? missedGroups(state()) : std::vector<bool>();
    auto* list = new QWidget;
    auto* column = newLayout<QVBoxLayout>(list, {6, 0, 6, 6}, 6);
    if (holes_)
        for (const CoverageHole& hole : std::span(holes_->holes).first(std::min(holes_->holes.size(), kMaxShown)))
            addCard(hole, list);
    column->addStretch(1);
    scroll_->setWidget(list);
    const QString name = state().hasModel() ? QString::fromStdString(briefText(state().current().name)) : QString();
    if (!state().hasModel())
        return;
    if (!state().current().hasColumn("coverage_verdict"))
        showMessage(tr("This audit has no verdicts on the real samples. A whole audit has them."));
    else if (!holes_)
        showMessage(tr("Grouping the missed real samples\u2026"));
    else if (holes_->missed == 0)
        showMessage(tr("No hole: %1 misses no real sample beyond chance.").arg(name));
    else if (cards_.empty())
        showMessage(tr("No hole: the %1 real samples that %2 misses lie apart from each other.")
                        .arg(formatCount(holes_->missed), name));
    if (!holes_ || cards_.empty())
        return;
    showContent();
    const auto all = state().audit->real->set->rows();
    QString text = tr("%1 misses %2 of %3 real samples, in %4 holes")
                       .arg(name, formatCount(holes_->missed), formatCount(all), formatCount(holes_->holes.size()));
    if (holes_->holes.size() == 1)
        text =
            tr("%1 misses %2 of %3 real samples, in one hole").arg(name, formatCount(holes_->missed), formatCount(all));
    if (!holes_->apart.empty())
        text += tr(" and %1 apart from these").arg(formatCount(holes_->apart.size()));
    text += QLatin1Char('.');
    if (holes_->holes.size() > kMaxShown)
        text += tr(" The largest %1 are shown.").arg(formatCount(kMaxShown));
    if (const auto missed = std::ranges::count(missedGroups_, true); missed > 0)
        text += tr(" %1 of %2 groups are missed as a whole.")
                    .arg(formatCount(static_cast<std::uint64_t>(missed)),
                         formatCount(state().audit->real->set->groups().classCount()));
    summary_->setText(text);
}

/// "Missed as a whole: patient12, patient7 and 3 more groups"; empty for none.
QString HolesPanel::missedGroupsText(const CoverageHole& hole) const {
    constexpr std::size_t kNamed = 3;
    if (missedGroups_.empty())
        return {};
    const ClassLabels& groups = state().audit->real->set->groups();
    std::set<std::uint32_t> missed;
    for (const std::uint32_t row : hole.rows)
        if (missedGroups_[groups.code[row]])
            missed.insert(groups.code[row]);
    QStringList named;
    for (const std::uint32_t code : missed)
        if (named.size() < static_cast<qsizetype>(kNamed))
            named << QString::fromStdString(briefText(groups.names[code]));
    if (named.isEmpty())
        return {};
    const QString names = named.join(tr(", "));
    return missed.size() <= kNamed
               ? tr("Missed as a whole: %1").arg(names)
               : tr("Missed as a whole: %1 and %2 more groups").arg(names, formatCount(missed.size() - kNamed));
}

void HolesPanel::addCard(const CoverageHole& hole, QWidget* list) {
    const std::size_t all = state().audit->real->set->rows();
    auto* card = new SampleGroupCard(host(), QStringLiteral("hole"),
                                     {.edge = 56,
                                      .pictures = Qt::Vertical,
                                      .stops = GridLook::Stops::Pictures,
                                      .extent = GridLook::Extent::Fit,
                                      .rowTitles = {tr("missed"), tr("nearest synthetic")}},
                                     tr("Select the real samples of this hole"), list);
    card->setObjectName(QStringLiteral("hole_%1").arg(cards_.size() + 1));
    const auto share = formatParts(hole.rows.size(), all - hole.rows.size()).first;
    QStringList lines{classText(hole), missedGroupsText(hole)};
    lines.removeAll(QString());
    card->show(state(),
               {.title = tr("%1 real samples (%2)").arg(formatCount(hole.rows.size()), share),
                .text = lines.join(QLatin1Char('\n')),
                .samples = SampleSet(SetId::Real, hole.rows),
                .examples = examplesOf(state(), hole),
                .examplesName = tr("Examples of missed real samples, each with the nearest synthetic sample")});
    list->layout()->addWidget(card);
    cards_.push_back(card);
}

} // namespace assay
