#pragma once

#include "engine/audit/result/by_class.h"
#include "widgets/link/view_state.h"
#include "widgets/tables/table_view.h"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// The current model by class: a class a row; how many samples it has in either set and how many of them are selected;
/// then the mean of every per-sample score, those that people look at first in front, shaded: shares by themselves,
/// other scores from 0 to the largest of the classes, those that may be negative from the lowest one.
class ClassesTable : public TableView {
    Q_OBJECT

public:
    enum FixedColumn { RealColumn, SyntheticColumn, SelectedColumn, FixedColumns };

    explicit ClassesTable(QWidget* parent);

    /// Shows the state's current model.
    void setState(const ViewState& state);
    /// Counts the samples that the state's filter leaves; scores stay those of all samples.
    void setShown(const ViewState& state);
    /// Counts the selected samples of each class: real ones and those of the current model.
    void countSelected(const SampleSelection& selection);

    /// Whether either set has labels.
    bool hasClasses() const noexcept { return scores_.has_value(); }
    /// Classes that the synthetic set lacks; nothing where one of the sets has no labels.
    std::optional<std::vector<std::string>> missing() const;
    /// Classes of the model that the real set lacks, if the sets have a class in common.
    std::vector<std::string> invented() const;
    const std::string& label(int row) const { return classAt(row).label; }
    /// The samples of a class: those of the synthetic set, of the real set where there are none.
    SampleSet samplesOf(int row) const;
    /// The values shown, in their order: headings, then rows.
    std::vector<QStringList> data() const;

private:
    const ClassScores& classAt(int row) const { return scores_->classes[static_cast<std::size_t>(row)]; }
    const Column& scoreAt(std::size_t place) const { return *state_.findColumn(scores_->columns[place]); }
    /// How many of some samples are of each class.
    std::vector<std::size_t> count(SetId id, const SampleSet& samples) const;
    void countShown();
    bool isMissing(const ClassScores& scores) const;
    TableContent makeContent();
    TableCell countCell(FixedColumn column, int row) const;
    TableColumn scoreColumn(std::size_t place);

    ViewState state_;
    std::optional<ByClass> scores_;
    std::vector<std::size_t> selected_;                   ///< per class
    std::vector<std::size_t> shownReal_, shownSynthetic_; ///< per class, while there is a filter
};

} // namespace assay
