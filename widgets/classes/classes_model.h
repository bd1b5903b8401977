#pragma once

#include "engine/audit/result/by_class.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/link/view_state.h"

#include <QAbstractTableModel>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

class SampleSelection;

/// The current model by class: a class a row; how many samples it has in either set and how many of them are selected;
/// then the mean of every per-sample score, those that people look at first in front.
class ClassesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum FixedColumn { ClassColumn, RealColumn, SyntheticColumn, SelectedColumn, FixedColumns };
    /// SortRole: the number, nothing where there is none. MissingRole: whether the class is in the real set and not in
    /// the synthetic one. ShadeRole: a score's place on the colour map, in [0, 1]: a share itself, other scores
    /// from 0 to the largest of the classes, those that may be negative from the lowest one; nothing for other cells.
    /// RealSideRole, of headings too: whether
    /// the score is one of real samples. Of headings: SideRole, "real" or "synthetic", nothing where it is no score.
    enum Role { SortRole = Qt::UserRole, MissingRole, ShadeRole, RealSideRole, SideRole };

    using QAbstractTableModel::QAbstractTableModel;

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
    /// The mean at an index of a score's column; NaN for none.
    double mean(const QModelIndex& index) const { return meanAt(index); }
    /// The score of a column, null where it is a fixed one.
    const Column* score(int column) const { return column < FixedColumns ? nullptr : &scoreAt(column); }
    /// The samples of a class: those of the synthetic set, of the real set where there are none.
    SampleSet samplesOf(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const ClassScores& classAt(int row) const { return scores_->classes[static_cast<std::size_t>(row)]; }
    const Column& scoreAt(int column) const;
    double meanAt(const QModelIndex& index) const;
    /// Adds one for each sample to the place of its class.
    void countByClass(const SampleSet& samples, std::vector<std::size_t>& counts) const;
    /// What the shades of a column go from and to, in the order of ByClass::columns.
    void findRanges();
    bool isMissing(const ClassScores& scores) const;
    QVariant fixedData(const QModelIndex& index, int role) const;
    QVariant scoreData(const QModelIndex& index, int role) const;
    static QVariant fixedHeading(int section, int role);
    static QVariant scoreHeading(const Column& score, int role);

    ViewState state_;
    std::optional<ByClass> scores_;
    std::vector<std::size_t> shown_;                      ///< places in ByClass::columns, in the order of the columns
    std::vector<std::pair<double, double>> ranges_;       ///< per column of ByClass; equal ends: no colour
    std::vector<std::size_t> selected_;                   ///< per class
    std::vector<std::size_t> shownReal_, shownSynthetic_; ///< per class, while there is a filter
};

} // namespace assay
