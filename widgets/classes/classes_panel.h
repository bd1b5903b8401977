#pragma once

#include "engine/audit/result/by_class.h"
#include "engine/subsets/what_if/kept_frechet.h"
#include "widgets/link/panel.h"

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace assay {

class ClassesTable;
class NearestClassesView;

/// The current model by class, where the sets have labels: every per-sample score and which classes are missing, and
/// the classes of the nearest real samples. A click selects a class's or a cell's samples, a double click or Enter
/// shows no others, a click on a heading sorts.
class ClassesPanel : public Panel {
    Q_OBJECT

public:
    explicit ClassesPanel(PanelHost& host);

    static QString title() { return tr("How good is each class?"); }

    std::optional<Figure> figure() override;

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

    /// Shows the classes of nearest samples; those of another model than the current one are ignored.
    void showClasses(std::shared_ptr<const ComparedClasses> classes);

protected:
    void stateChanged(const Changes& changes) override;
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
    /// The class that adds most to the Frechet distance; empty until it is found, and where none does.
    QString heaviestText() const;
    void askForHeaviest();

    ClassesTable* table_;
    QLabel* note_;
    QComboBox* picker_;
    QStackedWidget* parts_; ///< scores, then nearest classes
    NearestClassesView* nearest_;
    std::optional<ClassFrechet> heaviest_;
    bool isNearestOld_ = true; ///< it has not been told of the state
    bool selecting_ = false;   ///< rows and samples are being brought into line
};

} // namespace assay
