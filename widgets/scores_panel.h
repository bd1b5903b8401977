#pragma once

#include "widgets/linked_view.h"

#include <vector>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedLayout;

namespace assay {

class ScoresModel;
class ScoresTable;

/// Every score of the catalogue for every model, with a search. A click on a model's name makes it the current one;
/// Ctrl+C copies what is listed as tab-separated text.
class ScoresPanel : public LinkedView {
    Q_OBJECT

public:
    ScoresPanel(SampleSelection* selection, QWidget* parent);

    static QString title() { return tr("All scores"); }

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

protected:
    void stateChanged(const ViewState& previous) override;

private:
    QWidget* makeBar();
    QWidget* makeTablePage();
    std::vector<int> listedRows() const;
    void copy();
    void choose(int column);
    void showCount();
    void showNotes();

    ScoresModel* model_;
    QSortFilterProxyModel* found_;
    ScoresTable* table_;
    QLineEdit* search_;
    QLabel* count_;
    QLabel* notes_;
    QLabel* hint_;
    QStackedLayout* pages_;
};

} // namespace assay
