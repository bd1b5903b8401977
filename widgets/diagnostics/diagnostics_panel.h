#pragma once

#include "widgets/link/panel.h"

class QBoxLayout;
class QLabel;
class QScrollArea;
class QStackedLayout;
class QStandardItemModel;

namespace assay {

class FullBallsModel;
class FullBallsTable;
class SummaryTable;
class ThumbnailCache;

/// Why the current model's density is what it is: the steps from density to clipped density, how many synthetic samples
/// the real balls hold, and the real samples whose balls hold most. A click on one of these selects it.
class DiagnosticsPanel : public Panel {
    Q_OBJECT

public:
    explicit DiagnosticsPanel(PanelHost& host);

    static QString title() { return tr("What inflates density?"); }

    QSize sizeHint() const override { return {760, 420}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

protected:
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeBody();
    QWidget* makeTables(QWidget* parent);
    QWidget* makeBalls(QWidget* parent);
    void showModel();
    void showAnswer();
    void arrange();

    QStandardItemModel* stepRows_;
    QStandardItemModel* occupancyRows_;
    FullBallsModel* balls_;
    SummaryTable* steps_;
    SummaryTable* occupancy_;
    FullBallsTable* ballsTable_;
    QLabel* answer_;
    QScrollArea* scroll_;
    QBoxLayout* columns_;
};

} // namespace assay
