#pragma once

#include "engine/subsets/order/sample_listing.h"
#include "widgets/link/panel.h"
#include "widgets/link/thumbnail_cache.h"
#include "widgets/ranking/ranking_model.h"

#include <QKeySequence>

#include <functional>
#include <memory>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QSlider;
class QStackedWidget;
class QToolButton;

namespace assay {

class RankingCells;
class RankingModel;
class RankingPicker;
class RankingTable;
class SampleGrid;

/// The samples of the current model, or the real ones, in an order of interest, as pictures or as a table.
class RankingView : public Panel {
    Q_OBJECT

public:
    explicit RankingView(PanelHost& host);
    ~RankingView() override;

    static QString title() { return tr("Ranking: which samples stand out?"); }
    /// The ranking in force: "Most unrealistic first (PCE)".
    QString currentTitle() const;
    RankingModel* model() const noexcept { return model_; }
    const RankingCells& cells() const noexcept { return *cells_; }

    /// What the gallery groups by, where the audit knows it. A list has no groups.
    void setGrouping(RankingGrouping grouping);
    RankingGrouping grouping() const noexcept { return grouping_; }
    /// Whether each picture has its nearest sample of the other set under it.
    void setNearestShown(bool shown);
    bool isNearestShown() const;

    /// The order, which samples are listed, and how.
    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;

private:
    enum Page { GalleryPage, TablePage };

    QWidget* makeBar();
    QToolButton* makePageButton(const char* name, const QString& text, const QString& hint, Page page);
    void addKey(const QKeySequence& keys, const QString& text, const std::function<void()>& act);
    void groupByNext();
    /// Groups the listed samples as wanted, as far as that goes.
    void applyGrouping();
    void connectParts();
    void connectGallery();
    void showOptionalControls();
    void fillClasses();
    void showFilter();
    void fillExternalOrders();
    void showOrderInCombo();
    void showPage();
    void showCount();
    void reveal(std::optional<std::size_t> position);
    void revealFocus();
    void revealFirstSelected();
    void scrollToTop();

    RankingModel* model_;
    RankingPicker* picker_;
    std::unique_ptr<RankingCells> cells_;
    SampleGrid* gallery_;
    RankingTable* table_;
    QStackedWidget* pages_;
    QWidget* bar_;
    QComboBox* orderCombo_;
    std::vector<RankingOrder> externalOrders_; ///< in the box below those that there always are
    QComboBox* showCombo_;
    QComboBox* classCombo_;
    QComboBox* groupCombo_;
    QToolButton* nearestButton_;
    QLineEdit* search_;
    QLabel* count_;
    QSlider* size_;
    QToolButton* galleryButton_;
    QToolButton* tableButton_;
    Page wanted_ = GalleryPage;
    RankingGrouping grouping_ = RankingGrouping::None;
    bool revealsLater_ = false; ///< once what is being listed has come
    std::optional<SampleId> shownFocus_;
};

} // namespace assay
