#include "widgets/features/table_differences_model.h"

#include "engine/report/scores/feature_bars.h"
#include "engine/report/scores/table_sentences.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/text/feature_name.h"

#include <QGuiApplication>
#include <QLocale>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kFarBeyondChance = 3.0; // as for single features

QString twoDecimals(double value) {
    return QLocale().toString(std::abs(value) < 0.005 ? 0.0 : value, 'f', 2); // never "-0.00"
}

QString signedCorrelation(double value) {
    return (value >= 0.0 ? QStringLiteral("+") : QStringLiteral("-")) + twoDecimals(std::abs(value));
}

QString pValueText(double value) {
    return value < 0.001 ? QStringLiteral("< %1").arg(QLocale().toString(0.001, 'f', 3))
                         : QLocale().toString(value, 'f', 3);
}

/// "clerk: 100 real, 70 synthetic", the rest counted.
QString categoryCounts(const CategoryDifference& column) {
    constexpr std::size_t kMost = 12;
    QString text;
    for (std::size_t c = 0; c < std::min(column.categories.size(), kMost); ++c) {
        const CategoryCounts& one = column.categories[c];
        const QString name = one.text.empty() ? TableDifferencesModel::tr("(empty)") : QString::fromStdString(one.text);
        text += TableDifferencesModel::tr("<br>%1: %2 real, %3 synthetic")
                    .arg(name.toHtmlEscaped(), formatCount(one.real), formatCount(one.synthetic));
    }
    if (column.categories.size() > kMost)
        text += TableDifferencesModel::tr("<br>and %1 more").arg(formatCount(column.categories.size() - kMost));
    return text;
}

} // namespace

TableDifferencesModel::TableDifferencesModel(Kind kind, QObject* parent)
    : QAbstractTableModel(parent), kind_(kind), headings_(headings()) {}

std::vector<TableDifferencesModel::Heading> TableDifferencesModel::headings() const {
    const Heading chance{tr("p"),
                         tr("Probability of such a difference by chance alone, adjusted for all rows that were "
                            "compared: of the rows with p up to 0.05, at most 5 % should be false alarms")};
    switch (kind_) {
    case Kind::Pairs:
        return {
            {tr("Feature"), tr("The first feature of the pair")},
            {tr("Second feature"), tr("The second feature of the pair")},
            {tr("Difference"), tr("Synthetic correlation less the real one")},
            {tr("Real"), tr("Pearson's correlation of the two features in the real set")},
            {tr("Synthetic"), tr("Pearson's correlation of the two features in the synthetic set")},
            {tr("By chance"), tr("Average size of the difference between two sets of these sizes that are both drawn "
                                 "from the real distribution")},
            chance};
    case Kind::Categories:
        return {
            {tr("Column"), tr("A column of text of the table")},
            {tr("Distance"), tr("Total variation distance: the share of the samples that would have to change their "
                                "category")},
            {tr("By chance"), tr("Average distance between two sets of these sizes that are both drawn from the real "
                                 "distribution")},
            {tr("Missing"), tr("Categories that the synthetic set lacks by more than chance, with their real "
                               "samples")},
            {tr("Invented"), tr("Categories that only the synthetic set has, by more than chance, with their "
                                "synthetic samples")}};
    default:
        return {{tr("Column"), tr("A column in which values are missing")},
                {tr("Real"), tr("Share of the real samples whose value is missing")},
                {tr("Synthetic"), tr("Share of the synthetic samples whose value is missing")},
                {tr("By chance"), tr("Average difference of the shares between two sets of these sizes that are both "
                                     "drawn from the real distribution")},
                chance};
    }
}

void TableDifferencesModel::setState(const ViewState& state) {
    beginResetModel();
    rows_.clear();
    if (state.hasModel()) {
        if (kind_ == Kind::Pairs)
            addPairs(state);
        else if (kind_ == Kind::Categories)
            addCategories(state);
        else
            addMissing(state);
    }
    endResetModel();
}

void TableDifferencesModel::addPairs(const ViewState& state) {
    const EmbeddingSet& real = *state.audit->real->set;
    for (const CorrelationDifference& pair : state.current().tableDifferences.correlations.pairs) {
        const QString first = featureName(real, pair.first);
        const QString second = featureName(real, pair.second);
        Row row;
        row.cells = {{first, first},
                     {second, second},
                     {signedCorrelation(pair.difference()), std::abs(pair.difference())},
                     {twoDecimals(pair.real), pair.real},
                     {twoDecimals(pair.synthetic), pair.synthetic},
                     {QLocale().toString(pair.byChance, 'f', 3), pair.byChance},
                     {pValueText(pair.pValue), pair.pValue}};
        row.toolTip =
            tr("<b>%1 and %2</b><p>Correlation %3 in the real set, %4 in the synthetic set. The difference is "
               "%5, with 95 % confidence from %6 to %7.</p>")
                .arg(first.toHtmlEscaped(), second.toHtmlEscaped(), row.cells[RealCorrelation].text,
                     row.cells[SyntheticCorrelation].text, row.cells[Difference].text, signedCorrelation(pair.low),
                     signedCorrelation(pair.high));
        row.feature = pair.first;
        row.second = pair.second;
        row.differs = pair.differs();
        rows_.push_back(std::move(row));
    }
}

void TableDifferencesModel::addCategories(const ViewState& state) {
    for (const CategoryDifference& column : state.current().tableDifferences.categories) {
        const QString name = QString::fromStdString(columnNameOf(column));
        const QString missing = QString::fromStdString(missingCategories(column));
        const QString invented = QString::fromStdString(inventedCategories(column));
        Row row;
        row.cells = {{name, name},
                     {formatPercent(column.distance), column.distance},
                     {formatPercent(column.byChance), column.byChance},
                     {missing, missing},
                     {invented, invented}};
        row.toolTip = QStringLiteral("<b>%1</b>").arg(name.toHtmlEscaped()) + categoryCounts(column);
        row.feature = column.feature;
        row.differs = !missing.isEmpty() || !invented.isEmpty() || column.distance > kFarBeyondChance * column.byChance;
        rows_.push_back(std::move(row));
    }
}

void TableDifferencesModel::addMissing(const ViewState& state) {
    const EmbeddingSet& real = *state.audit->real->set;
    for (const MissingRate& rate : state.current().tableDifferences.missing) {
        const QString name =
            QString::fromStdString(rate.column.empty() ? columnNameOf(real, rate.feature) : rate.column);
        Row row;
        row.cells = {{name, name},
                     {formatPercent(rate.realRate()), rate.realRate()},
                     {formatPercent(rate.syntheticRate()), rate.syntheticRate()},
                     {formatPercent(rate.byChance()), rate.byChance()},
                     {pValueText(rate.pValue), rate.pValue}};
        row.toolTip = tr("<b>%1</b><p>Missing in %2 of %3 real samples and in %4 of %5 synthetic samples.</p>")
                          .arg(name.toHtmlEscaped(), formatCount(rate.real), formatCount(rate.realRows),
                               formatCount(rate.synthetic), formatCount(rate.syntheticRows));
        row.feature = rate.feature;
        row.differs = rate.differs();
        rows_.push_back(std::move(row));
    }
}

bool TableDifferencesModel::isText(int column) const {
    return column == 0 || (kind_ == Kind::Pairs && column == Second) ||
           (kind_ == Kind::Categories && column >= MissingCategories);
}

int TableDifferencesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TableDifferencesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(headings_.size());
}

QVariant TableDifferencesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const Cell& cell = row.cells[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case SortRole:
        return cell.sort;
    case Qt::ToolTipRole:
        return row.toolTip;
    case Qt::ForegroundRole: // chance
        return row.differs ? QVariant() : QVariant(colors::mutedText(QGuiApplication::palette()));
    case Qt::TextAlignmentRole:
        return static_cast<int>((isText(index.column()) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant TableDifferencesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Heading& heading = headings_[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return heading.title;
    case Qt::ToolTipRole:
        return QStringLiteral("<p>%1.</p>").arg(heading.meaning);
    case Qt::TextAlignmentRole:
        return static_cast<int>((isText(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace assay
