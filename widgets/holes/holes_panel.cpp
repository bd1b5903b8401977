#include "widgets/holes/holes_panel.h"

#include "engine/data/brief_text.h"
#include "engine/report/scores/explain.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"
#include "widgets/link/sample_selection.h"
#include "widgets/samples/sample_grid.h"
#include "widgets/text/class_text.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
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

QPushButton* holeButton(const QString& name, const QString& text, QWidget* parent) {
    auto* made = new QPushButton(text, parent);
    made->setObjectName(name);
    return made;
}

} // namespace

HolesPanel::HolesPanel(PanelHost& host)
    : Panel(host), summary_(new WrappingLabel(this)),
      export_(holeButton(QStringLiteral("holesExport"), tr("Export list\u2026"), this)),
      scroll_(new QScrollArea(this)) {
    setObjectName(QStringLiteral("holesPanel"));
    summary_->setObjectName(QStringLiteral("holesSummary"));
    export_->setToolTip(tr("Write the missed real samples with the number of their hole, for the next training run"));
    connect(export_, &QPushButton::clicked, this, [this] { this->host().exportHoles(holes_); });
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    auto* list = new QWidget(this);
    auto* bar = newLayout<QHBoxLayout>(nullptr, {6, 4, 6, 4});
    bar->addWidget(summary_, 1);
    bar->addWidget(export_, 0, Qt::AlignTop);
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
        for (const Card& card : cards_)
            card.pictures->setState(state());
        showButtons();
        return;
    }
    if (holes_ && (!state().hasModel() || holes_->model.get() != &state().current()))
        holes_.reset();
    showList();
    if (state().hasModel() && state().current().hasColumn("coverage_verdict") && !holes_)
        askOfModel("holes", tr("Grouping missed real samples"), coverageHoles, &HolesPanel::showHoles);
}

void HolesPanel::selectionChanged() {
    showButtons();
}

void HolesPanel::showList() {
    cards_.clear();
    auto* list = new QWidget;
    auto* column = newLayout<QVBoxLayout>(list, {6, 0, 6, 6}, 6);
    if (holes_)
        for (const CoverageHole& hole : std::span(holes_->holes).first(std::min(holes_->holes.size(), kMostShown)))
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
    if (holes_->holes.size() > kMostShown)
        text += tr(" The largest %1 are shown.").arg(formatCount(kMostShown));
    summary_->setText(text);
    showButtons();
}

void HolesPanel::addCard(const CoverageHole& hole, QWidget* list) {
    const std::size_t all = state().audit->real->set->rows();
    auto* frame = new QFrame(list);
    frame->setObjectName(QStringLiteral("hole_%1").arg(cards_.size() + 1));
    frame->setFrameShape(QFrame::StyledPanel);
    const QString count =
        tr("%1 real samples (%2)")
            .arg(formatCount(hole.rows.size()), formatParts(hole.rows.size(), all - hole.rows.size()).first);
    auto* size = new WrappingLabel(count, frame);
    QFont bold = size->font();
    bold.setBold(true);
    size->setFont(bold);
    auto* examples = named<SampleGrid>("holePictures", selection(), pictures(),
                                       GridLook{.edge = 56,
                                                .pictures = Qt::Vertical,
                                                .stops = GridLook::Stops::Pictures,
                                                .extent = GridLook::Extent::Fit,
                                                .rowTitles = {tr("missed"), tr("nearest synthetic")}},
                                       frame);
    examples->setAccessibleName(tr("Examples of missed real samples, each with the nearest synthetic sample"));
    examples->setCells(state(), examplesOf(state(), hole));
    connect(examples, &SampleGrid::inspectRequested, this, [this](SampleId sample) { host().inspect(sample); });
    auto* select = holeButton(QStringLiteral("holeSelect"), tr("Select"), frame);
    select->setToolTip(tr("Select the real samples of this hole"));
    auto* show = holeButton(QStringLiteral("holeShow"), tr("Show only these"), frame);
    show->setCheckable(true);
    const SampleSet samples(SetId::Real, hole.rows);
    connect(select, &QPushButton::clicked, this,
            [this, samples] { selection()->chooseBy(QGuiApplication::keyboardModifiers(), samples); });
    connect(show, &QPushButton::clicked, this, [this, samples] { filterTo(samples); });
    auto* row = new QHBoxLayout;
    row->addWidget(size, 1);
    row->addWidget(select);
    row->addWidget(show);
    auto* column = newLayout<QVBoxLayout>(frame, {12, 6, 8, 6}, 4);
    column->addLayout(row);
    if (const QString classes = classText(hole); !classes.isEmpty())
        column->addWidget(new WrappingLabel(classes, frame));
    column->addWidget(examples);
    static_cast<QVBoxLayout*>(list->layout())->addWidget(frame);
    cards_.push_back({frame, examples, show, samples});
}

void HolesPanel::showButtons() {
    for (const Card& card : cards_)
        card.show->setChecked(state().filter.isOnly(card.samples));
}

void HolesPanel::filterTo(const SampleSet& samples) {
    host().setFilter(state().filter.toggledOnly(samples));
    showButtons();
}

} // namespace assay
