#include "widgets/private/private_panel.h"

#include "engine/audit/findings/findings.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/charts/interval_chart.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/pair_cells.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/link/sample_groups.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/useful_of_kept.h"
#include "widgets/private/private_words.h"
#include "widgets/tables/table_view.h"

#include <QBoxLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include <utility>

namespace assay {
namespace {

constexpr int kRoomForColumns = 560; // in logical pixels
constexpr int kMinForColumns = 440;  // where there is no height to stack parts, either
constexpr int kLow = 380;
constexpr int kMinGallery = 190; // height below charts: a pair and its captions

} // namespace

PrivatePanel::PrivatePanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("privatePanel"));
    setContent(makePage(), privateHint(state()));
}

PrivatePanel::~PrivatePanel() = default;

QWidget* PrivatePanel::makePage() {
    auto* page = new QWidget(this);
    sentence_ = named<WrappingLabel>("privateSentence", page);
    sentence_->setContentsMargins(6, 4, 6, 0);
    kept_ = named<WrappingLabel>("privateKept", page);
    kept_->setContentsMargins(6, 2, 6, 0);
    auto* body = new QWidget(page);
    numbers_ = new QWidget(body);
    auto* numbers = newLayout<QVBoxLayout>(numbers_, {0, 2, 0, 2}, 2);
    for (const auto& [chart, name] :
         {std::pair{&charts_.auc, "privateAuc"}, std::pair{&charts_.found, "privateFound"},
          std::pair{&charts_.closest, "privateClosest"}, std::pair{&charts_.ratio, "privateRatio"}}) {
        *chart = new IntervalChart(numbers_);
        (*chart)->setObjectName(QLatin1String(name));
        numbers->addWidget(*chart);
    }
    numbers->addStretch(1);
    measured_ = newScroll(numbers_, body);
    groups_ = new TableView(body);
    groups_->setObjectName(QStringLiteral("privateGroups"));
    groups_->setAccessibleName(tr("Groups of real samples, the most used first"));
    connect(groups_, &TableView::chosenChanged, this, &PrivatePanel::chooseGroup);
    auto* left = newLayout<QVBoxLayout>(nullptr, {}, 2);
    left->addWidget(measured_, 1);
    left->addWidget(groups_, 1);
    exposed_ = makeExposed(body);
    columns_ = new QBoxLayout(QBoxLayout::LeftToRight, body);
    columns_->setContentsMargins(0, 0, 0, 0);
    columns_->addLayout(left, 2);
    columns_->addWidget(exposed_, 3); // two pairs beside each other
    auto* layout = newLayout<QVBoxLayout>(page, {}, 0);
    layout->addWidget(sentence_);
    layout->addWidget(kept_);
    openHeldOut_ = named<QPushButton>("privateOpenHeldOut", tr("Open with a held-out set\u2026"), page);
    connect(openHeldOut_, &QPushButton::clicked, this, [this] { host().run(PanelCommand::OpenSets); });
    auto* open = newLayout<QHBoxLayout>(nullptr, {6, 4, 6, 4});
    open->addWidget(openHeldOut_);
    open->addStretch(1);
    layout->addLayout(open);
    layout->addWidget(body, 1);
    return page;
}

QWidget* PrivatePanel::makeExposed(QWidget* parent) {
    auto* part = new QWidget(parent);
    summary_ = named<WrappingLabel>("privateSummary", part);
    select_ = named<QPushButton>("privateSelect", tr("Select them"), part);
    connect(select_, &QPushButton::clicked, this, [this] {
        selection()->chooseBy(QGuiApplication::keyboardModifiers(), pairs_.remarkableSamples(PairSide::Left));
        gallery_->setFocus(); // the next key is for the samples
    });
    cells_ = std::make_unique<PairCells>(&pairs_, selection());
    gallery_ = new SampleGrid(selection(), pictures(), PairCells::look(), part);
    gallery_->setContents(cells_.get());
    gallery_->setObjectName(QStringLiteral("privateGallery"));
    gallery_->setAccessibleName(tr("Real samples, the most exposed first, each beside its nearest synthetic sample"));
    connect(gallery_, &SampleGrid::inspectRequested, this, [this](SampleId sample) { host().inspect(sample); });
    auto* bar = newLayout<QHBoxLayout>(nullptr, {6, 4, 6, 4});
    bar->addWidget(summary_, 1);
    bar->addWidget(select_, 0, Qt::AlignTop);
    auto* layout = newLayout<QVBoxLayout>(part, {}, 0);
    layout->addLayout(bar);
    layout->addWidget(gallery_, 1);
    return part;
}

QString PrivatePanel::whyNothing(const ViewState& state) {
    if (!state.hasModel() || state.audit->real->set->hasGroups() || !state.current().complete ||
        state.current().hasMetric("membership_auc"))
        return {};
    return QString::fromStdString(privateSentence(*state.audit, state.current()));
}

bool PrivatePanel::isMeasured() const {
    return state().hasModel() && state().audit->heldOut != nullptr && state().current().hasMetric("membership_auc");
}

bool PrivatePanel::areOfState(const PairLists& lists) const {
    return state().hasModel() && lists.model.get() == &state().current() && lists.heldOut == state().audit->heldOut;
}

void PrivatePanel::showExposed(std::shared_ptr<const PairLists> lists) {
    if (!lists || !areOfState(*lists) || lists == lists_)
        return;
    lists_ = std::move(lists);
    showList();
}

void PrivatePanel::showGroups(std::shared_ptr<const ModelGroupUse> use) {
    if (!use || !state().hasModel() || use->model.get() != &state().current())
        return;
    use_ = std::move(use);
    groups_->setContent(groupContent(state(), use_->groups));
    showParts();
}

void PrivatePanel::chooseGroup() {
    SampleSet chosen;
    for (const int row : groups_->selectedRows())
        chosen |= nearGroup(state(), use_->groups[static_cast<std::size_t>(row)].name);
    if (chosen.empty())
        return;
    ofGroups_ = state().shownOf(chosen);
    selection()->replace(ofGroups_);
}

/// Groups need no held-out set.
void PrivatePanel::showParts() {
    const bool measured = isMeasured();
    const bool grouped = use_ && !use_->groups.empty();
    groups_->setVisible(grouped);
    measured_->setVisible(measured);
    exposed_->setVisible(measured);
    openHeldOut_->setVisible(!measured && state().hasModel() && state().audit->heldOut == nullptr);
    if (measured)
        return;
    if (!state().hasModel())
        return;
    if (!grouped) {
        if (state().audit->heldOut)
            showMessage(privateHint(state()));
        else
            showMessage(privateHint(state()), openHeldOut_->text(), [this] { host().run(PanelCommand::OpenSets); });
        return;
    }
    sentence_->setText(privateHint(state()));
    kept_->hide();
    showContent();
}

void PrivatePanel::stateChanged(const Changes& changes) {
    if (lists_ && !areOfState(*lists_))
        lists_.reset();
    const bool otherModel = changes.model || changes.heldOut;
    if (otherModel) {
        use_.reset();
        showModel();
        if (state().hasModel() && state().audit->real->set->hasGroups())
            askOfModel("groups", tr("Counting samples by group"), groupUseOf, &PrivatePanel::showGroups);
    } else {
        if (changes.kept || changes.computed)
            showMembership();
        if (changes.shown) {
            showList();
        } else { // what is rejected, for one; the place in the list stays
            cells_->setState(state());
            gallery_->viewport()->update();
        }
    }
    if (!isMeasured())
        return;
    if (otherModel && !lists_)
        askOfModel("exposed", tr("Ranking real samples by exposure"), findExposed, &PrivatePanel::showExposed);
    if (keepsSome(state()) && usefulOfKept(state()) == nullptr)
        host().run(PanelCommand::ScoreUsefulness);
}

void PrivatePanel::selectionChanged() {
    if (selection()->samples() != ofGroups_)
        groups_->clearChosen(); // a click on the row selects its samples again
    gallery_->scrollToFocus();
}

void PrivatePanel::showModel() {
    showList();
    if (!state().hasModel())
        return;
    showParts();
    if (!isMeasured())
        return;
    showContent();
    sentence_->setText(QString::fromStdString(privateSentence(*state().audit, state().current())));
    showMembership();
    showDistances();
    arrange();
}

void PrivatePanel::showMembership() {
    if (!isMeasured())
        return;
    const UsefulMetric auc{"membership_auc", &UsefulScores::membershipAuc};
    const UsefulMetric found{"membership_tpr_1", &UsefulScores::membershipTpr};
    charts_.auc->show({.title = tr("Membership, AUC, with 95 % interval"),
                       .highest = 1.0,
                       .leastSpan = 0.04,
                       .reference = 0.5,
                       .referenceName = tr("guessing"),
                       .definition = metricToolTip(*findMetric(auc.id))},
                      usefulRows(state(), auc, formatNumber));
    charts_.found->show({.title = tr("Found at 1 % false alarms"),
                         .highest = 1.0,
                         .leastSpan = 0.02,
                         .ticks = IntervalAxis::Ticks::Percent,
                         .reference = 0.01,
                         .referenceName = tr("guessing"),
                         .definition = metricToolTip(*findMetric(found.id))},
                        usefulRows(state(), found, formatTenths));
    const QString kept = privateKeptSentence(state());
    kept_->setText(kept);
    kept_->setVisible(!kept.isEmpty());
}

void PrivatePanel::showDistances() {
    charts_.closest->show({.title = tr("Distance to closest record, 5th percentile to median"),
                           .definition = metricToolTip(*findMetric("dcr_5"))},
                          distanceRows(state(), "dcr"));
    charts_.ratio->show({.title = tr("NN distance ratio, 5th percentile to median"),
                         .highest = 1.0,
                         .definition = metricToolTip(*findMetric("nndr_5"))},
                        distanceRows(state(), "nndr"));
}

void PrivatePanel::showList() {
    pairs_.show({state().audit, state().model, state().shown}, lists_, PairKind::Exposed);
    cells_->setState(state());
    gallery_->contentsChanged();
    gallery_->verticalScrollBar()->setValue(0); // the most exposed ones
    select_->setEnabled(pairs_.size() > 0 && pairs_.remarkable() > 0);
    select_->setToolTip(
        tr("Select the %1 marked real samples").arg(formatCount(pairs_.size() > 0 ? pairs_.remarkable() : 0)));
    summary_->setText(exposedSummary(pairs_));
}

void PrivatePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    arrange();
}

void PrivatePanel::arrange() {
    const bool beside = width() >= (height() < kLow ? kMinForColumns : kRoomForColumns);
    columns_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    columns_->setStretch(0, beside ? 2 : 1);
    columns_->setStretch(1, beside ? 3 : 1);
    gallery_->setMinimumHeight(beside ? 0 : std::min(kMinGallery, height() / 3));
}

std::optional<Figure> PrivatePanel::figure() {
    if (!isMeasured())
        return std::nullopt;
    Figure figure;
    figure.title = title();
    figure.chart = numbers_;
    figure.caption = tr("%1 %2").arg(sentence_->text(), figureParameters(state()));
    figure.data.push_back({QStringLiteral("measure"), QStringLiteral("of"), QStringLiteral("value"),
                           QStringLiteral("low"), QStringLiteral("high")});
    addMembershipData(figure.data, QStringLiteral("membership_auc"), charts_.auc->rows());
    addMembershipData(figure.data, QStringLiteral("membership_tpr_1"), charts_.found->rows());
    addDistanceData(figure.data, state());
    return figure;
}

} // namespace assay
