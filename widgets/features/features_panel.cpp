#include "widgets/features/features_panel.h"

#include "engine/data/embedding_set.h"
#include "engine/data/feature_layout.h"
#include "engine/report/scores/table_sentences.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"
#include "widgets/features/feature_picture.h"
#include "widgets/features/features_model.h"
#include "widgets/features/pair_picture.h"

#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kBeyondChance = 3.0; // times what chance makes: scatter alone hardly ever comes that far
constexpr int kWide = 480;            // from this width on the picture stands beside the table
constexpr int kTall = 330;            // from this height on it stands below

bool differs(const FeatureDifference& feature) {
    return feature.distance > kBeyondChance * feature.byChance;
}

} // namespace

FeaturesPanel::FeaturesPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("featuresPanel"));
    model_ = new FeaturesModel(this);
    using Kind = TableDifferencesModel::Kind;
    differences_ = {new TableDifferencesModel(Kind::Pairs, this), new TableDifferencesModel(Kind::Categories, this),
                    new TableDifferencesModel(Kind::Missing, this)};
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(FeaturesModel::SortRole);
    static_assert(static_cast<int>(FeaturesModel::SortRole) == static_cast<int>(TableDifferencesModel::SortRole));
    setContent(makeTablePage(), tr("Each feature of the synthetic samples is compared with the real ones here."));
    showModel();
}

QWidget* FeaturesPanel::makeTablePage() {
    auto* page = new QWidget(this);
    tabs_ = new QTabBar(page);
    tabs_->setObjectName(QStringLiteral("featuresTabs"));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setUsesScrollButtons(true);
    tabs_->setElideMode(Qt::ElideNone);
    for (const QString& name : {tr("Features"), tr("Pairs"), tr("Categories"), tr("Missing values")})
        tabs_->addTab(name);
    answer_ = new WrappingLabel(page);
    answer_->setObjectName(QStringLiteral("featuresAnswer"));
    answer_->setMargin(6);
    makeTable(page);
    pictures_ = new QWidget(page);
    feature_ = new FeaturePicture(selection(), pictures_);
    pair_ = new PairPicture(selection(), pictures_);
    pictureOf_ = new QStackedLayout(pictures_);
    pictureOf_->setContentsMargins(0, 0, 0, 0);
    pictureOf_->addWidget(feature_);
    pictureOf_->addWidget(pair_);
    splitter_ = new QSplitter(page);
    splitter_->setObjectName(QStringLiteral("featuresSplitter"));
    splitter_->addWidget(table_);
    splitter_->addWidget(pictures_);
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tabs_);
    layout->addWidget(answer_);
    layout->addWidget(splitter_, 1);
    connect(tabs_, &QTabBar::currentChanged, this, &FeaturesPanel::showTab);
    return page;
}

void FeaturesPanel::makeTable(QWidget* page) {
    table_ = new QTableView(page);
    table_->setObjectName(QStringLiteral("featuresTable"));
    table_->setAccessibleName(title());
    table_->setModel(sorted_);
    table_->setSortingEnabled(true);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTabKeyNavigation(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setTextElideMode(Qt::ElideMiddle); // "income=(missing)" begins as "income"
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 8); // as in the panel of classes
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setStretchLastSection(false);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FeaturesPanel::showPicture);
}

void FeaturesPanel::stateChanged(const Changes& changes) {
    if (changes.model)
        showModel();
    else if (changes.shown)
        showPicture();
}

void FeaturesPanel::showModel() {
    {
        const QSignalBlocker blocker(table_->selectionModel()); // showTab() follows
        model_->setState(state());
        for (TableDifferencesModel* differences : differences_)
            differences->setState(state());
    }
    if (!state().hasModel())
        return;
    if (model_->rowCount() == 0) {
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
        const bool has = differences(tab).rowCount() > 0;
        tabs_->setTabEnabled(tab, has);
        tabs_->setTabToolTip(tab, has ? QString() : answer(tab));
    }
    if (!tabs_->isTabEnabled(tabs_->currentIndex()))
        tabs_->setCurrentIndex(Features);
}

void FeaturesPanel::showTab(int tab) {
    {
        const QSignalBlocker blocker(table_->selectionModel()); // one picture, at the end
        table_->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
        sorted_->setSourceModel(tab == Features ? static_cast<QAbstractItemModel*>(model_)
                                                : differences_[static_cast<std::size_t>(tab - 1)]);
        if (tab == Features)
            table_->sortByColumn(FeaturesModel::Distance, Qt::DescendingOrder);
        else
            sorted_->sort(-1); // what differs beyond chance comes first
    }
    answer_->setText(answer(tab));
    fitColumns();
    pictureOf_->setCurrentIndex(tab == Pairs ? 1 : 0);
    table_->setCurrentIndex(sorted_->index(0, 0)); // draws it
    table_->scrollToTop();
}

/// As wide as their contents, but names leave room for numbers.
void FeaturesPanel::fitColumns() {
    table_->resizeColumnsToContents();
    const int tab = tabs_->currentIndex();
    const int share = tab == Features ? 40 : 28; // percent; pairs have two names
    const int most = std::max(120, table_->viewport()->width() * share / 100);
    for (int column = 0; column < sorted_->columnCount(); ++column)
        if (table_->columnWidth(column) > most && (tab == Features ? column == 0 : differences(tab).isText(column)))
            table_->setColumnWidth(column, most);
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
    const QModelIndex row = sorted_->mapToSource(table_->currentIndex());
    if (!state().hasModel() || !row.isValid())
        return;
    const int tab = tabs_->currentIndex();
    if (tab == Features)
        feature_->showFeature(state(), model_->featureOf(row.row()));
    else if (tab == Pairs)
        pair_->showPair(state(), differences(tab).featureOf(row.row()), differences(tab).secondOf(row.row()));
    else
        feature_->showFeature(state(), differences(tab).featureOf(row.row()));
}

QString FeaturesPanel::answer(int tab) const {
    if (tab == Features)
        return featureAnswer();
    const ModelAudit& model = state().current();
    if (model.tableDifferences == TableDifferences())
        return tr("This audit was made by an earlier Assay, which did not compare these.");
    const EmbeddingSet& real = *state().audit->real->set;
    return QString::fromStdString(tab == Pairs        ? correlationSentence(real, model)
                                  : tab == Categories ? categorySentence(model)
                                                      : missingValueSentence(model));
}

QString FeaturesPanel::featureAnswer() const {
    const FeatureDifferences& differences = state().current().featureDifferences;
    const auto& features = differences.features;
    const auto differing = static_cast<std::uint64_t>(std::ranges::count_if(features, differs));
    const auto most = std::ranges::find_if(features, differs); // the first: they come by their distance
    const EmbeddingSet& real = *state().audit->real->set;
    const auto isOfText = [&](const FeatureDifference& one) {
        return FeatureLayout::of(*real.preparation(), real.dim()).textAt(one.feature) != nullptr;
    };
    QString words;
    if (differing == 0)
        words = tr("No feature differs by more than chance.");
    else if (std::isinf(most->relativeDistance()) && most->realMean == 0.0 && isOfText(*most))
        words = tr("Features that differ by more than chance: %1 of %2. The largest difference: %3, which no real "
                   "sample has.")
                    .arg(formatCount(differing), formatCount(features.size()),
                         model_->nameOf(static_cast<int>(most - features.begin())));
    else if (std::isinf(most->relativeDistance()))
        words =
            tr("Features that differ by more than chance: %1 of %2. The largest difference: %3, which is constant in "
               "the real set.")
                .arg(formatCount(differing), formatCount(features.size()),
                     model_->nameOf(static_cast<int>(most - features.begin())));
    else
        words =
            tr("Features that differ by more than chance: %1 of %2. The largest difference: %3, by %4 standard "
               "deviations.")
                .arg(formatCount(differing), formatCount(features.size()),
                     model_->nameOf(static_cast<int>(most - features.begin())), formatNumber(most->relativeDistance()));
    if (differences.realRows < real.rows() || differences.syntheticRows < state().current().set->rows())
        words += QLatin1Char(' ') + tr("Compared from %1 real and %2 synthetic samples.")
                                        .arg(formatCount(differences.realRows), formatCount(differences.syntheticRows));
    return words;
}

std::optional<Figure> FeaturesPanel::figure() {
    if (!state().hasModel())
        return std::nullopt;
    return pictureOf_->currentWidget() == pair_ ? pair_->figure() : feature_->figure();
}

} // namespace assay
