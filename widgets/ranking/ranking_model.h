#pragma once

#include "engine/data/sample_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "widgets/link/linked_view.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Sort key of a ranking: "id", "class", "kept", "tags", "note" or the id of a column of its side.
struct RankingOrder {
    std::string column = "p_any";
    Qt::SortOrder order = Qt::AscendingOrder;
    Side side = Side::Synthetic; ///< which set is listed

    friend bool operator==(const RankingOrder&, const RankingOrder&) = default;
};

/// Which samples a ranking lists.
/// Undecided: what nobody has judged by hand; Reviewed: the others.
enum class RankingShow { All, Selected, Kept, Rejected, Accused, Undecided, Reviewed };

/// The samples of the current model or of the real set in a chosen order, filtered: the one model behind list and
/// gallery.
///
/// Rows are positions in the ranking; everything that leaves the model is a SampleId. Ties go by the column that the
/// catalogue names for them, worst first, or keep the order of the file; samples without a value come last.
class RankingModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { SampleRole = Qt::UserRole, SelectedRole, RejectedRole, AccusedRole };
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
    /// The set that is listed; the state must have a model.
    SetId listedSet() const noexcept { return order_.side == Side::Real ? SetId::Real : state_.currentSet(); }
    const EmbeddingSet& listed() const { return state_.audit->setOf(listedSet()); }

    /// Samples listed, and samples there are.
    std::size_t size() const noexcept { return shown_.size(); }
    std::size_t total() const noexcept { return sorted_.size(); }
    /// @param position in [0, size())
    SampleId sampleAt(std::size_t position) const noexcept;
    /// Where the sample is listed; none when it is of another set or filtered out.
    std::optional<std::size_t> positionOf(SampleId id) const noexcept;
    /// The sample's verdict; Good if there is none.
    Verdict verdictOf(std::uint32_t row) const noexcept {
        return verdict_ ? static_cast<Verdict>((*verdict_)[row]) : Verdict::Good;
    }

    /// Follows the selection; for the view to call, as it knows when anybody looks.
    void selectionChanged();

    /// Value that the ranking goes by, NaN for orders by id, class or kept; its column or null.
    double rankedValue(std::uint32_t row) const noexcept;
    const Column* rankedColumn() const noexcept { return rankedColumn_; }
    /// The ranked value's place in [0, 1] between the column's 2nd and 98th percentile (shares: itself), for colouring.
    double rankedShade(std::uint32_t row) const noexcept;
    /// Section of an order's column, -1 when there is none.
    int sectionOf(const std::string& column) const noexcept;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int section, Qt::SortOrder order) override;

signals:
    void orderChanged();
    void showChanged();

private:
    struct ScoreColumn {
        const Column* column;
        const std::vector<double>* values;
    };

    /// A real sample is not decided about.
    bool isKept(std::uint32_t row) const { return order_.side == Side::Real || state_.isKept(row); }
    void loadColumns();
    std::vector<double> sortKeys() const;
    void sortAll();
    void loadShade();
    void filter();
    void rebuild(bool resort);
    /// How far from rejection a sample is: rejected by hand, by the rules, unsure, kept, kept by hand.
    double decisionRank(std::uint32_t row) const;
    bool passes(std::uint32_t row) const;
    QString keptText(std::uint32_t row) const;
    QString cellText(int section, std::uint32_t row) const;
    QVariant alignment(int section) const;

    SampleSelection* selection_;
    ViewState state_;
    std::vector<ScoreColumn> columns_;
    const std::vector<double>* verdict_ = nullptr;
    const Column* rankedColumn_ = nullptr;
    const std::vector<double>* rankedValues_ = nullptr;
    const std::vector<double>* tieValues_ =
        nullptr; ///< what orders equal ranked values; null for the order of the file
    double shadeLow_ = 0.0;
    double shadeHigh_ = 1.0;

    RankingOrder order_;
    RankingShow show_ = RankingShow::All;
    SampleSet listedSelection_;           ///< what the list of selected samples was made from
    std::vector<std::uint32_t> sorted_;   ///< every row in the order
    std::vector<std::uint32_t> shown_;    ///< those that pass the filters
    std::vector<std::int32_t> positions_; ///< per row: its index in shown_, -1 when filtered out
};

} // namespace assay
