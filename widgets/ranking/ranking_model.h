#pragma once

#include "engine/data/sample_set.h"
#include "engine/metrics/tables/metric.h"
#include "engine/metrics/verdicts/verdict.h"
#include "engine/report/scores/explain.h"
#include "engine/subsets/order/sample_listing.h"
#include "widgets/link/view_state.h"
#include "widgets/tables/row_model.h"

#include <Qt>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

class SampleSelection;

/// Sort key of a ranking: "id", "class", "kept", "tags", "note" or the id of a column of its side.
struct RankingOrder {
    std::string column = "p_any";
    Qt::SortOrder order = Qt::AscendingOrder;
    Side side = Side::Synthetic; ///< which set is listed

    friend bool operator==(const RankingOrder&, const RankingOrder&) = default;
};

/// A request for all samples of an order, with what a state says about them. @pre the state has a model
inline ListingRequest listingRequest(const ViewState& state, const RankingOrder& order) {
    return {.audit = state.audit,
            .model = state.model,
            .said = {state.kept, state.rejectedByHand, state.accepted, state.unsure, state.tags, state.notes},
            .shown = state.shown,
            .order = {order.column,
                      order.order == Qt::DescendingOrder ? SortDirection::Descending : SortDirection::Ascending,
                      order.side}};
}

/// The set that an order lists. @pre the state has a model
inline SetId listedSet(const ViewState& state, const RankingOrder& order) {
    return order.side == Side::Real ? SetId::Real : state.currentSet();
}

inline bool canGroupBy(RankingGrouping grouping, const ViewState& state, Side side) {
    return state.hasModel() ? canGroupBy(grouping, *state.audit, state.model, side) : grouping == RankingGrouping::None;
}

/// The samples of the current model or of the real set in a chosen order, filtered: the one model behind list and
/// gallery.
///
/// Rows are positions in the ranking; everything that leaves the model is a SampleId. Ties go by the evidence, worst
/// first, then keep the order of the file; samples without a value come last. Groups stand one after another.
///
/// A listing of many samples takes long: where listLater() was called it is made elsewhere. Until it comes the model
/// keeps the listing before it, or lists nothing where that was of other samples.
class RankingModel : public RowModel {
    Q_OBJECT

public:
    enum FixedColumn { IdColumn, ClassColumn, KeptColumn, TagsColumn, NoteColumn, FixedColumnCount };

    /// @param selection outlives the model
    explicit RankingModel(SampleSelection* selection, QObject* parent = nullptr);

    void setState(const ViewState& state);
    const ViewState& state() const noexcept { return state_; }
    SampleSelection* selection() const noexcept { return selection_; }

    void setOrder(const RankingOrder& order);
    const RankingOrder& order() const noexcept { return order_; }
    void setShow(RankingShow show);
    RankingShow show() const noexcept { return show_; }
    /// Ignored while the audit does not know what to group by.
    void setGrouping(RankingGrouping grouping);
    RankingGrouping grouping() const noexcept { return grouping_; }
    /// The set that is listed; the state must have a model.
    SetId listedSet() const noexcept { return order_.side == Side::Real ? SetId::Real : state_.currentSet(); }
    const EmbeddingSet& listed() const { return state_.audit->setOf(listedSet()); }

    /// From now on sets of more than `rows` samples are listed by whoever hears listingWanted().
    void listLater(std::size_t rows) { rowsAtOnce_ = rows; }
    /// Whether a listing was requested that has not come yet.
    bool isListing() const noexcept { return isPending_; }

    /// Samples listed, and samples there are.
    std::size_t size() const noexcept { return listing_->shown.size(); }
    std::size_t total() const noexcept { return state_.hasModel() ? listed().rows() : 0; }
    /// What the listed groups have in common: another grouping than the wanted one until its listing comes.
    RankingGrouping listedGrouping() const noexcept { return listing_ ? listing_->grouping : RankingGrouping::None; }
    /// Empty without a grouping.
    const std::vector<SampleGroup>& groups() const noexcept { return listing_->groups; }
    /// The samples of a group. @param group index in groups()
    SampleSet samplesOf(std::size_t group) const;
    /// @param position in [0, size())
    SampleId sampleAt(std::size_t position) const noexcept;
    /// Where the sample is listed; none when it is of another set or filtered out.
    std::optional<std::size_t> positionOf(SampleId id) const noexcept;
    /// The sample's verdict; Good if there is none.
    Verdict verdictOf(std::uint32_t row) const noexcept {
        return verdict_ ? static_cast<Verdict>((*verdict_)[row]) : Verdict::Good;
    }

    /// The real sample's verdict; Covered for synthetic ones, and without verdicts.
    CoverageVerdict coverageVerdictOf(std::uint32_t row) const noexcept {
        return coverageVerdict_ ? static_cast<CoverageVerdict>((*coverageVerdict_)[row]) : CoverageVerdict::Covered;
    }
    const SampleEvidence& evidence() const noexcept { return evidence_; }

    /// Follows the selection; for the view to call, as it knows when anybody looks.
    void selectionChanged();

    /// Value that the ranking goes by, NaN for orders by id, class or kept; its column or null.
    double rankedValue(std::uint32_t row) const noexcept;
    const Column* rankedColumn() const noexcept { return rankedColumn_; }
    /// The ranked value's place in [0, 1] between the column's 2nd and 98th percentile (shares: itself), for colouring.
    double rankedShade(std::uint32_t row) const noexcept;
    /// Section of an order's column, -1 when there is none.
    int sectionOf(const std::string& column) const noexcept;
    /// What the table shows. @param section in [0, columnCount())
    QString cellText(int section, std::uint32_t row) const;

    /// Ranks by a section.
    void sort(int section, Qt::SortOrder order) override;

public slots:
    /// Shows a listing that was requested, unless another one was meanwhile.
    void showListing(std::shared_ptr<const assay::RankingListing> listing);

signals:
    void orderChanged();
    void showChanged();
    void groupingChanged();
    void listingWanted(std::shared_ptr<const assay::ListingRequest> request);

private:
    struct ScoreColumn {
        const Column* column;
        const std::vector<double>* values;
    };

    /// A real sample is not decided about.
    bool isKept(std::uint32_t row) const { return order_.side == Side::Real || state_.isKept(row); }
    void loadColumns();
    void loadRanked();
    void loadShade();
    enum class Rows { Sort, Keep };
    /// Lists at once, within a reset of the model, or requests a listing.
    void list(Rows rows);
    void rebuild(Rows rows);
    QString keptText(std::uint32_t row) const;
    TableCell cellAt(int section, int place) const;
    TableColumn fixedColumn(FixedColumn section) const;
    TableColumn scoreColumn(std::size_t at) const;
    TableContent makeContent() const;

    SampleSelection* selection_;
    ViewState state_;
    std::vector<ScoreColumn> columns_;
    const std::vector<double>* verdict_ = nullptr;
    const std::vector<double>* coverageVerdict_ = nullptr;
    const Column* rankedColumn_ = nullptr;
    const std::vector<double>* rankedValues_ = nullptr;
    double shadeLow_ = 0.0;
    double shadeHigh_ = 1.0;

    RankingOrder order_;
    RankingShow show_ = RankingShow::All;
    RankingGrouping grouping_ = RankingGrouping::None;
    SampleSet listedSelection_; ///< what the list of selected samples was made from
    SampleEvidence evidence_;
    std::shared_ptr<const RankingListing> listing_ = std::make_shared<const RankingListing>();
    std::size_t rowsAtOnce_ = static_cast<std::size_t>(-1);
    std::uint64_t newest_ = 0; ///< number of the last request
    bool isPending_ = false;   ///< a listing was requested that has not come yet
    bool sortWanted_ = false;  ///< and it sorts
};

} // namespace assay
