#pragma once

#include "widgets/link/linked_view.h"

class QItemSelection;
class QLabel;
class QSortFilterProxyModel;
class QStackedLayout;

namespace assay {

class ClassesModel;
class ClassesTable;

/// Every per-sample score of the current model by class, where the sets have labels, and which classes are missing. A
/// click on a class selects its samples; a click on a heading sorts.
class ClassesPanel : public LinkedView {
    Q_OBJECT

public:
    ClassesPanel(SampleSelection* selection, QWidget* parent);

    static QString title() { return tr("How good is each class?"); }

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

protected:
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;

private:
    QWidget* makeTablePage();
    void selectClasses();
    void showNote();
    /// Whether the classes lie among each other as they should; empty where that is not known.
    QString movedText() const;

    ClassesModel* model_;
    QSortFilterProxyModel* sorted_;
    ClassesTable* table_;
    QLabel* note_;
    QLabel* hint_;
    QStackedLayout* pages_;
    bool selecting_ = false; ///< rows and samples are being brought into line
};

} // namespace assay
