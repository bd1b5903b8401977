#include "widgets/classes/classes_table.h"

#include "engine/data/embedding_set.h"
#include "widgets/charts/figure.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace assay {
namespace {

/// The mean of yes and no is a share, and of verdicts the share that is accused comes.
Unit meanUnit(const Column& score) {
    return score.unit == Unit::YesNo || score.unit == Unit::Word ? Unit::Share : score.unit;
}

} // namespace

ClassesTable::ClassesTable(QWidget* parent) : TableView(parent) {
    setSelectionMode(ExtendedSelection);
}

void ClassesTable::setState(const ViewState& state) {
    state_ = state;
    scores_.reset();
    if (state_.hasModel())
        scores_ = scoresByClass(*state_.audit->real->set, state_.current());
    selected_.assign(scores_ ? scores_->classes.size() : 0, 0);
    countShown();
    setContent(makeContent());
}

std::vector<std::size_t> ClassesTable::count(SetId id, const SampleSet& samples) const {
    return countByClass(*scores_, id, state_.audit->setOf(id), samples);
}

void ClassesTable::countSelected(const SampleSelection& selection) {
    if (!scores_ || scores_->classes.empty())
        return;
    selected_ = count(SetId::Real, selection.samples());
    const std::vector<std::size_t> synthetic = count(state_.currentSet(), selection.samples());
    std::ranges::transform(selected_, synthetic, selected_.begin(), std::plus());
    rows().refresh();
}

void ClassesTable::countShown() {
    shownReal_.clear();
    shownSynthetic_.clear();
    if (!scores_ || !state_.shown)
        return;
    shownReal_ = count(SetId::Real, *state_.shown);
    shownSynthetic_ = count(state_.currentSet(), *state_.shown);
}

void ClassesTable::setShown(const ViewState& state) {
    state_ = state;
    countShown();
    rows().refresh();
}

std::optional<std::vector<std::string>> ClassesTable::missing() const {
    if (!scores_ || !scores_->hasCommon)
        return std::nullopt;
    return scores_->missing;
}

std::vector<std::string> ClassesTable::invented() const {
    std::vector<std::string> names;
    if (scores_ && scores_->hasCommon)
        for (const ClassScores& one : scores_->classes)
            if (one.synthetic.value_or(0) > 0 && one.real.value_or(0) == 0)
                names.push_back(one.label);
    return names;
}

SampleSet ClassesTable::samplesOf(int row) const {
    const std::string& label = classAt(row).label;
    SampleSet samples = samplesOfClass(state_.currentSet(), *state_.current().set, label);
    if (samples.empty())
        samples = samplesOfClass(SetId::Real, *state_.audit->real->set, label);
    return state_.shownOf(samples);
}

bool ClassesTable::isMissing(const ClassScores& scores) const {
    return std::ranges::find(scores_->missing, scores.label) != scores_->missing.end();
}

TableContent ClassesTable::makeContent() {
    if (!scores_)
        return {};
    TableContent content{.rows = static_cast<int>(scores_->classes.size())};
    content.names = {.title = tr("Class"),
                     .hint = tr("The sets' labels. A click on a class selects its samples."),
                     .cell =
                         [this](int row) {
                             const QString name = QString::fromStdString(label(row));
                             return textCell(name, name); // in full, where it is cut off
                         },
                     .side = Qt::AlignLeft,
                     .most = 20};
    const auto counts = [this](FixedColumn column) { return [=, this](int row) { return countCell(column, row); }; };
    content.columns = {
        {.title = tr("Real"), .hint = tr("Samples of the class in the real set"), .cell = counts(RealColumn)},
        {.title = tr("Synthetic"),
         .hint = tr("Samples of the class in the current model's set"),
         .cell = counts(SyntheticColumn)},
        {.title = tr("Selected"),
         .hint = tr("Selected samples of the class, real and synthetic"),
         .cell = counts(SelectedColumn)}};
    for (const std::size_t place : scoresInReadingOrder(*scores_))
        content.columns.push_back(scoreColumn(place));
    return content;
}

TableCell ClassesTable::countCell(FixedColumn column, int row) const {
    const ClassScores& scores = classAt(row);
    const auto at = static_cast<std::size_t>(row);
    if (column == SelectedColumn)
        return cellOf(selected_[at] == 0 ? QString() : formatCount(selected_[at]), static_cast<double>(selected_[at]));
    const bool isReal = column == RealColumn;
    auto count = isReal ? scores.real : scores.synthetic;
    if (const auto& shown = isReal ? shownReal_ : shownSynthetic_; count && !shown.empty())
        count = shown[at];
    TableCell cell = count ? cellOf(formatCount(*count), static_cast<double>(*count)) : TableCell{QStringLiteral("-")};
    if (column == SyntheticColumn && isMissing(scores)) {
        cell.text = tr("missing");
        cell.isBold = true;
        cell.ink = colors::unauthentic; // as a model's "gaps"
    }
    return cell;
}

TableColumn ClassesTable::scoreColumn(std::size_t place) {
    const Column& score = scoreAt(place);
    const bool isReal = score.side == Side::Real;
    const Unit unit = meanUnit(score);
    const auto [low, high] = rangeOfMeans(*scores_, place, unit);
    const QString title = catalogText(score.title);
    const QString unitText = score.unit == Unit::YesNo ? QString() : unitName(score.unit);
    const bool isSaid = unitText.isEmpty() || title.contains(unitText, Qt::CaseInsensitive);
    TableColumn column{.title = isSaid ? title : QStringLiteral("%1 (%2)").arg(title, unitText)};
    column.hint =
        metricToolTip(score) + QStringLiteral("<br>") +
        (score.unit == Unit::Word ? tr("Share of the class's samples that are not %1.").arg(formatValue(0.0, score))
         : isReal                 ? tr("Mean over the real samples of the class.")
                                  : tr("Mean over the synthetic samples of the class."));
    column.description = isReal ? tr("%1, real samples").arg(title) : tr("%1, synthetic samples").arg(title);
    column.below = isReal ? tr("real") : tr("synthetic");
    column.bar = isReal ? colors::real : colors::synthetic;
    column.cell = [=, this, low = low, high = high](int row) {
        const double mean = classAt(row).means[place];
        TableCell cell{.text = QStringLiteral("-"), .sort = mean, .graphic = CellShade{std::nan("")}};
        if (std::isnan(mean))
            return cell;
        cell.text = unit == Unit::Count ? formatNumber(mean) : formatValue(mean, unit);
        if (low < high)
            cell.graphic = CellShade{std::clamp((mean - low) / (high - low), 0.0, 1.0)};
        return cell;
    };
    return column;
}

std::vector<QStringList> ClassesTable::data() const {
    const std::vector<std::size_t> places = scoresInReadingOrder(*scores_);
    std::vector<QStringList> lines{{QStringLiteral("class"), QStringLiteral("real"), QStringLiteral("synthetic")}};
    for (const std::size_t place : places)
        lines.front() << catalogText(scoreAt(place).id);
    const auto numberText = [](double number) { return std::isnan(number) ? QString() : dataNumber(number); };
    for (int at = 0; at < rows().rowCount(); ++at) {
        const int row = rows().rowAt(at);
        QStringList line{QString::fromStdString(label(row)), countCell(RealColumn, row).sort.toString(),
                         countCell(SyntheticColumn, row).sort.toString()};
        for (const std::size_t place : places)
            line << numberText(classAt(row).means[place]);
        lines.push_back(line);
    }
    return lines;
}

} // namespace assay
