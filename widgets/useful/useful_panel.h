#pragma once

#include "engine/subsets/what_if/useful_what_if.h"
#include "widgets/link/panel.h"

#include <memory>

class QBoxLayout;
class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace assay {

class ClassUtilityModel;
class ConfusionCounts;
class HeatTable;
class IntervalChart;

/// What the current model's samples are worth as training data: accuracy (or R^2) beside that of real data, which
/// classes suffer most, and which real samples are taken for what. A click on a class or on a cell of the matrix
/// selects its real samples. Where samples are rejected, what is kept stands beside as many samples at random.
class UsefulPanel : public Panel {
    Q_OBJECT

public:
    explicit UsefulPanel(PanelHost& host);

    static QString title() { return tr("How useful are its samples as training data?"); }
    /// Why there is nothing to show about the current model, as a sentence; empty where there is.
    static QString whyNothing(const ViewState& state);

    std::optional<Figure> figure() override;

    QSize sizeHint() const override { return {700, 400}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

    /// Shows what the real samples are taken for; of another model than the current one it is ignored.
    void showClasses(std::shared_ptr<const assay::PredictedClasses> classes);

protected:
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    class HeatLegend;

    QWidget* makePage();
    QWidget* makeByClass(QWidget* parent);
    QWidget* makeMatrix(QWidget* parent);
    bool hasClasses() const;
    void showModel();
    void showAccuracy();
    void showMatrixNote();
    void showCounts(std::shared_ptr<const ConfusionCounts> counts);
    void selectClasses();
    void selectCells();
    void arrange();

    IntervalChart* chart_;
    ClassUtilityModel* classes_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    HeatTable* cells_;
    std::shared_ptr<const ConfusionCounts> counts_; ///< that it shows; null: not known yet
    QLabel* sentence_;
    QLabel* kept_;
    QLabel* matrixNote_;
    HeatLegend* legend_;
    QWidget* byClass_;
    QWidget* confusion_;
    QWidget* body_;
    QBoxLayout* bar_; ///< sentences and button
    QBoxLayout* columns_;
    QPushButton* curve_;
    bool selecting_ = false; ///< cells and samples are being brought into line
};

} // namespace assay
