#pragma once

#include "widgets/tables/table_content.h"

#include <QAbstractTableModel>

#include <vector>

namespace assay {

/// The one item model of tables: shows a TableContent, sorted by a column and reduced to what a search finds. A *row*
/// is one of the content, a *place* one of the model.
class RowModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// SortRole: what a cell is sorted by.
    enum Role { SortRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// Shows other content: in the order before, if it has as many columns, else in the content's own.
    void setContent(TableContent content);
    const TableContent& content() const noexcept { return content_; }
    /// The cells have changed, rows and columns have not; the order stays.
    void refresh();
    /// Shows the rows that hold a text, or all of them.
    void search(const QString& text);

    int rowAt(int place) const { return order_.empty() ? place : order_[static_cast<std::size_t>(place)]; }
    /// -1 for a row that is not found by the search.
    int placeOf(int row) const;
    TableCell cell(const QModelIndex& index) const;
    TableCell nameAt(int place) const;

    /// Places as tab-separated text, with headings.
    QString toTsv() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// By a column; by -1 in the order of the content. Equal rows keep that order.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    /// Shows what `make` returns, within one reset of the model.
    void reset(const std::function<TableContent()>& make);

private:
    void arrange();

    TableContent content_;
    QString searched_;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    std::vector<int> order_; ///< row of each place; empty: the same
    bool isReduced_ = false; ///< a search has left out rows: `order_` holds the others
};

} // namespace assay
