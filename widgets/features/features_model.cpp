#include "widgets/features/features_model.h"

#include "engine/data/embedding_set.h"
#include "widgets/common/number_format.h"
#include "widgets/text/feature_name.h"

#include <array>
#include <cmath>

namespace assay {
namespace {

/// "0.104"; an infinite one, of a feature that is constant in the real set alone, by its sign.
QString numberText(double value) {
    return std::isinf(value) ? QStringLiteral("\u221e") : formatNumber(value);
}

} // namespace

void FeaturesModel::setState(const ViewState& state) {
    beginResetModel();
    state_ = state;
    endResetModel();
}

const FeatureDifference& FeaturesModel::at(int row) const {
    return state_.current().featureDifferences.features[static_cast<std::size_t>(row)];
}

FeatureDifference FeaturesModel::inFileAt(int row) const {
    return inFile(*state_.audit->real->set->preparation(), at(row));
}

QString FeaturesModel::nameOf(int row) const {
    return featureName(*state_.audit->real->set, at(row).feature);
}

int FeaturesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !state_.hasModel()
               ? 0
               : static_cast<int>(state_.current().featureDifferences.features.size());
}

int FeaturesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

double FeaturesModel::valueAt(const QModelIndex& index) const {
    const FeatureDifference& difference = at(index.row());
    switch (index.column()) {
    case Feature:
        return difference.feature;
    case Distance:
        return difference.relativeDistance();
    case ByChance:
        return difference.relativeByChance();
    case RealMean:
        return inFileAt(index.row()).realMean;
    case RealDeviation:
        return inFileAt(index.row()).realDeviation;
    case SyntheticMean:
        return inFileAt(index.row()).syntheticMean;
    default:
        return inFileAt(index.row()).syntheticDeviation;
    }
}

QString FeaturesModel::toolTip(const QModelIndex& index) const {
    const FeatureDifference difference = inFileAt(index.row());
    return tr("<b>%1</b><p>The two distributions are %2 apart, in the feature's own unit. By chance alone they would "
              "be %3 apart.</p>")
        .arg(nameOf(index.row()).toHtmlEscaped(), formatNumber(difference.distance), formatNumber(difference.byChance));
}

QVariant FeaturesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Feature ? nameOf(index.row()) : numberText(valueAt(index));
    case SortRole:
        return valueAt(index);
    case Qt::ToolTipRole:
        return toolTip(index);
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Feature ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant FeaturesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns)
        return {};
    struct Heading {
        QString title, meaning;
    };
    const std::array<Heading, Columns> headings{
        {{tr("Feature"), tr("A column of the table, or a dimension of the embedding")},
         {tr("Distance (SD)"),
          tr("Wasserstein-1 distance of the two distributions: how far the real values have to be moved on average to "
             "become the synthetic ones, in standard deviations of the real feature")},
         {tr("By chance (SD)"), tr("Average distance between two sets of these sizes that are both drawn from the real "
                                   "distribution. A distance of this size is chance.")},
         {tr("Real mean"), tr("Mean of the real samples, in the feature's own unit")},
         {tr("Real SD"), tr("Standard deviation of the real samples, in the feature's own unit")},
         {tr("Synthetic mean"), tr("Mean of the synthetic samples, in the feature's own unit")},
         {tr("Synthetic SD"), tr("Standard deviation of the synthetic samples, in the feature's own unit")}}};
    const Heading& heading = headings[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return heading.title;
    case Qt::ToolTipRole:
        return QStringLiteral("<p>%1.</p>")
            .arg(heading.meaning.endsWith(QLatin1Char('.')) ? heading.meaning.chopped(1) : heading.meaning);
    case Qt::TextAlignmentRole:
        return static_cast<int>((section == Feature ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace assay
