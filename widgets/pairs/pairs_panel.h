#pragma once

#include "widgets/samples/listed_pairs.h"
#include "widgets/samples/thumbnail_cache.h"

#include <memory>

class QBoxLayout;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace assay {

class PairCells;
class SampleGrid;

/// Pairs of samples that are nearly the same, nearest first and side by side: synthetic ones with each other, with real
/// ones, and held-out ones with real ones.
///
/// The panel does not look for pairs itself: it asks for them with pairsWanted() and is given them with showPairs().
class PairsPanel : public LinkedView {
    Q_OBJECT

public:
    /// @param pictures of the audit, and of the held-out set; outlive the view; null: the view keeps its own
    PairsPanel(SampleSelection* selection, QWidget* parent, ThumbnailCache* pictures = nullptr,
               ThumbnailCache* heldOutPictures = nullptr);
    ~PairsPanel() override;

    static QString title() { return tr("Which samples are nearly the same?"); }

    const ListedPairs& pairs() const noexcept { return pairs_; }

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

public slots:
    /// Shows these pairs; those of another model than the current one are ignored.
    void showPairs(std::shared_ptr<const assay::PairLists> lists);

signals:
    /// The pairs of this model of the audit are to be shown and have not been found yet.
    void pairsWanted(std::shared_ptr<const assay::AuditResult> audit, std::size_t model);
    /// Double click or Enter: the person wants to look closely at a sample.
    void inspectRequested(assay::SampleId sample);

protected:
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeBar();
    QPushButton* makeButton(const QString& name, const QString& text, PairSide side);
    bool areOfState(const PairLists& lists) const;
    PairKind kind() const;
    void fillKinds();
    void showList();
    void showButtons();
    bool isByChance() const;
    void showHint();
    void arrange();

    std::unique_ptr<ThumbnailCache> own_;
    std::unique_ptr<ThumbnailCache> ownHeldOut_;
    ThumbnailCache* pictures_;
    ThumbnailCache* heldOutPictures_;
    std::shared_ptr<const PairLists> lists_; ///< of the current model; null while they are not known
    ListedPairs pairs_;
    QWidget* bar_;
    QBoxLayout* barLayout_;
    QComboBox* kinds_;
    QPushButton* left_;
    QPushButton* right_;
    QLabel* summary_;
    std::unique_ptr<PairCells> cells_;
    SampleGrid* gallery_;
    QLabel* hint_;
    QStackedWidget* pages_;
};

} // namespace assay
