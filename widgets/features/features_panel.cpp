#include "widgets/features/features_panel.h"

#include "engine/data/embedding_set.h"
#include "engine/report/scores/table_features.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/features/feature_picture.h"
#include "widgets/features/feature_tables.h"
#include "widgets/features/pair_picture.h"
#include "widgets/tables/table_view.h"
#include "widgets/text/names.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace assay {
namespace {

constexpr int kWide = 480; // from this width on the picture stands beside the table
constexpr int kTall = 330; // from this height on it stands below

} // namespace

FeaturesPanel::FeaturesPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("featuresPanel"));
    setContent(makeTablePage(), tr("Each feature of the synthetic samples is compared with the real ones here."));
    showModel();
}

QWidget* FeaturesPanel::makeTablePage() {
    auto* page = new QWidget(this);
    tabs_ = named<QTabBar>("featuresTabs", page);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setUsesScrollButtons(true);
    tabs_->setElideMode(Qt::ElideNone);
    for (const QString& name : {tr("Features"), tr("Pairs"), tr("Categories"), tr("Missing values")})
        tabs_->addTab(name);
    answer_ = named<WrappingLabel>("featuresAnswer", page);
    answer_->setMargin(6);
    table_ = named<TableView>("featuresTable", page);
    table_->setAccessibleName(title());
    connect(table_, &TableView::rowChosen, this, &FeaturesPanel::showPicture);
    pictures_ = new QWidget(page);
    feature_ = new FeaturePicture(selection(), pictures_);
    pair_ = new PairPicture(selection(), pictures_);
    pictureOf_ = new QStackedLayout(pictures_);
    pictureOf_->setContentsMargins(0, 0, 0, 0);
    pictureOf_->addWidget(feature_);
    pictureOf_->addWidget(pair_);
    splitter_ = named<QSplitter>("featuresSplitter", page);
    splitter_->addWidget(table_);
    splitter_->addWidget(pictures_);
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 2);
    auto* layout = newLayout<QVBoxLayout>(page, {}, 0);
    layout->addWidget(tabs_);
    layout->addWidget(answer_);
    layout->addWidget(splitter_, 1);
    connect(tabs_, &QTabBar::currentChanged, this, &FeaturesPanel::showTab);
    return page;
}

void FeaturesPanel::stateChanged(const Changes& changes) {
    if (changes.model)
        showModel();
    else if (changes.shown)
        showPicture();
}

void FeaturesPanel::showModel() {
    if (!state().hasModel())
        return;
    if (state().current().featureDifferences.features.empty()) {
        showMessage(
            state().current().complete
                ? tr("This audit has no comparison of features: it was a quick audit, or an earlier version made it.")
                : tr("The features are being compared."));
        return;
    }
    showContent();
    fitTabs();
    showTab(tabs_->currentIndex());
}

/// Tabs that say nothing about this table are grey, with the reason in their tooltip.
void FeaturesPanel::fitTabs() {
    const QSignalBlocker blocker(tabs_);
    for (int tab = Pairs; tab < Tabs; ++tab) {
        const bool has = tableOf(tab).rows > 0;
        tabs_->setTabEnabled(tab, has);
        tabs_->setTabToolTip(tab, has ? QString() : answer(tab));
    }
    if (!tabs_->isTabEnabled(tabs_->currentIndex()))
        tabs_->setCurrentIndex(Features);
}

TableContent FeaturesPanel::tableOf(int tab) const {
    switch (tab) {
    case Pairs:
        return pairTable(state());
    case Categories:
        return categoryTable(state());
    case MissingValues:
        return missingTable(state());
    default:
        return featureTable(state());
    }
}

void FeaturesPanel::showTab(int tab) {
    table_->setContent(tableOf(tab));
    if (tab == Features)
        table_->sortByColumn(feature_columns::Distance, Qt::DescendingOrder);
    else
        table_->sortByColumn(-1, Qt::AscendingOrder); // what differs beyond chance comes first
    answer_->setText(answer(tab));
    pictureOf_->setCurrentIndex(tab == Pairs ? 1 : 0);
    table_->showRow(table_->rows().rowAt(0));
    table_->scrollToTop();
    showPicture();
}

void FeaturesPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    arrange();
}

void FeaturesPanel::arrange() {
    const bool beside = width() >= kWide;
    splitter_->setOrientation(beside ? Qt::Horizontal : Qt::Vertical);
    pictures_->setVisible(beside || height() >= kTall);
}

void FeaturesPanel::showPicture() {
    if (!state().hasModel() || table_->currentRow() < 0)
        return;
    const auto row = static_cast<std::size_t>(table_->currentRow());
    const TableDifferences& tables = state().current().tableDifferences;
    switch (tabs_->currentIndex()) {
    case Pairs:
        pair_->showPair(state(), tables.correlations.pairs[row].first, tables.correlations.pairs[row].second);
        break;
    case Categories:
        showFeature(tables.categories[row].feature);
        break;
    case MissingValues:
        showFeature(tables.missing[row].feature);
        break;
    default:
        showFeature(state().current().featureDifferences.features[row].feature);
    }
}

/// The picture before stays until the samples are counted.
void FeaturesPanel::showFeature(std::uint32_t feature) {
    ask(
        "bars", tr("Counting the values of a feature"),
        [state = state(), feature](const JobContext&) { return FeaturePicture::barsOf(state, feature); },
        [this, state = state()](const std::shared_ptr<const FeatureBars>& bars) { feature_->showBars(state, *bars); });
}

QString FeaturesPanel::answer(int tab) const {
    const ModelAudit& model = state().current();
    if (tab == Features)
        return QString::fromStdString(featureSentence(*state().audit->real->set, model));
    if (model.tableDifferences == TableDifferences())
        return tr("This audit was made by an earlier Assay, which did not compare these.");
    const EmbeddingSet& real = *state().audit->real->set;
    return QString::fromStdString(tab == Pairs        ? correlationSentence(real, model)
                                  : tab == Categories ? categorySentence(model)
                                                      : missingValueSentence(model));
}

std::optional<Figure> FeaturesPanel::figure() {
    if (!state().hasModel())
        return std::nullopt;
    return pictureOf_->currentWidget() == pair_ ? pair_->figure() : feature_->figure();
}

} // namespace assay
