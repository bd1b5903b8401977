#pragma once

#include "widgets/link/panel.h"
#include "widgets/samples/listed_pairs.h"

#include <memory>

class QBoxLayout;
class QComboBox;
class QLabel;
class QPushButton;

namespace assay {

class PairGallery;

/// Pairs of samples that are nearly the same, nearest first and side by side: synthetic ones with each other, with real
/// ones, and held-out ones with real ones.
class PairsPanel : public Panel {
    Q_OBJECT

public:
    explicit PairsPanel(PanelHost& host);

    static QString title() { return tr("Which samples are nearly the same?"); }

    const ListedPairs& pairs() const noexcept { return pairs_; }

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

    /// Shows these pairs; those of another model than the current one are ignored.
    void showPairs(std::shared_ptr<const assay::PairLists> lists);

protected:
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;
    void hoverChanged() override;
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
    void arrange();

    std::shared_ptr<const PairLists> lists_; ///< of the current model; null while they are not known
    ListedPairs pairs_;
    QWidget* bar_;
    QBoxLayout* barLayout_;
    QComboBox* kinds_;
    QPushButton* left_;
    QPushButton* right_;
    QLabel* summary_;
    PairGallery* gallery_;
};

} // namespace assay
