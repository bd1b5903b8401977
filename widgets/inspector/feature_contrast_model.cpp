#include "widgets/inspector/feature_contrast_model.h"

#include "widgets/common/number_format.h"
#include "widgets/text/feature_name.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

/// "+0.42"; hundredths of a standard deviation are more than anyone needs.
QString differenceText(double difference) {
    const QString size = std::abs(difference) < 100.0 ? QLocale().toString(std::abs(difference), 'f', 2)
                                                      : formatNumber(std::abs(difference));
    return std::abs(difference) < 0.005 ? size : (difference > 0.0 ? u'+' : u'-') + size;
}

/// A number; whole ones as such: ages and counts read badly as "37.0".
QString valueText(double value, const std::string& text) {
    constexpr double kLargest = 1e9;
    if (!text.empty())
        return QString::fromStdString(text);
    if (value == std::round(value) && std::abs(value) < kLargest)
        return QLocale().toString(static_cast<qint64>(value));
    return formatNumber(value);
}

} // namespace

void FeatureContrastModel::setContrasts(const ViewState& state, std::vector<FeatureContrast> contrasts,
                                        const QString& own, const QString& nearest) {
    beginResetModel();
    real_ = state.audit ? state.audit->real : nullptr;
    contrasts_ = std::move(contrasts);
    own_ = own;
    nearest_ = nearest;
    endResetModel();
}

void FeatureContrastModel::setMost(int rows) {
    if (rows == most_)
        return;
    beginResetModel();
    most_ = rows;
    endResetModel();
}

int FeatureContrastModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : std::min(most_, featureCount());
}

int FeatureContrastModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

QString FeatureContrastModel::textOf(const FeatureContrast& contrast, int column) const {
    switch (column) {
    case Feature:
        return contrast.column.empty() ? featureName(*real_->set, contrast.feature)
                                       : QString::fromStdString(contrast.column);
    case Own:
        return valueText(contrast.first, contrast.firstText);
    case Nearest:
        return valueText(contrast.second, contrast.secondText);
    default:
        if (!contrast.hasDirection)
            return contrast.difference == 0.0 ? tr("same") : tr("differs");
        return differenceText(contrast.difference);
    }
}

QVariant FeatureContrastModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const FeatureContrast& contrast = contrasts_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return textOf(contrast, index.column());
    case DifferenceRole:
        return contrast.hasDirection ? contrast.difference : 0.0;
    case Qt::ToolTipRole:
        if (!contrast.hasDirection)
            return tr("<p><b>%1</b>: %2 here, %3 in the nearest sample.</p>")
                .arg(textOf(contrast, Feature).toHtmlEscaped(), textOf(contrast, Own).toHtmlEscaped(),
                     textOf(contrast, Nearest).toHtmlEscaped());
        return tr("<p><b>%1</b>: %2 here, %3 in the nearest sample. The difference is %4 standard deviations of the "
                  "real set.</p>")
            .arg(textOf(contrast, Feature).toHtmlEscaped(), textOf(contrast, Own), textOf(contrast, Nearest),
                 textOf(contrast, Difference));
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Feature ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant FeatureContrastModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Feature ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const bool isText = role == Qt::DisplayRole;
    if (!isText && role != Qt::ToolTipRole)
        return {};
    switch (section) {
    case Feature:
        return isText ? tr("Feature") : tr("Features in which the two samples differ most come first");
    case Own:
        return isText ? own_ : tr("Value of the inspected sample, in the unit of the file");
    case Nearest:
        return isText ? nearest_ : tr("Value of its nearest sample, in the unit of the file");
    case Difference:
        return isText ? tr("SD") : tr("Difference in standard deviations of the real set");
    default:
        return {};
    }
}

} // namespace assay
