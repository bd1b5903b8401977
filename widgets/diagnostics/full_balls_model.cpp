#include "widgets/diagnostics/full_balls_model.h"

#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/number_format.h"
#include "widgets/samples/sample_tooltip.h"
#include "widgets/text/class_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {
void FullBallsModel::setState(const ViewState& state) {
    beginResetModel();
    state_ = state;
    balls_.clear();
    if (state_.hasModel())
        std::ranges::copy_if(state_.current().diagnostics.fullestBalls, std::back_inserter(balls_),
                             [&](const FullBall& ball) {
                                 return state_.isShown({SetId::Real, ball.row});
                             });
    endResetModel();
}

std::optional<int> FullBallsModel::rowOf(SampleId sample) const {
    const auto at = std::find_if(balls_.begin(), balls_.end(), [&](const FullBall& ball) {
        return sample == SampleId{SetId::Real, ball.row};
    });
    return at == balls_.end() ? std::nullopt : std::optional(static_cast<int>(at - balls_.begin()));
}

QStringList FullBallsModel::ids() const {
    QStringList ids;
    for (const FullBall& ball : balls_)
        ids << QString::fromStdString(state_.audit->real->set->idText(ball.row));
    return ids;
}

int FullBallsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(balls_.size());
}

int FullBallsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString FullBallsModel::text(const QModelIndex& index) const {
    const FullBall& ball = ballAt(index.row());
    switch (index.column()) {
    case SampleColumn:
        return sampleCaption(*state_.audit, sampleAt(index.row()));
    case CountColumn:
        return formatCount(ball.count);
    case ClippedColumn:
        return formatCount(ball.clippedCount);
    case RadiusColumn:
        return formatNumber(ball.radius);
    default:
        return std::isfinite(ball.radiusToMedian) ? tr("\u00d7 %1").arg(formatNumber(ball.radiusToMedian))
                                                  : QStringLiteral("-");
    }
}

QString FullBallsModel::toolTip(int row) const {
    const FullBall& ball = ballAt(row);
    QString words = tr("Its ball (radius %1) holds %2 of the %3 synthetic samples; with the radius clipped to the "
                       "median, %4.")
                        .arg(formatNumber(ball.radius), formatCount(ball.count),
                             formatCount(state_.current().set->rows()), formatCount(ball.clippedCount));
    if (std::isfinite(ball.radiusToMedian))
        words += QLatin1Char(' ') + tr("The radius is %1 times the median.").arg(formatNumber(ball.radiusToMedian));
    return QStringLiteral("<p>%1</p>").arg(words);
}

QVariant FullBallsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const EmbeddingSet& real = *state_.audit->real->set;
    const std::uint32_t row = ballAt(index.row()).row;
    switch (role) {
    case Qt::DisplayRole:
        return text(index);
    case Qt::ToolTipRole:
        return toolTip(index.row());
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == SampleColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SampleRole:
        return QVariant::fromValue(sampleAt(index.row()));
    case IdRole:
        return QString::fromStdString(real.idText(row));
    case ClassRole:
        return real.hasLabel(row) ? classText(real.labelText(row)) : QString();
    default:
        return {};
    }
}

QString FullBallsModel::meaning(int column) const {
    switch (column) {
    case SampleColumn:
        return tr("The real sample at the centre of the ball. A click selects it everywhere.");
    case CountColumn: {
        const assay::Column* count = findColumn("ball_synthetic_count");
        return metricToolTip(*count);
    }
    case ClippedColumn:
        return tr("Number of synthetic samples in the ball with its radius clipped to the median of all radii, as in "
                  "clipped density.");
    case RadiusColumn:
        return tr("Distance from the real sample to its %1 nearest real neighbour, in the embedding's unit.")
            .arg(state_.audit ? formatOrdinal(state_.audit->k) : tr("k-th"));
    default:
        return tr("The radius divided by the median radius. Far above 1, with few samples left after clipping: an "
                  "outlier. Near 1: a crowded spot.");
    }
}

QVariant FullBallsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::ToolTipRole)
        return meaning(section);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == SampleColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, ColumnCount> titles{tr("Real sample"), tr("Holds"), tr("Clipped"), tr("Radius"),
                                                  tr("\u00d7 median")};
    return titles[static_cast<std::size_t>(section)];
}

double FullBallsModel::key(const FullBall& ball, int column) const {
    switch (column) {
    case SampleColumn:
        return ball.row;
    case CountColumn:
        return ball.count;
    case ClippedColumn:
        return ball.clippedCount;
    default:
        return ball.radius; // the ratio is the same order, and always a number
    }
}

void FullBallsModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= ColumnCount || balls_.empty())
        return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<SampleId> samples;
    for (const QModelIndex& index : before)
        samples.push_back(sampleAt(index.row()));
    std::stable_sort(balls_.begin(), balls_.end(), [&](const FullBall& a, const FullBall& b) {
        return order == Qt::AscendingOrder ? key(a, column) < key(b, column) : key(b, column) < key(a, column);
    });
    for (qsizetype i = 0; i < before.size(); ++i)
        changePersistentIndex(before[i], index(*rowOf(samples[static_cast<std::size_t>(i)]), before[i].column()));
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

} // namespace assay
