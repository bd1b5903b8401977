#include "widgets/classes/classes_model.h"

#include "engine/data/embedding_set.h"
#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"

#include <QFont>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace assay {
namespace {

/// The first score columns of a class; the rest of the catalogue follows.
constexpr std::array<std::string_view, 5> kFirst{"fidelity", "coverage", "authentic", "pce", "rce"};

/// Places of the columns, those of kFirst in front.
std::vector<std::size_t> orderOf(const std::vector<std::string_view>& columns) {
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto rank = [&](std::size_t at) { return std::find(kFirst.begin(), kFirst.end(), columns[at]); };
        return rank(a) < rank(b);
    });
    return order;
}

/// The mean of yes and no is a share, and of verdicts the share that is accused comes.
Unit meanUnit(const Column& score) {
    return score.unit == Unit::YesNo || score.unit == Unit::Word ? Unit::Share : score.unit;
}

/// Code of a class in a set; nothing where the set does not know it.
std::optional<std::uint32_t> codeOf(const EmbeddingSet& set, const std::string& label) {
    const auto& names = set.labels().names;
    const auto at = std::find(names.begin(), names.end(), label);
    return at == names.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(at - names.begin()));
}

SampleSet ofClass(SetId id, const EmbeddingSet& set, const std::string& label) {
    const auto code = codeOf(set, label);
    return SampleSet::where(id, code ? set.rows() : 0,
                            [&](std::size_t row) { return set.labels().code[row] == *code; });
}

} // namespace

void ClassesModel::setState(const ViewState& state) {
    beginResetModel();
    state_ = state;
    scores_.reset();
    shown_.clear();
    if (state_.hasModel())
        scores_ = scoresByClass(*state_.audit->real->set, state_.current());
    if (scores_)
        shown_ = orderOf(scores_->columns);
    findRanges();
    selected_.assign(scores_ ? scores_->classes.size() : 0, 0);
    setShown(state);
    endResetModel();
}

void ClassesModel::findRanges() {
    ranges_.clear();
    if (!scores_)
        return;
    for (std::size_t column = 0; column < scores_->columns.size(); ++column) {
        double low = 0.0;
        double high = 0.0;
        for (const ClassScores& of : scores_->classes)
            if (std::isfinite(of.means[column])) {
                low = std::min(low, of.means[column]);
                high = std::max(high, of.means[column]);
            }
        const Unit unit = meanUnit(*state_.findColumn(scores_->columns[column]));
        // Shares of one half are alike in every column and model; only what has no largest value is compared within.
        ranges_.emplace_back(unit == Unit::Share && low >= 0.0 && high <= 1.0 ? std::pair(0.0, 1.0)
                                                                              : std::pair(low, high));
    }
}

void ClassesModel::countByClass(const SampleSet& samples, std::vector<std::size_t>& counts) const {
    for (const auto& [id, set] : {std::pair{SetId::Real, state_.audit->real->set.get()},
                                  std::pair{state_.currentSet(), state_.current().set.get()}}) {
        if (!set->hasLabels())
            continue;
        std::vector<std::size_t> places;
        for (const std::string& name : set->labels().names)
            places.push_back(static_cast<std::size_t>(std::ranges::find(scores_->classes, name, &ClassScores::label) -
                                                      scores_->classes.begin()));
        for (const SampleId sample : samples.in(id))
            if (const std::size_t place = places[set->labels().code[sample.row]]; place < counts.size())
                ++counts[place]; // the others have no class
    }
}

void ClassesModel::countSelected(const SampleSelection& selection) {
    if (!scores_ || scores_->classes.empty())
        return;
    std::fill(selected_.begin(), selected_.end(), 0);
    countByClass(selection.samples(), selected_);
    emit dataChanged(index(0, SelectedColumn), index(rowCount() - 1, SelectedColumn));
}

void ClassesModel::setShown(const ViewState& state) {
    state_ = state;
    shownReal_.clear();
    shownSynthetic_.clear();
    if (!scores_ || scores_->classes.empty())
        return;
    if (state_.shown) {
        shownReal_.resize(scores_->classes.size());
        shownSynthetic_.resize(scores_->classes.size());
        countByClass(state_.shown->in(SetId::Real), shownReal_);
        countByClass(state_.shown->in(state_.currentSet()), shownSynthetic_);
    }
    emit dataChanged(index(0, RealColumn), index(rowCount() - 1, SyntheticColumn));
}

std::optional<std::vector<std::string>> ClassesModel::missing() const {
    if (!scores_ || !scores_->hasCommon)
        return std::nullopt;
    return scores_->missing;
}

std::vector<std::string> ClassesModel::invented() const {
    std::vector<std::string> names;
    if (scores_ && scores_->hasCommon)
        for (const ClassScores& one : scores_->classes)
            if (one.synthetic.value_or(0) > 0 && one.real.value_or(0) == 0)
                names.push_back(one.label);
    return names;
}

SampleSet ClassesModel::samplesOf(int row) const {
    const std::string& label = classAt(row).label;
    SampleSet samples = ofClass(state_.currentSet(), *state_.current().set, label);
    if (samples.empty())
        samples = ofClass(SetId::Real, *state_.audit->real->set, label);
    return state_.shownOf(samples);
}

int ClassesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !scores_ ? 0 : static_cast<int>(scores_->classes.size());
}

int ClassesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !scores_ ? 0 : FixedColumns + static_cast<int>(shown_.size());
}

const Column& ClassesModel::scoreAt(int column) const {
    return *state_.findColumn(scores_->columns[shown_[static_cast<std::size_t>(column - FixedColumns)]]);
}

double ClassesModel::meanAt(const QModelIndex& index) const {
    return classAt(index.row()).means[shown_[static_cast<std::size_t>(index.column() - FixedColumns)]];
}

bool ClassesModel::isMissing(const ClassScores& scores) const {
    return std::find(scores_->missing.begin(), scores_->missing.end(), scores.label) != scores_->missing.end();
}

QVariant ClassesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == MissingRole)
        return isMissing(classAt(index.row()));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == ClassColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return index.column() < FixedColumns ? fixedData(index, role) : scoreData(index, role);
}

QVariant ClassesModel::fixedData(const QModelIndex& index, int role) const {
    const ClassScores& scores = classAt(index.row());
    if (index.column() == ClassColumn) {
        // Rows come in the order of the classes, numbers as numbers.
        if (role == SortRole)
            return index.row();
        const bool named = role == Qt::DisplayRole || role == Qt::ToolTipRole; // in full, where it is cut off
        return named ? QVariant(QString::fromStdString(scores.label)) : QVariant();
    }
    const auto at = static_cast<std::size_t>(index.row());
    auto count = index.column() == RealColumn        ? scores.real
                 : index.column() == SyntheticColumn ? scores.synthetic
                                                     : selected_[at];
    if (count && index.column() == RealColumn && !shownReal_.empty())
        count = shownReal_[at];
    if (count && index.column() == SyntheticColumn && !shownSynthetic_.empty())
        count = shownSynthetic_[at];
    const bool lacking = index.column() == SyntheticColumn && isMissing(scores);
    switch (role) {
    case SortRole:
        return count ? QVariant::fromValue(static_cast<qulonglong>(*count)) : QVariant();
    case Qt::DisplayRole:
        if (lacking)
            return tr("missing");
        if (index.column() == SelectedColumn && count == 0)
            return {};
        return count ? formatCount(*count) : QStringLiteral("-");
    case Qt::FontRole: {
        QFont font;
        font.setBold(true);
        return lacking ? QVariant(font) : QVariant();
    }
    default:
        return {};
    }
}

QVariant ClassesModel::scoreData(const QModelIndex& index, int role) const {
    const Column& score = scoreAt(index.column());
    const double mean = meanAt(index);
    const Unit unit = meanUnit(score);
    switch (role) {
    case SortRole:
        return std::isnan(mean) ? QVariant() : QVariant(mean);
    case Qt::DisplayRole:
        return std::isnan(mean)      ? QStringLiteral("-")
               : unit == Unit::Count ? formatNumber(mean)
                                     : formatValue(mean, unit);
    case ShadeRole: {
        const auto [low, high] = ranges_[shown_[static_cast<std::size_t>(index.column() - FixedColumns)]];
        return std::isnan(mean) || low == high ? QVariant()
                                               : QVariant(std::clamp((mean - low) / (high - low), 0.0, 1.0));
    }
    case RealSideRole:
        return score.side == Side::Real;
    default:
        return {};
    }
}

QVariant ClassesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == ClassColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return section < FixedColumns ? fixedHeading(section, role) : scoreHeading(scoreAt(section), role);
}

QVariant ClassesModel::fixedHeading(int section, int role) {
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool title = role == Qt::DisplayRole;
    switch (section) {
    case ClassColumn:
        return title ? tr("Class") : tr("The sets' labels. A click on a class selects its samples.");
    case RealColumn:
        return title ? tr("Real") : tr("Samples of the class in the real set");
    case SyntheticColumn:
        return title ? tr("Synthetic") : tr("Samples of the class in the current model's set");
    default:
        return title ? tr("Selected") : tr("Selected samples of the class, real and synthetic");
    }
}

QVariant ClassesModel::scoreHeading(const Column& score, int role) {
    const bool real = score.side == Side::Real;
    const QString title = catalogText(score.title);
    switch (role) {
    case Qt::DisplayRole: {
        const QString unit = score.unit == Unit::YesNo ? QString() : unitName(score.unit);
        const bool said = unit.isEmpty() || title.contains(unit, Qt::CaseInsensitive);
        return said ? title : QStringLiteral("%1 (%2)").arg(title, unit);
    }
    case Qt::AccessibleTextRole:
        return real ? tr("%1, real samples").arg(title) : tr("%1, synthetic samples").arg(title);
    case Qt::ToolTipRole:
        return metricToolTip(score) + QStringLiteral("<br>") +
               (score.unit == Unit::Word
                    ? tr("Share of the class's samples that are not %1.").arg(formatValue(0.0, score))
                : real ? tr("Mean over the real samples of the class.")
                       : tr("Mean over the synthetic samples of the class."));
    case SideRole:
        return real ? tr("real") : tr("synthetic");
    case RealSideRole:
        return real;
    default:
        return {};
    }
}

} // namespace assay
