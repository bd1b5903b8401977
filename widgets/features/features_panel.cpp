#include "widgets/features/features_panel.h"

#include "widgets/common/hint_label.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"
#include "widgets/features/features_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kBeyondChance = 3.0; // times what chance makes: scatter alone hardly ever comes that far

bool differs(const FeatureDifference& feature) {
    return feature.distance > kBeyondChance * feature.byChance;
}

} // namespace

FeaturesPanel::FeaturesPanel(SampleSelection* selection, QWidget* parent) : LinkedView(selection, parent) {
    setObjectName(QStringLiteral("featuresPanel"));
    model_ = new FeaturesModel(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(FeaturesModel::SortRole);
    hint_ = new QLabel(this);
    hint_->setObjectName(QStringLiteral("featuresHint"));
    makeHint(hint_);
    pages_ = new QStackedLayout(this);
    pages_->setContentsMargins(0, 0, 0, 0);
    pages_->addWidget(hint_);
    pages_->addWidget(makeTablePage());
    showModel();
}

QWidget* FeaturesPanel::makeTablePage() {
    auto* page = new QWidget(this);
    answer_ = new WrappingLabel(page);
    answer_->setObjectName(QStringLiteral("featuresAnswer"));
    answer_->setMargin(6);
    table_ = new QTableView(page);
    table_->setObjectName(QStringLiteral("featuresTable"));
    table_->setAccessibleName(title());
    table_->setModel(sorted_);
    table_->setSortingEnabled(true);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 8); // as in the panel of classes
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setStretchLastSection(false);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(answer_);
    layout->addWidget(table_, 1);
    return page;
}

void FeaturesPanel::stateChanged(const ViewState& previous) {
    const ModelAudit* before = previous.hasModel() ? &previous.current() : nullptr;
    const ModelAudit* after = state().hasModel() ? &state().current() : nullptr;
    if (before != after || previous.model != state().model)
        showModel();
}

void FeaturesPanel::showModel() {
    model_->setState(state());
    pages_->setCurrentIndex(model_->rowCount() > 0 ? 1 : 0);
    if (!state().hasModel()) {
        hint_->setText(tr("Each feature of the synthetic samples would be compared with the real ones here.\n"
                          "Open a real and a synthetic set to begin."));
        return;
    }
    if (model_->rowCount() == 0) {
        hint_->setText(state().current().complete
                           ? tr("This audit holds no features: it was a quick one, or of an earlier Assay.")
                           : tr("The features are being compared."));
        return;
    }
    table_->sortByColumn(FeaturesModel::Distance, Qt::DescendingOrder);
    table_->resizeColumnsToContents();
    answer_->setText(answer());
}

QString FeaturesPanel::answer() const {
    const FeatureDifferences& differences = state().current().featureDifferences;
    const auto& features = differences.features;
    const auto differing = static_cast<std::uint64_t>(std::ranges::count_if(features, differs));
    const auto most = std::ranges::find_if(features, differs); // the first: they come by their distance
    QString words;
    if (differing == 0)
        words = tr("No feature differs by more than chance.");
    else if (std::isinf(most->relativeDistance()))
        words = tr("%1 of %2 features differ by more than chance. The largest difference: %3, which is constant in the "
                   "real set.")
                    .arg(formatCount(differing), formatCount(features.size()),
                         model_->nameOf(static_cast<int>(most - features.begin())));
    else
        words =
            tr("%1 of %2 features differ by more than chance. The largest difference: %3, by %4 standard deviations.")
                .arg(formatCount(differing), formatCount(features.size()),
                     model_->nameOf(static_cast<int>(most - features.begin())), formatNumber(most->relativeDistance()));
    const std::size_t rows = state().audit->real->set->rows();
    if (differences.realRows < rows || differences.syntheticRows < state().current().set->rows())
        words += QLatin1Char(' ') + tr("Compared from %1 real and %2 synthetic samples.")
                                        .arg(formatCount(differences.realRows), formatCount(differences.syntheticRows));
    return words;
}

} // namespace assay
