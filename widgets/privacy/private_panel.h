#pragma once

#include "widgets/link/linked_view.h"
#include "widgets/samples/listed_pairs.h"
#include "widgets/samples/thumbnail_cache.h"

#include <memory>

class QBoxLayout;
class QLabel;
class QPushButton;
class QStackedLayout;

namespace assay {

class IntervalChart;
class PairCells;
class SampleGrid;

/// Whether the current model gives its training samples away: how well someone who holds the synthetic set tells them
/// from held-out ones, the distances that the field quotes, and the most exposed real samples, each beside its nearest
/// synthetic one. Where samples are rejected, what is kept stands beside as many samples at random.
///
/// The panel computes nothing itself: it asks with keptScoresWanted() and exposedWanted(); scores of the kept samples
/// come with the state, pairs with showExposed().
class PrivatePanel : public LinkedView {
    Q_OBJECT

public:
    /// @param pictures of the audit; outlives the view; null: the view keeps its own
    PrivatePanel(SampleSelection* selection, QWidget* parent, ThumbnailCache* pictures = nullptr);
    ~PrivatePanel() override;

    static QString title() { return tr("Does it give training samples away?"); }
    /// Why there is nothing to show about the current model, as a sentence; empty where there is.
    static QString whyNothing(const ViewState& state);

    std::optional<Figure> figure() override;

    const ListedPairs& exposed() const noexcept { return pairs_; }

    QSize sizeHint() const override { return {700, 400}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

public slots:
    /// Shows these real samples; those of another model than the current one are ignored.
    void showExposed(std::shared_ptr<const assay::PairLists> lists);

signals:
    /// Membership of what the state keeps is to be shown and is not known.
    void keptScoresWanted();
    /// The most exposed real samples of this model of the audit are to be shown and have not been found yet.
    void exposedWanted(std::shared_ptr<const assay::AuditResult> audit, std::size_t model);
    /// Double click or Enter: the person wants to look closely at a sample.
    void inspectRequested(assay::SampleId sample);
    /// The person wants to audit the sets again, with a held-out one.
    void heldOutWanted();

protected:
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Charts {
        IntervalChart* auc;
        IntervalChart* found;
        IntervalChart* closest;
        IntervalChart* ratio;
    };

    QWidget* makeHint();
    QWidget* makePage();
    QWidget* makeExposed(QWidget* parent);
    bool isMeasured() const;
    bool areOfState(const PairLists& lists) const;
    void showModel();
    void showMembership();
    void showDistances();
    void showList();
    void arrange();

    std::unique_ptr<ThumbnailCache> own_;
    ThumbnailCache* pictures_;
    std::shared_ptr<const PairLists> lists_; ///< of the current model; null while they are not known
    ListedPairs pairs_;
    std::unique_ptr<PairCells> cells_;
    SampleGrid* gallery_;
    Charts charts_{};
    QWidget* numbers_; ///< all charts
    QLabel* sentence_;
    QLabel* kept_;
    QLabel* summary_;
    QPushButton* select_;
    QBoxLayout* columns_;
    QLabel* hint_;
    QPushButton* open_;
    QStackedLayout* pages_;
};

} // namespace assay
