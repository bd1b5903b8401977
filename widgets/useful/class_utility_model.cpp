#include "widgets/useful/class_utility_model.h"

#include "widgets/common/number_format.h"

#include <QLocale>

#include <algorithm>

namespace assay {
void ClassUtilityModel::setState(const ViewState& state) {
    beginResetModel();
    state_ = state;
    rows_.clear();
    if (state_.hasModel())
        rows_ = state_.current().utility.byClass;
    endResetModel();
}

SampleSet ClassUtilityModel::samplesOf(int row) const {
    const std::string& name = state_.current().utility.classes[rows_[static_cast<std::size_t>(row)].label];
    const EmbeddingSet& real = *state_.audit->real->set;
    const auto& names = real.labels().names;
    const auto at = std::ranges::find(names, name);
    if (at == names.end())
        return {};
    const auto code = static_cast<std::uint32_t>(at - names.begin());
    return state_.shownOf(SampleSet::where(SetId::Real, real.rows(),
                                           [&](std::size_t sample) { return real.labels().code[sample] == code; }));
}

int ClassUtilityModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ClassUtilityModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

double ClassUtilityModel::numberAt(const QModelIndex& index) const {
    const ClassUtility& of = rows_[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case Tested:
        return of.tested;
    case Synthetic:
        return of.accuracy;
    case Real:
        return of.realAccuracy;
    case Lost:
        return of.realAccuracy - of.accuracy;
    default:
        return index.row(); // in the order of the classes
    }
}

QVariant ClassUtilityModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const double number = numberAt(index);
    const ClassUtility& of = rows_[static_cast<std::size_t>(index.row())];
    const QString name = QString::fromStdString(state_.current().utility.classes[of.label]);
    switch (role) {
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Class ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SortRole:
        return number;
    case ShareRole:
        return index.column() == Synthetic || index.column() == Real ? QVariant(number) : QVariant();
    case Qt::ToolTipRole:
        return of.training > 0 ? tr("%1: trained on %2 synthetic samples, tested on %3")
                                     .arg(name, formatCount(of.training), formatCount(of.tested))
                               : tr("%1: the model has no sample of this class, so it is never predicted").arg(name);
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (index.column()) {
    case Class:
        return name;
    case Tested:
        return formatCount(of.tested);
    case Lost:
        return number == 0.0 ? QStringLiteral("0")
                             : QLocale().toString(-100.0 * number, 'f', 1).prepend(number < 0.0 ? "+" : "");
    default:
        return formatTenths(number);
    }
}

QVariant ClassUtilityModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Class ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool title = role == Qt::DisplayRole;
    const QString model = state_.hasModel() ? QString::fromStdString(state_.current().name) : QString();
    switch (section) {
    case Class:
        return title ? tr("Class") : tr("A click on a class selects its real samples");
    case Tested:
        return title ? tr("Tested") : tr("Samples of the class that the classifiers are tested on");
    case Synthetic:
        return title ? tr("Synthetic") : tr("Share classified correctly after training on %1").arg(model);
    case Real:
        return title ? tr("Real") : tr("Share classified correctly after training on the real set");
    default:
        return title ? tr("Change") : tr("Gained (+) or lost by training on %1, in percentage points").arg(model);
    }
}

} // namespace assay
