#pragma once

#include "engine/audit/result/by_class.h"
#include "widgets/link/view_state.h"

#include <QWidget>

#include <limits>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;

namespace assay {

class SampleSelection;
class HeatTable;

/// For each class of the current model's samples, the classes of their nearest real samples, as a table of coloured
/// shares: a row per synthetic class, a column per real one. A click on a cell selects its samples, a double click or
/// Enter shows no others.
class NearestClassesView : public QWidget {
    Q_OBJECT

public:
    /// Up to so many classes come in their own order at first; of more, the most confused come first.
    static constexpr std::size_t kMaxInOrder = 20;

    /// @param selection outlives the view
    NearestClassesView(SampleSelection* selection, QWidget* parent);
    ~NearestClassesView() override;

    /// Shows the state's current model.
    void setState(const ViewState& state);
    /// Shows what was asked for; that of another model than the current one is ignored.
    void showClasses(const std::shared_ptr<const ComparedClasses>& classes);
    /// The selection has changed, here or elsewhere.
    void followSelection();

    /// The order and the filter, for whoever shows the view to place.
    QWidget* tools() const noexcept { return tools_; }

    /// Whether both sets have labels, and the passes their neighbours.
    bool hasClasses() const noexcept { return shown_ != nullptr; }
    /// @param title of the panel
    std::optional<Figure> figure(const QString& title) const;

signals:
    void filterChosen(const assay::ViewFilter& filter);
    /// The classes of nearest samples of the current model are to be shown and have not been found yet.
    void classesWanted();

private:
    struct Shown;

    void find();
    void show();
    void showNote();
    void showButton();
    std::vector<QStringList> data() const;
    /// The samples of the chosen cells, whatever the filter.
    SampleSet chosenSamples() const;
    void selectChosen();
    void filterToChosen();
    bool isFilteredToChosen() const;

    SampleSelection* selection_;
    ViewState state_;
    std::shared_ptr<const Shown> shown_; ///< null: no classes to show
    bool isAwaited_ = false;             ///< the classes have been asked for
    QWidget* tools_;
    HeatTable* table_;
    QComboBox* order_;
    QPushButton* only_;
    QLabel* note_;
    SampleSet chosen_; ///< chosenSamples() of the chosen cells
    bool isSelecting_ = false;
    bool isOrderChosen_ = false; ///< by a person, for all models
};

} // namespace assay
