#pragma once

#include "widgets/link/linked_view.h"
#include "widgets/samples/thumbnail_cache.h"

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QSlider;
class QStackedWidget;
class QToolButton;

namespace assay {

class GalleryView;
class RankingModel;
class RankingPicker;
class RankingTable;

/// The samples of the current model, or the real ones, in an order of interest, as pictures or as a table.
class RankingView : public LinkedView {
    Q_OBJECT

public:
    /// @param pictures outlives the view; null: the view keeps its own
    RankingView(SampleSelection* selection, QWidget* parent, ThumbnailCache* pictures = nullptr);

    static QString title() { return tr("Ranking: which samples stand out?"); }
    /// The title with the ranking in force: "Ranking: most unrealistic first (PCE)".
    QString currentTitle() const;
    RankingModel* model() const noexcept { return model_; }

signals:
    /// Double click or Enter: the person wants to look closely at a sample.
    void inspectRequested(assay::SampleId sample);
    void currentTitleChanged(const QString& title);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;

private:
    enum Page { GalleryPage, TablePage, EmptyPage };

    QWidget* makeBar();
    QToolButton* makePageButton(const QString& name, const QString& text, const QString& hint, Page page);
    void makeShowCombo();
    void connectParts();
    void showOptionalControls();
    void fillClasses();
    void showFilter();
    void showOrderInCombo();
    void showPage();
    void showCount();
    void reveal(std::optional<std::size_t> position);
    void revealFocus();
    void revealFirstSelected();

    std::unique_ptr<ThumbnailCache> own_;
    ThumbnailCache* pictures_;
    RankingModel* model_;
    RankingPicker* picker_;
    GalleryView* gallery_;
    RankingTable* table_;
    QStackedWidget* pages_;
    QWidget* bar_;
    QComboBox* orderCombo_;
    QComboBox* showCombo_;
    QComboBox* classCombo_;
    QLineEdit* search_;
    QLabel* count_;
    QSlider* size_;
    QToolButton* galleryButton_;
    QToolButton* tableButton_;
    QLabel* hint_;
    Page wanted_ = GalleryPage;
    std::optional<SampleId> shownFocus_;
};

} // namespace assay
