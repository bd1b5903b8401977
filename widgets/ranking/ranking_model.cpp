#include "widgets/ranking/ranking_model.h"

#include "engine/math/statistics/quantile.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/colors.h"
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

bool hasNotes(const ViewState& state) {
    return state.notes && !state.notes->empty();
}

const EmbeddingSet* listedOf(const ViewState& state, const RankingOrder& order) {
    return &state.audit->setOf(listedSet(state, order));
}

} // namespace

RankingModel::RankingModel(SampleSelection* selection, QObject* parent) : RowModel(parent), selection_(selection) {}

void RankingModel::setState(const ViewState& state) {
    const ModelAudit* before = state_.hasModel() ? &state_.current() : nullptr;
    const ModelAudit* after = state.hasModel() ? &state.current() : nullptr;
    const bool otherSamples = before != after || state.model != state_.model;
    const bool otherKept = state.kept != state_.kept || state.rejectedByHand != state_.rejectedByHand ||
                           state.accepted != state_.accepted || state.unsure != state_.unsure;
    const bool otherTags = state.tags != state_.tags;
    const bool otherNotes = state.notes != state_.notes;
    const bool otherNames = state.tagNames != state_.tagNames;
    const bool otherShown = state.shown != state_.shown;
    if (otherSamples) {
        const auto setOf = [this](const ViewState& of) { return of.hasModel() ? listedOf(of, order_) : nullptr; };
        const bool sameSet = setOf(state_) == setOf(state);
        bool unjudged = false;
        reset([&] {
            state_ = state;
            loadColumns();
            unjudged = state_.hasModel() && order_ == RankingOrder{} && sectionOf(order_.column) < 0;
            if (unjudged) // a quick audit has no verdicts
                order_ = {"pce", Qt::DescendingOrder};
            loadRanked();
            if (!sameSet)
                listing_ = std::make_shared<const RankingListing>();
            list(Rows::Sort);
            return makeContent();
        });
        if (unjudged)
            emit orderChanged();
        return;
    }
    const bool hadNotes = hasNotes(state_);
    state_ = state;
    if (!otherKept && !otherTags && !otherNotes && !otherNames && !otherShown)
        return;
    const bool otherOrder = (otherKept && order_.column == "kept") || (otherTags && order_.column == "tags") ||
                            (otherNotes && order_.column == "note");
    const bool keptDecides = show_ == RankingShow::Kept || show_ == RankingShow::Rejected ||
                             show_ == RankingShow::Undecided || show_ == RankingShow::Reviewed;
    if (otherShown || otherOrder || (otherKept && keptDecides))
        rebuild(otherOrder ? Rows::Sort : Rows::Keep);
    else if (hasNotes(state_) != hadNotes)
        reset([this] { return makeContent(); });
    else
        refresh();
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
    reset([&] {
        listing_ = std::move(listing);
        isPending_ = false;
        return makeContent();
    });
}

void RankingModel::rebuild(Rows rows) {
    reset([&] {
        list(rows);
        return makeContent();
    });
}

void RankingModel::setOrder(const RankingOrder& order) {
    if (order == order_)
        return;
    const bool otherSide = order.side != order_.side;
    reset([&] {
        order_ = order;
        if (otherSide) {
            loadColumns();
            listing_ = std::make_shared<const RankingListing>();
        }
        loadRanked();
        list(Rows::Sort);
        return makeContent();
    });
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
    } else {
        refresh();
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

TableCell RankingModel::cellAt(int section, int place) const {
    const std::uint32_t row = listing_->shown[static_cast<std::size_t>(place)];
    TableCell cell{.text = cellText(section, row)};
    if (section == KeptColumn && state_.isAccepted({listedSet(), row}))
        cell.ink = colors::accepted;
    else if (const Verdict verdict = verdictOf(row); verdict != Verdict::Good && section == sectionOf("verdict"))
        cell.ink = [verdict](const QPalette& palette) { return colors::verdict(verdict, palette); };
    return cell;
}

TableColumn RankingModel::fixedColumn(FixedColumn section) const {
    struct Heading {
        QString title, hint;
        int letters = 18;
        bool isHidden = false;
    };
    const std::array<Heading, FixedColumnCount> headings{
        {{tr("Sample"), tr("The sample's id, or its row in the file")},
         {tr("Class"), tr("Class from the file"), 18, !state_.hasModel() || !listed().hasLabels()},
         {tr("Decision"),
          tr("Whether the sample is kept or rejected, by the rules or by hand: Space or X rejects it, A "
             "keeps it, U marks it as unsure")},
         {tr("Tags"), tr("Keys 1 to 9 give the selected samples a tag or take it away, 0 takes all"), 10},
         {tr("Note"), tr("What was written about the sample: N writes it"), 18, !hasNotes(state_)}}};
    const Heading& heading = headings[section];
    return {.title = heading.title,
            .hint = heading.hint,
            .cell = [this, section](int place) { return cellAt(section, place); },
            .side = Qt::AlignLeft,
            .least = heading.letters,
            .most = heading.letters,
            .isHidden = heading.isHidden};
}

TableColumn RankingModel::scoreColumn(std::size_t at) const {
    const Column& column = *columns_[at].column;
    const QString title = catalogText(column.title);
    const int section = FixedColumnCount + static_cast<int>(at);
    return {.title = column.unit == Unit::Nats ? tr("%1 (%2)").arg(title, unitName(column.unit)) : title,
            .hint = metricToolTip(column),
            .cell = [this, section](int place) { return cellAt(section, place); },
            .least = 8};
}

TableContent RankingModel::makeContent() const {
    TableContent content{.rows = static_cast<int>(size()), .keepsWidths = true};
    content.names = {.cell = [](int place) { return TableCell{formatCount(static_cast<std::uint64_t>(place) + 1)}; },
                     .least = static_cast<int>(formatCount(size()).size())};
    for (int section = 0; section < FixedColumnCount; ++section)
        content.columns.push_back(fixedColumn(static_cast<FixedColumn>(section)));
    for (std::size_t at = 0; at < columns_.size(); ++at)
        content.columns.push_back(scoreColumn(at));
    content.sample = [this](int place) { return sampleAt(static_cast<std::size_t>(place)); };
    content.isMuted = [this](int place) { return !isKept(listing_->shown[static_cast<std::size_t>(place)]); };
    return content;
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
