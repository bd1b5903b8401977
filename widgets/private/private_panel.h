#pragma once

#include "engine/subsets/order/listed_pairs.h"
#include "widgets/link/panel.h"
#include "widgets/link/thumbnail_cache.h"

#include <memory>

class QBoxLayout;
class QLabel;
class QPushButton;
class QStackedLayout;

namespace assay {

class IntervalChart;
class PairCells;
class SampleGrid;
struct ModelGroupUse;
class TableView;

/// Whether the current model gives its training samples away: how well someone who holds the synthetic set tells them
/// from held-out ones, the distances that the field quotes, and the most exposed real samples, each beside its nearest
/// synthetic one. Where samples are rejected, what is kept stands beside as many samples at random.
class PrivatePanel : public Panel {
    Q_OBJECT

public:
    explicit PrivatePanel(PanelHost& host);
    ~PrivatePanel() override;

    static QString title() { return tr("Does it give training samples away?"); }
    /// Why there is nothing to show about the current model, as a sentence; empty where there is.
    static QString whyNothing(const ViewState& state);

    std::optional<Figure> figure() override;

    const ListedPairs& exposed() const noexcept { return pairs_; }

    QSize sizeHint() const override { return {700, 400}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

    /// Shows how often each group of the real set is drawn from, by the current model; that of another one is ignored.
    void showGroups(std::shared_ptr<const assay::ModelGroupUse> use);
    /// Shows these real samples; those of another model than the current one are ignored.
    void showExposed(std::shared_ptr<const assay::PairLists> lists);

protected:
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Charts {
        IntervalChart* auc;
        IntervalChart* found;
        IntervalChart* closest;
        IntervalChart* ratio;
    };

    QWidget* makePage();
    QWidget* makeExposed(QWidget* parent);
    bool isMeasured() const;
    bool areOfState(const PairLists& lists) const;
    void showModel();
    void showParts();
    void chooseGroup();
    void showMembership();
    void showDistances();
    void showList();
    void arrange();

    std::shared_ptr<const PairLists> lists_; ///< of the current model; null while they are not known
    ListedPairs pairs_;
    std::unique_ptr<PairCells> cells_;
    SampleGrid* gallery_;
    Charts charts_{};
    QWidget* numbers_; ///< all charts
    QWidget* measured_;
    QWidget* exposed_;
    TableView* groups_;
    SampleSet ofGroups_; ///< selected by rows of the table
    QPushButton* openHeldOut_;
    std::shared_ptr<const ModelGroupUse> use_; ///< rows of the table; null while they are not known
    QLabel* sentence_;
    QLabel* kept_;
    QLabel* summary_;
    QPushButton* select_;
    QBoxLayout* columns_;
};

} // namespace assay
