#include "widgets/ranking/ranking_model.h"

#include "engine/math/statistics/quantile.h"
#include "widgets/common/number_format.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/sample_selection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace assay {
namespace {

const EmbeddingSet* listedOf(const ViewState& state, const RankingOrder& order) {
    return &state.audit->setOf(listedSet(state, order));
}

} // namespace

RankingModel::RankingModel(SampleSelection* selection, QObject* parent)
    : QAbstractTableModel(parent), selection_(selection) {}

void RankingModel::setState(const ViewState& state) {
    const ModelAudit* before = state_.hasModel() ? &state_.current() : nullptr;
    const ModelAudit* after = state.hasModel() ? &state.current() : nullptr;
    const bool otherSamples = before != after || state.model != state_.model;
    const bool otherKept = state.kept != state_.kept || state.byHand != state_.byHand ||
                           state.accepted != state_.accepted || state.unsure != state_.unsure;
    const bool otherTags = state.tags != state_.tags;
    const bool otherNotes = state.notes != state_.notes;
    const bool otherNames = state.tagNames != state_.tagNames;
    const bool otherShown = state.shown != state_.shown;
    if (otherSamples) {
        const auto setOf = [this](const ViewState& of) { return of.hasModel() ? listedOf(of, order_) : nullptr; };
        const bool sameSet = setOf(state_) == setOf(state);
        beginResetModel();
        state_ = state;
        loadColumns();
        const bool unjudged = state_.hasModel() && order_ == RankingOrder{} && sectionOf(order_.column) < 0;
        if (unjudged) // a quick audit has no verdicts
            order_ = {"pce", Qt::DescendingOrder};
        loadRanked();
        if (!sameSet)
            listing_ = std::make_shared<const RankingListing>();
        list(Rows::Sort);
        endResetModel();
        if (unjudged)
            emit orderChanged();
        return;
    }
    state_ = state;
    if (!otherKept && !otherTags && !otherNotes && !otherNames && !otherShown)
        return;
    const bool otherOrder = (otherKept && order_.column == "kept") || (otherTags && order_.column == "tags") ||
                            (otherNotes && order_.column == "note");
    const bool keptDecides = show_ == RankingShow::Kept || show_ == RankingShow::Rejected ||
                             show_ == RankingShow::Undecided || show_ == RankingShow::Reviewed;
    if (otherShown || otherOrder || (otherKept && keptDecides))
        rebuild(otherOrder ? Rows::Sort : Rows::Keep);
    else if (size() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RankingModel::loadColumns() {
    columns_.clear();
    verdict_ = nullptr;
    coverageVerdict_ = nullptr;
    evidence_ = {};
    if (!state_.hasModel())
        return;
    evidence_ = SampleEvidence(state_.audit, state_.model, order_.side);
    for (const ColumnValues& values : state_.current().columns) {
        const Column* column = &columnOf(values);
        if (column->side != order_.side)
            continue;
        columns_.push_back({column, &values.values.get()});
        if (values.id == "verdict")
            verdict_ = &values.values.get();
        if (values.id == "coverage_verdict")
            coverageVerdict_ = &values.values.get();
    }
}

void RankingModel::loadRanked() {
    rankedColumn_ = nullptr;
    rankedValues_ = nullptr;
    for (const ScoreColumn& score : columns_)
        if (score.column->id == order_.column) {
            rankedColumn_ = score.column;
            rankedValues_ = score.values;
        }
    loadShade();
}

void RankingModel::loadShade() {
    shadeLow_ = 0.0;
    shadeHigh_ = 1.0;
    if (!rankedValues_ || rankedColumn_->unit == Unit::Share || rankedColumn_->unit == Unit::YesNo ||
        rankedColumn_->unit == Unit::Word)
        return;
    constexpr std::size_t kEnough = 50'000; // for a colour
    std::vector<double> values;
    for (std::size_t row = 0; row < rankedValues_->size(); row += rankedValues_->size() / kEnough + 1)
        if (std::isfinite((*rankedValues_)[row]))
            values.push_back((*rankedValues_)[row]);
    if (values.empty())
        return;
    shadeLow_ = quantile(std::span(values), 0.02, QuantileRule::Lower);
    shadeHigh_ = quantile(std::span(values), 0.98, QuantileRule::Lower);
}

void RankingModel::list(Rows rows) {
    ++newest_;
    if (show_ == RankingShow::Selected)
        listedSelection_ = selection_->samples();
    if (!state_.hasModel()) {
        auto none = std::make_shared<RankingListing>();
        none->number = newest_;
        listing_ = std::move(none);
        isPending_ = false;
        return;
    }
    sortWanted_ = rows == Rows::Sort || (isPending_ && sortWanted_);
    auto request = std::make_shared<ListingRequest>(listingRequest(state_, order_));
    request->show = show_;
    request->grouping = grouping_;
    request->selection = listedSelection_;
    request->sorted = sortWanted_ ? nullptr : listing_->sorted;
    request->number = newest_;
    isPending_ = listed().rows() > rowsAtOnce_;
    if (isPending_)
        emit listingWanted(std::move(request));
    else
        listing_ = listSamples(*request);
}

void RankingModel::showListing(std::shared_ptr<const RankingListing> listing) {
    if (!listing || listing->number != newest_)
        return;
    beginResetModel();
    listing_ = std::move(listing);
    isPending_ = false;
    endResetModel();
}

void RankingModel::rebuild(Rows rows) {
    beginResetModel();
    list(rows);
    endResetModel();
}

void RankingModel::setOrder(const RankingOrder& order) {
    if (order == order_)
        return;
    const bool otherSide = order.side != order_.side;
    beginResetModel();
    order_ = order;
    if (otherSide) {
        loadColumns();
        listing_ = std::make_shared<const RankingListing>();
    }
    loadRanked();
    list(Rows::Sort);
    endResetModel();
    emit orderChanged();
}

void RankingModel::setShow(RankingShow show) {
    if (show == show_)
        return;
    show_ = show;
    rebuild(Rows::Keep);
    emit showChanged();
}

void RankingModel::setGrouping(RankingGrouping grouping) {
    if (grouping == grouping_)
        return;
    grouping_ = grouping;
    rebuild(Rows::Keep);
    emit groupingChanged();
}

SampleSet RankingModel::samplesOf(std::size_t group) const {
    const SampleGroup& of = groups()[group];
    return {listedSet(), std::span(listing_->shown).subspan(of.first, of.count)};
}

void RankingModel::selectionChanged() {
    if (show_ == RankingShow::Selected) {
        if (selection_->samples() == listedSelection_)
            return;
        rebuild(Rows::Keep);
    } else if (size() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {SelectedRole});
    }
}

SampleId RankingModel::sampleAt(std::size_t position) const noexcept {
    return {listedSet(), listing_->shown[position]};
}

std::optional<std::size_t> RankingModel::positionOf(SampleId id) const noexcept {
    const std::vector<std::int32_t>& positions = listing_->positions;
    if (!state_.hasModel() || id.set != listedSet() || id.row >= positions.size() || positions[id.row] < 0)
        return std::nullopt;
    return static_cast<std::size_t>(positions[id.row]);
}

double RankingModel::rankedValue(std::uint32_t row) const noexcept {
    return rankedValues_ ? (*rankedValues_)[row] : std::numeric_limits<double>::quiet_NaN();
}

double RankingModel::rankedShade(std::uint32_t row) const noexcept {
    const double width = shadeHigh_ - shadeLow_;
    if (width <= 0.0)
        return 0.5;
    const double shade = std::clamp((rankedValue(row) - shadeLow_) / width, 0.0, 1.0);
    // Bright is good: the worst of a ranking must not glow like a selection.
    return rankedColumn() && rankedColumn()->better == Direction::Lower ? 1.0 - shade : shade;
}

int RankingModel::sectionOf(const std::string& column) const noexcept {
    if (column == "id")
        return IdColumn;
    if (column == "class")
        return ClassColumn;
    if (column == "kept")
        return KeptColumn;
    if (column == "tags")
        return TagsColumn;
    if (column == "note")
        return NoteColumn;
    for (std::size_t c = 0; c < columns_.size(); ++c)
        if (columns_[c].column->id == column)
            return FixedColumnCount + static_cast<int>(c);
    return -1;
}

int RankingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(size());
}

int RankingModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : FixedColumnCount + static_cast<int>(columns_.size());
}

/// In fewer words than decisionText(): a column is narrow.
QString RankingModel::keptText(std::uint32_t row) const {
    if (order_.side == Side::Real)
        return tr("real");
    const SampleId sample{listedSet(), row};
    if (state_.isUnsure(sample))
        return isKept(row) ? tr("unsure") : tr("unsure, rejected");
    if (isKept(row))
        return state_.isAccepted(sample) ? tr("kept by hand") : tr("kept");
    return state_.isRejectedByHand(row) ? tr("rejected by hand") : tr("rejected");
}

QString RankingModel::cellText(int section, std::uint32_t row) const {
    const EmbeddingSet& set = listed();
    if (section == IdColumn)
        return QString::fromStdString(set.idText(row));
    if (section == ClassColumn)
        return QString::fromStdString(set.labelText(row));
    if (section == KeptColumn)
        return keptText(row);
    if (section == TagsColumn)
        return tagsText(state_, {listedSet(), row});
    if (section == NoteColumn)
        return QString::fromStdString(state_.noteOf({listedSet(), row})).simplified();
    const ScoreColumn& score = columns_[static_cast<std::size_t>(section - FixedColumnCount)];
    const double value = (*score.values)[row];
    if (score.column->unit == Unit::Row && !std::isnan(value) &&
        static_cast<std::size_t>(value) < state_.audit->real->set->rows())
        return QString::fromStdString(state_.audit->real->set->idText(static_cast<std::size_t>(value)));
    return score.column->unit == Unit::Word ? formatValue(value, *score.column)
                                            : formatValue(value, score.column->unit);
}

QVariant RankingModel::alignment(int section) const {
    if (section < FixedColumnCount)
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
}

QVariant RankingModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const std::uint32_t row = listing_->shown[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cellText(index.column(), row);
    case Qt::TextAlignmentRole:
        return alignment(index.column());
    case SampleRole:
        return QVariant::fromValue(SampleId{listedSet(), row});
    case SelectedRole:
        return selection_->contains({listedSet(), row});
    case RejectedRole:
        return !isKept(row);
    case AccusedRole:
        return verdictOf(row) != Verdict::Good;
    default:
        return {};
    }
}

QVariant RankingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(formatCount(static_cast<std::uint64_t>(section) + 1)) : QVariant();
    if (section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignment(section);
    if (section < FixedColumnCount) {
        const std::array<QString, FixedColumnCount> titles{tr("Sample"), tr("Class"), tr("Decision"), tr("Tags"),
                                                           tr("Note")};
        const std::array<QString, FixedColumnCount> hints{
            tr("The sample's id, or its row in the file"), tr("Class from the file"),
            tr("Whether the sample is kept or rejected, by the rules or by hand: Space or X rejects it, A keeps it, U "
               "marks it as unsure"),
            tr("Keys 1 to 9 give the selected samples a tag or take it away, 0 takes all"),
            tr("What was written about the sample: N writes it")};
        const auto at = static_cast<std::size_t>(section);
        return role == Qt::DisplayRole   ? QVariant(titles[at])
               : role == Qt::ToolTipRole ? QVariant(hints[at])
                                         : QVariant();
    }
    const Column& column = *columns_[static_cast<std::size_t>(section - FixedColumnCount)].column;
    const QString unit = unitName(column.unit);
    if (role == Qt::DisplayRole)
        return column.unit == Unit::Nats ? tr("%1 (%2)").arg(catalogText(column.title), unit)
                                         : catalogText(column.title);
    if (role == Qt::ToolTipRole)
        return metricToolTip(column);
    return {};
}

void RankingModel::sort(int section, Qt::SortOrder order) {
    if (section < 0 || section >= columnCount())
        return;
    const std::array<std::string, FixedColumnCount> fixed{"id", "class", "kept", "tags", "note"};
    setOrder({section < FixedColumnCount
                  ? fixed[static_cast<std::size_t>(section)]
                  : std::string(columns_[static_cast<std::size_t>(section - FixedColumnCount)].column->id),
              order, order_.side});
}

} // namespace assay
