#include "widgets/tables/row_model.h"

#include <QFont>

#include <algorithm>
#include <numeric>
#include <utility>

namespace assay {
namespace {

bool isMissing(const QVariant& key) {
    return !key.isValid() || (key.metaType().id() == QMetaType::Double && std::isnan(key.toDouble()));
}

bool isLess(const QVariant& a, const QVariant& b) {
    if (a.metaType().id() == QMetaType::QString)
        return QString::compare(a.toString(), b.toString(), Qt::CaseInsensitive) < 0;
    return a.toDouble() < b.toDouble();
}

/// One field of tab-separated text: what would end it becomes a space.
QString fieldOf(QString text) {
    for (const char end : {'\t', '\n', '\r'})
        text.replace(QLatin1Char(end), QLatin1Char(' '));
    return text;
}

QString lineOf(const QStringList& fields) {
    QStringList line;
    for (const QString& field : fields)
        line << fieldOf(field);
    return line.join(QLatin1Char('\t')) + QLatin1Char('\n');
}

} // namespace

void RowModel::setContent(TableContent content) {
    reset([&] { return std::move(content); });
}

void RowModel::reset(const std::function<TableContent()>& make) {
    beginResetModel();
    TableContent content = make();
    if (content.columns.size() != content_.columns.size()) {
        sortColumn_ = content.sortedBy;
        sortOrder_ = content.sortedOrder;
    }
    content_ = std::move(content);
    arrange();
    endResetModel();
}

void RowModel::refresh() {
    if (columnCount() == 0)
        return;
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RowModel::search(const QString& text) {
    beginResetModel();
    searched_ = text.trimmed();
    arrange();
    endResetModel();
}

void RowModel::arrange() {
    isReduced_ = !searched_.isEmpty() && content_.search;
    order_.clear();
    if (!isReduced_ && sortColumn_ < 0 && sortOrder_ == Qt::AscendingOrder)
        return;
    order_.resize(static_cast<std::size_t>(content_.rows));
    std::iota(order_.begin(), order_.end(), 0);
    if (isReduced_)
        std::erase_if(order_, [&](int row) { return !content_.search(row).contains(searched_, Qt::CaseInsensitive); });
    if (sortColumn_ < 0) {
        if (sortOrder_ == Qt::DescendingOrder)
            std::ranges::reverse(order_);
        return;
    }
    std::vector<QVariant> keys(static_cast<std::size_t>(content_.rows));
    for (const int row : order_)
        keys[static_cast<std::size_t>(row)] = content_.column(sortColumn_).cell(row).sort;
    const bool falls = sortOrder_ == Qt::DescendingOrder;
    std::ranges::stable_sort(order_, [&](int left, int right) {
        const QVariant& a = keys[static_cast<std::size_t>(left)];
        const QVariant& b = keys[static_cast<std::size_t>(right)];
        if (isMissing(a) || isMissing(b))
            return !isMissing(a) && isMissing(b);
        return falls ? isLess(b, a) : isLess(a, b);
    });
}

int RowModel::placeOf(int row) const {
    if (order_.empty() && !isReduced_)
        return row < rowCount() ? row : -1;
    const auto at = std::ranges::find(order_, row);
    return at == order_.end() ? -1 : static_cast<int>(at - order_.begin());
}

TableCell RowModel::cell(const QModelIndex& index) const {
    return content_.column(index.column()).cell(rowAt(index.row()));
}

TableCell RowModel::nameAt(int place) const {
    return content_.hasNames() ? content_.names.cell(rowAt(place)) : TableCell();
}

QString RowModel::toTsv() const {
    QStringList headings = content_.copyHeadings;
    if (!content_.copy) {
        if (content_.hasNames())
            headings << content_.names.title;
        for (const TableColumn& column : content_.columns)
            headings << column.title;
    }
    QString text = lineOf(headings);
    for (int place = 0; place < rowCount(); ++place) {
        QStringList fields;
        if (content_.copy)
            fields = content_.copy(rowAt(place));
        else if (content_.hasNames())
            fields << nameAt(place).text;
        for (int column = 0; !content_.copy && column < columnCount(); ++column)
            fields << cell(index(place, column)).text;
        text += lineOf(fields);
    }
    return text;
}

int RowModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : isReduced_ ? static_cast<int>(order_.size()) : content_.rows;
}

int RowModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : content_.columnCount();
}

QVariant RowModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::TextAlignmentRole:
        return static_cast<int>(content_.column(index.column()).alignment());
    case Qt::DisplayRole:
        return cell(index).text;
    case SortRole:
        return cell(index).sort;
    case Qt::ToolTipRole: {
        const QString hint = cell(index).hint;
        return hint.isEmpty() && content_.hint ? content_.hint(rowAt(index.row())) : hint;
    }
    case Qt::AccessibleTextRole: {
        const QString description = cell(index).description;
        return description.isEmpty() ? QVariant() : QVariant(description);
    }
    case Qt::FontRole: {
        QFont bold;
        bold.setBold(true);
        return cell(index).isBold ? QVariant(bold) : QVariant();
    }
    default:
        return {};
    }
}

QVariant RowModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (section < 0 || section >= (orientation == Qt::Horizontal ? columnCount() : rowCount()))
        return {};
    if (orientation == Qt::Vertical) {
        const TableCell name = nameAt(section);
        return role == Qt::DisplayRole          ? QVariant(name.text)
               : role == Qt::ToolTipRole        ? QVariant(name.hint)
               : role == Qt::AccessibleTextRole ? QVariant(name.description.isEmpty() ? name.text : name.description)
                                                : QVariant();
    }
    const TableColumn& column = content_.column(section);
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case Qt::ToolTipRole:
        return column.hint;
    case Qt::AccessibleTextRole:
        return column.description.isEmpty() ? column.title : column.description;
    case Qt::TextAlignmentRole:
        return static_cast<int>(column.alignment());
    default:
        return {};
    }
}

void RowModel::sort(int column, Qt::SortOrder order) {
    if (column >= columnCount())
        return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<int> rows;
    for (const QModelIndex& index : before)
        rows.push_back(rowAt(index.row()));
    sortColumn_ = column;
    sortOrder_ = order;
    arrange();
    std::vector<int> places(static_cast<std::size_t>(content_.rows));
    for (int place = 0; place < rowCount() && !before.isEmpty(); ++place)
        places[static_cast<std::size_t>(rowAt(place))] = place;
    for (qsizetype at = 0; at < before.size(); ++at) {
        const int row = rows[static_cast<std::size_t>(at)];
        changePersistentIndex(before[at], index(places[static_cast<std::size_t>(row)], before[at].column()));
    }
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

} // namespace assay
