#pragma once

#include "widgets/link/linked_view.h"

#include <memory>

class QBoxLayout;
class QLabel;
class QScrollArea;
class QStackedLayout;

namespace assay {

class SampleTable;
class TableView;
class ThumbnailCache;

/// Why the current model's density is what it is: the steps from density to clipped density, how many synthetic samples
/// the real balls hold, and the real samples whose balls hold most. A click on one of these selects it.
class DiagnosticsPanel : public LinkedView {
    Q_OBJECT

public:
    /// @param pictures outlives the panel; null: the panel keeps its own
    DiagnosticsPanel(SampleSelection* selection, QWidget* parent, ThumbnailCache* pictures = nullptr);
    ~DiagnosticsPanel() override;

    static QString title() { return tr("What inflates density?"); }

    QSize sizeHint() const override { return {760, 420}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

signals:
    /// The person wants to look closely at a real sample.
    void inspectRequested(assay::SampleId sample);

protected:
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeBody();
    QWidget* makeTables(QWidget* parent);
    QWidget* makeBalls(QWidget* parent);
    void showModel();
    void showAnswer();
    void arrange();

    std::unique_ptr<ThumbnailCache> ownPictures_;
    ThumbnailCache* pictures_;
    TableView* steps_;
    TableView* occupancy_;
    SampleTable* balls_;
    QLabel* answer_;
    QLabel* hint_;
    QScrollArea* scroll_;
    QBoxLayout* columns_;
    QStackedLayout* pages_;
};

} // namespace assay
