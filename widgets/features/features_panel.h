#pragma once

#include "widgets/link/linked_view.h"

class QLabel;
class QSortFilterProxyModel;
class QStackedLayout;
class QTableView;

namespace assay {

class FeaturesModel;

/// The features of the current model one by one, those that differ most from the real set's first. A click on a heading
/// sorts.
class FeaturesPanel : public LinkedView {
    Q_OBJECT

public:
    FeaturesPanel(SampleSelection* selection, QWidget* parent);

    static QString title() { return tr("Which features differ?"); }

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

protected:
    void stateChanged(const ViewState& previous) override;

private:
    QWidget* makeTablePage();
    void showModel();
    QString answer() const;

    FeaturesModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    QLabel* answer_;
    QLabel* hint_;
    QStackedLayout* pages_;
};

} // namespace assay
