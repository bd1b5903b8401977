#include "widgets/useful/confusion_model.h"

#include "widgets/common/number_format.h"

#include <algorithm>

namespace assay {

void ConfusionModel::setClasses(std::shared_ptr<const PredictedClasses> classes) {
    beginResetModel();
    classes_ = std::move(classes);
    shown_.clear();
    totals_.clear();
    cells_.clear();
    largestError_ = 0.0;
    if (classes_) {
        std::vector<bool> occurs(classes_->names.size(), false);
        for (const auto* side : {&classes_->actual, &classes_->predicted})
            for (const std::uint32_t code : *side)
                if (code != PredictedClasses::kNone)
                    occurs[code] = true;
        std::vector<std::size_t> places(occurs.size(), 0);
        for (std::uint32_t code = 0; code < occurs.size(); ++code)
            if (occurs[code]) {
                places[code] = shown_.size();
                shown_.push_back(code);
            }
        totals_.assign(shown_.size(), 0);
        for (std::uint32_t row = 0; row < classes_->actual.size(); ++row)
            if (classes_->actual[row] != PredictedClasses::kNone) {
                const std::size_t actual = places[classes_->actual[row]];
                ++totals_[actual];
                cells_[keyOf(actual, places[classes_->predicted[row]])].push_back(row);
            }
        for (const auto& [key, rows] : cells_)
            if (const std::size_t actual = key / shown_.size(); actual != key % shown_.size())
                largestError_ =
                    std::max(largestError_, static_cast<double>(rows.size()) / static_cast<double>(totals_[actual]));
    }
    endResetModel();
}

std::vector<std::uint32_t> ConfusionModel::samplesIn(const std::function<bool(const QModelIndex&)>& holds) const {
    std::vector<std::uint32_t> samples;
    for (const auto& [key, rows] : cells_)
        if (holds(cellOf(key)))
            samples.insert(samples.end(), rows.begin(), rows.end());
    std::ranges::sort(samples);
    return samples;
}

std::vector<ConfusionModel::Count> ConfusionModel::counts() const {
    std::vector<std::size_t> keys;
    keys.reserve(cells_.size());
    for (const auto& cell : cells_)
        keys.push_back(cell.first);
    std::ranges::sort(keys);
    std::vector<Count> counts;
    counts.reserve(keys.size());
    for (const std::size_t key : keys)
        counts.push_back({nameAt(cellOf(key).row()), nameAt(cellOf(key).column()), cells_.at(key).size()});
    return counts;
}

QModelIndex ConfusionModel::cellOf(std::size_t key) const {
    return index(static_cast<int>(key / shown_.size()), static_cast<int>(key % shown_.size()));
}

QString ConfusionModel::nameAt(int place) const {
    return QString::fromStdString(classes_->names[shown_[static_cast<std::size_t>(place)]]);
}

int ConfusionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int ConfusionModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant ConfusionModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto at = cells_.find(keyOf(static_cast<std::size_t>(index.row()), static_cast<std::size_t>(index.column())));
    const std::size_t count = at == cells_.end() ? 0 : at->second.size();
    const std::size_t total = totals_[static_cast<std::size_t>(index.row())];
    const double share = total == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(total);
    const bool isRight = index.row() == index.column();
    switch (role) {
    case Qt::DisplayRole:
        return count == 0 ? QString() : formatCount(count);
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignCenter);
    case Qt::ToolTipRole: {
        const QString part =
            tr("%1 of the %2 real samples of class %3 (%4)")
                .arg(formatCount(count), formatCount(total), nameAt(index.row()), formatPercent(share));
        return isRight ? tr("%1 are classified rightly").arg(part)
                       : tr("%1 are taken for class %2").arg(part, nameAt(index.column()));
    }
    case HeatRole:
        return isRight || count == 0 ? QVariant() : QVariant(share / largestError_);
    case RightRole:
        return isRight;
    case CountRole:
        return QVariant::fromValue(static_cast<qulonglong>(count));
    default:
        return {};
    }
}

QVariant ConfusionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (section < 0 || section >= rowCount())
        return {};
    if (role == Qt::DisplayRole)
        return nameAt(section);
    if (role == Qt::ToolTipRole)
        return orientation == Qt::Vertical ? tr("Real samples of class %1. A click selects them.").arg(nameAt(section))
                                           : tr("Taken for class %1. A click selects them.").arg(nameAt(section));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(orientation == Qt::Vertical ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignCenter);
    return {};
}

} // namespace assay
