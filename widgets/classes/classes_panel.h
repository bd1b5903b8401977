#pragma once

#include "engine/audit/result/nearest_classes.h"
#include "widgets/link/linked_view.h"

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QStackedLayout;
class QStackedWidget;

namespace assay {

class ClassesTable;
class NearestClassesView;

/// The current model by class, where the sets have labels: every per-sample score and which classes are missing, and
/// the classes of the nearest real samples. A click selects a class's or a cell's samples, a double click or Enter
/// shows no others, a click on a heading sorts.
class ClassesPanel : public LinkedView {
    Q_OBJECT

public:
    ClassesPanel(SampleSelection* selection, QWidget* parent);

    static QString title() { return tr("How good is each class?"); }

    /// From now on the classes of nearest samples of sets with more samples than this are asked for.
    void findLater(std::size_t samples);

    std::optional<Figure> figure() override;

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

public slots:
    /// Shows the classes of nearest samples; those of another model than the current one are ignored.
    void showClasses(const std::shared_ptr<const assay::ComparedClasses>& classes);

signals:
    /// The classes of nearest samples of this model of the audit are to be shown and have not been found yet.
    void classesWanted(std::shared_ptr<const assay::AuditResult> audit, std::size_t model);

protected:
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;

private:
    QWidget* makeTablePage();
    QWidget* makeContentPage();
    void showPart();
    void selectClasses();
    /// Shows one class only, or everything again.
    void filterToClass(int row);
    Figure scoresFigure();
    void showNote();
    /// Whether the classes lie among each other as they should; empty where that is not known.
    QString movedText() const;

    ClassesTable* table_;
    QLabel* note_;
    QLabel* hint_;
    QStackedLayout* pages_;
    QComboBox* picker_;
    QStackedWidget* parts_; ///< scores, then nearest classes
    NearestClassesView* nearest_;
    bool isNearestOld_ = true; ///< it has not been told of the state
    bool selecting_ = false;   ///< rows and samples are being brought into line
};

} // namespace assay
