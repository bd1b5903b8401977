#pragma once

#include "widgets/link/view_state.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace assay {

/// What differs between the current model's table and the real one beyond single features: pairs of features,
/// categories of columns of text, or rates of missing values; a row each, what differs most first.
class TableDifferencesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Kind { Pairs, Categories, Missing };
    enum PairColumn { First, Second, Difference, RealCorrelation, SyntheticCorrelation, ByChance, PValue };
    enum CategoryColumn { TextColumn, Distance, DistanceByChance, MissingCategories, InventedCategories };
    enum MissingColumn { GapColumn, RealRate, SyntheticRate, RateByChance, RatePValue };
    /// SortRole: the number of a cell, or its text.
    enum Role { SortRole = Qt::UserRole };

    TableDifferencesModel(Kind kind, QObject* parent);

    /// Shows the state's current model.
    void setState(const ViewState& state);
    Kind kind() const noexcept { return kind_; }
    /// Columns of the embedding that a row is about; the second one is of pairs alone.
    std::uint32_t featureOf(int row) const { return rows_[static_cast<std::size_t>(row)].feature; }
    std::uint32_t secondOf(int row) const { return rows_[static_cast<std::size_t>(row)].second; }
    /// Number of columns with text instead of numbers, from the left, and those from the right.
    bool isText(int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Cell {
        QString text;
        QVariant sort;
    };
    struct Row {
        std::vector<Cell> cells;
        QString toolTip;
        std::uint32_t feature = 0;
        std::uint32_t second = 0;
        bool differs = true; ///< by more than chance
    };
    struct Heading {
        QString title, meaning;
    };

    void addPairs(const ViewState& state);
    void addCategories(const ViewState& state);
    void addMissing(const ViewState& state);
    std::vector<Heading> headings() const;

    Kind kind_;
    std::vector<Heading> headings_;
    std::vector<Row> rows_;
};

} // namespace assay
