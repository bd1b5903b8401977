#include "widgets/compare/differences_table.h"

#include "engine/audit/result/audit_result.h"
#include "engine/report/glossary/glossary.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/compare/distribution_pair.h"
#include "widgets/text/score_difference.h"
#include "widgets/text/score_text.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr int kIntervalWidth = 120;

/// A name of a few letters, its beginning and its end.
QString headingOf(const ModelAudit& model) {
    constexpr qsizetype kMost = 14;
    const QString name = QString::fromStdString(model.name);
    return name.size() <= kMost ? name : name.left(kMost / 2) + QStringLiteral("\u2026") + name.right(kMost / 2 - 1);
}

/// A line at 0 and the interval about it, as far as the larger of its ends.
class IntervalDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const auto& shown = static_cast<const DifferencesModel*>(index.model())->difference(index.row());
        const double reach = std::max(std::abs(shown.low), std::abs(shown.high));
        const QRectF room = QRectF(option.rect).adjusted(8, 0, -8, 0);
        const auto at = [&](double value) {
            return room.center().x() + (reach > 0.0 ? value / reach : 0.0) * room.width() / 2.0;
        };
        const double y = room.center().y();
        const bool isSelected = option.state & QStyle::State_Selected;
        const QColor ink = isSelected ? option.palette.color(QPalette::HighlightedText)
                                      : comparedColor(shown.difference >= 0.0 ? 0 : 1, option.palette);
        const QColor muted =
            isSelected ? option.palette.color(QPalette::HighlightedText) : colors::mutedText(option.palette);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(muted, 1.0));
        painter->drawLine(QPointF(room.center().x(), option.rect.top() + 2),
                          QPointF(room.center().x(), option.rect.bottom() - 2));
        painter->setPen(QPen(shown.excludesZero() ? ink : muted, shown.excludesZero() ? 2.5 : 1.5));
        painter->drawLine(QPointF(at(shown.low), y), QPointF(at(shown.high), y));
        painter->setBrush(shown.excludesZero() ? ink : muted);
        painter->setPen(Qt::NoPen);
        painter->drawEllipse(QPointF(at(shown.difference), y), 3.5, 3.5);
        painter->restore();
    }
};

} // namespace

void DifferencesModel::setContrast(std::shared_ptr<const ModelContrast> contrast) {
    beginResetModel();
    contrast_ = std::move(contrast);
    shown_.clear();
    if (contrast_)
        std::ranges::copy_if(contrast_->differences, std::back_inserter(shown_), [](const MetricDifference& of) {
            if (of.difference == 0.0 && of.low == 0.0 && of.high == 0.0)
                return false; // a score of the real set
            return !std::isnan(of.difference) && !std::isnan(of.low) && !std::isnan(of.high) &&
                   findMetric(of.id) != nullptr && isShownToPeople(*findMetric(of.id));
        });
    std::stable_partition(shown_.begin(), shown_.end(), [](const MetricDifference& of) { return of.excludesZero(); });
    endResetModel();
}

int DifferencesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int DifferencesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

QString DifferencesModel::text(const QModelIndex& index) const {
    const MetricDifference& of = difference(index.row());
    const Metric& metric = *findMetric(of.id);
    const double first = contrast_->first->metric(of.id);
    const double second = contrast_->second->metric(of.id);
    switch (index.column()) {
    case ScoreColumn:
        return catalogText(metric.title);
    case FirstColumn:
        return formatValue(first, metric.unit);
    case SecondColumn:
        return formatValue(second, metric.unit);
    case DifferenceColumn:
        return differenceText(of);
    case VerdictColumn: {
        const QString verdict = verdictText(of, metric.better, first, second);
        return verdict.isEmpty() ? tr("not told apart") : verdict;
    }
    default:
        return {};
    }
}

QVariant DifferencesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index);
    case Qt::TextAlignmentRole: {
        const bool isText = index.column() == ScoreColumn || index.column() == VerdictColumn;
        return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    case Qt::ToolTipRole: {
        const MetricDifference& of = difference(index.row());
        return differenceToolTip(*contrast_->first, *contrast_->second, *findMetric(of.id), &of);
    }
    case Qt::AccessibleTextRole:
        return index.column() == IntervalColumn ? QVariant(differenceText(difference(index.row()))) : QVariant();
    default:
        return {};
    }
}

QVariant DifferencesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !contrast_ || section < 0 || section >= Columns)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == ScoreColumn || section == VerdictColumn ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (section) {
    case ScoreColumn:
        return tr("Score");
    case FirstColumn:
    case SecondColumn: {
        const ModelAudit& model = section == FirstColumn ? *contrast_->first : *contrast_->second;
        return role == Qt::DisplayRole ? headingOf(model) : QString::fromStdString(model.name).left(200);
    }
    case DifferenceColumn:
        return tr("Difference [95 %]");
    case VerdictColumn:
        return tr("First model is");
    default:
        return role == Qt::ToolTipRole ? tr("95 % interval of the difference; the line is at 0") : QString();
    }
}

DifferencesTable::DifferencesTable(QWidget* parent) : QTableView(parent), model_(new DifferencesModel(this)) {
    setObjectName(QStringLiteral("differencesTable"));
    setAccessibleName(tr("Differences of scores"));
    setModel(model_);
    setItemDelegateForColumn(DifferencesModel::IntervalColumn, new IntervalDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
}

void DifferencesTable::show(std::shared_ptr<const ModelContrast> contrast) {
    model_->setContrast(std::move(contrast));
    resizeColumnsToContents();
    const int letter = fontMetrics().averageCharWidth();
    for (const int column : {DifferencesModel::FirstColumn, DifferencesModel::SecondColumn})
        setColumnWidth(column, std::clamp(columnWidth(column), 9 * letter, 14 * letter));
    setColumnWidth(DifferencesModel::ScoreColumn, std::min(columnWidth(DifferencesModel::ScoreColumn), 30 * letter));
    setColumnWidth(DifferencesModel::IntervalColumn, kIntervalWidth);
}

} // namespace assay
