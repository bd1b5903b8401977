#include "widgets/scores/scores_model.h"

#include "engine/audit/findings/findings.h"
#include "engine/base/find_by.h"
#include "engine/report/glossary/glossary.h"
#include "widgets/common/number_format.h"
#include "widgets/text/model_summary.h"
#include "widgets/text/score_difference.h"
#include "widgets/text/score_text.h"

#include <QFont>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Whether two values are equally good as they are written: a mark on one of two same figures would puzzle.
bool readAlike(const Metric& metric, double a, double b) {
    return formatValue(a, metric.unit) == formatValue(b, metric.unit) ||
           formatNumber(merit(metric.better, a)) == formatNumber(merit(metric.better, b));
}

/// The best value of a metric; NaN where none is better than the others as they are written.
double bestOf(const AuditResult& audit, const Metric& metric) {
    std::vector<double> values;
    for (const auto& model : audit.models)
        if (const double value = metricOr(*model, metric.id); !std::isnan(merit(metric.better, value)))
            values.push_back(value);
    const auto best = std::max_element(values.begin(), values.end(), [&](double a, double b) {
        return merit(metric.better, a) < merit(metric.better, b);
    });
    const bool differ =
        std::any_of(values.begin(), values.end(), [&](double value) { return !readAlike(metric, value, *best); });
    return differ ? *best : kNone;
}

/// Which way is better, for the column "better" of a table of text.
QString betterField(Direction better) {
    switch (better) {
    case Direction::Higher:
        return ScoresModel::tr("higher");
    case Direction::Lower:
        return ScoresModel::tr("lower");
    case Direction::NearestToZero:
        return ScoresModel::tr("nearest to 0");
    case Direction::NearestToHalf:
        return ScoresModel::tr("nearest to 0.5");
    case Direction::NearestToOne:
        return ScoresModel::tr("nearest to 1");
    case Direction::Neutral:
        break;
    }
    return {};
}

/// One field: what would end it becomes a space.
QString field(QString text) {
    for (const char end : {'\t', '\n', '\r'})
        text.replace(QLatin1Char(end), QLatin1Char(' '));
    return text;
}

} // namespace

void ScoresModel::setAudit(std::shared_ptr<const AuditResult> audit) {
    compare({}); // views forget where its column stood
    beginResetModel();
    audit_ = std::move(audit);
    metrics_.clear();
    absent_.clear();
    best_.clear();
    suspicious_.clear();
    for (std::size_t m = 0; audit_ && m < audit_->models.size(); ++m)
        suspicious_.push_back(isMarked(*audit_->models[m]));
    if (audit_ && !audit_->models.empty())
        for (const Metric& metric : metricCatalog()) {
            if (!isShownToPeople(metric))
                continue;
            const bool any = std::any_of(audit_->models.begin(), audit_->models.end(),
                                         [&](const auto& model) { return model->hasMetric(metric.id); });
            (any ? metrics_ : absent_).push_back(&metric);
            if (any)
                best_.push_back(bestOf(*audit_, metric));
        }
    endResetModel();
}

bool ScoresModel::isComplete() const {
    return !audit_ || std::ranges::all_of(audit_->models, [](const auto& model) { return model->complete; });
}

void ScoresModel::setCurrent(std::size_t model, std::optional<std::size_t> other) {
    if (model == current_ && other == other_)
        return;
    current_ = model;
    compare(other);
    if (columnCount() == 0)
        return;
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void ScoresModel::compare(std::optional<std::size_t> other) {
    // Some milliseconds: the values behind the intervals are there.
    std::vector<MetricDifference> differences =
        other ? compareModels(current(), *audit_->models[*other]) : std::vector<MetricDifference>();
    if (other && !other_)
        beginInsertColumns({}, modelCount(), modelCount());
    else if (!other && other_)
        beginRemoveColumns({}, modelCount(), modelCount());
    const bool appeared = other && !other_;
    const bool gone = !other && other_;
    other_ = other;
    differences_ = std::move(differences);
    if (appeared)
        endInsertColumns();
    else if (gone)
        endRemoveColumns();
}

const MetricDifference* ScoresModel::differenceAt(int row) const {
    return findBy(differences_, &MetricDifference::id, metricAt(row).id);
}

int ScoresModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(metrics_.size());
}

int ScoresModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : modelCount() + (other_ ? 1 : 0);
}

bool ScoresModel::isBest(int row, int column) const {
    const double best = best_[static_cast<std::size_t>(row)];
    const Metric& metric = metricAt(row);
    const double value = metricOr(modelAt(column), metric.id);
    return !std::isnan(best) && !std::isnan(value) && readAlike(metric, value, best);
}

QString ScoresModel::cellToolTip(int row, int column) const {
    const Metric& metric = metricAt(row);
    const ModelAudit& model = modelAt(column);
    QString html = QStringLiteral("<b>%1</b>: ").arg(QString::fromStdString(model.name).toHtmlEscaped());
    const QString missing = missingReason(model, metric);
    html += missing.isEmpty() ? fullScoreText(model, metric) : missing;
    if (missing.isEmpty() && model.interval(metric.id))
        html += tr(", 95 % interval");
    if (isBest(row, column)) {
        html += QStringLiteral("<br>") + tr("Best of these models: %1.").arg(directionText(metric.better));
        if (const QString concerns = concernText(model); !concerns.isEmpty())
            html += QStringLiteral("<br>") +
                    tr("But beware: %1").arg(concerns.toHtmlEscaped().replace('\n', QLatin1String(" ")));
    }
    return html + QStringLiteral("<hr>") + metricToolTip(metric);
}

QVariant ScoresModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (isDifference(index.column()) && role != SearchRole)
        return differenceData(index.row(), role);
    const Metric& metric = metricAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return scoreText(modelAt(index.column()), metric);
    case Qt::ToolTipRole:
        return cellToolTip(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole: {
        QFont font;
        font.setBold(true);
        return isBest(index.row(), index.column()) ? QVariant(font) : QVariant();
    }
    case BestRole:
        return isBest(index.row(), index.column());
    case CurrentRole:
        return static_cast<std::size_t>(index.column()) == current_;
    case SuspiciousRole:
        return isSuspicious(index.column());
    case SearchRole:
        return QStringList({titleWithUnit(metric), catalogText(metric.id), catalogText(metric.definition),
                            catalogText(metric.source)})
            .join(QLatin1Char('\n'));
    default:
        return {};
    }
}

QVariant ScoresModel::differenceData(int row, int role) const {
    const Metric& metric = metricAt(row);
    const MetricDifference* difference = differenceAt(row);
    const QString verdict = difference ? verdictText(*difference, metric.better, metricOr(current(), metric.id),
                                                     metricOr(*audit_->models[*other_], metric.id))
                                       : QString();
    const QString text = difference ? differenceText(*difference) : QStringLiteral("-");
    switch (role) {
    case Qt::DisplayRole:
        return text;
    case Qt::AccessibleTextRole:
        return verdict.isEmpty() ? text : tr("%1, %2").arg(text, verdict);
    case Qt::ToolTipRole:
        return differenceToolTip(current(), *audit_->models[*other_], metric, difference);
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole: {
        QFont font;
        font.setBold(true);
        return verdict.isEmpty() ? QVariant() : QVariant(font);
    }
    case VerdictRole:
        return verdict;
    default:
        return {};
    }
}

QVariant ScoresModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (section < 0 || section >= (orientation == Qt::Horizontal ? columnCount() : rowCount()))
        return {};
    if (orientation == Qt::Vertical)
        return metricHeader(metricAt(section), role);
    return isDifference(section) ? differenceHeader(role) : modelHeader(section, role);
}

QVariant ScoresModel::metricHeader(const Metric& metric, int role) const {
    const QString better = directionText(metric.better);
    switch (role) {
    case Qt::DisplayRole:
        return titleWithUnit(metric);
    case Qt::AccessibleTextRole:
        return better.isEmpty() ? titleWithUnit(metric) : tr("%1, %2").arg(titleWithUnit(metric), better);
    case Qt::ToolTipRole: {
        const QString meaning = metricToolTip(metric);
        return better.isEmpty() ? meaning
                                : meaning + QStringLiteral("<br>%1 %2").arg(directionMark(metric.better), better);
    }
    case MarkRole:
        return directionMark(metric.better);
    default:
        return {};
    }
}

QVariant ScoresModel::modelHeader(int column, int role) const {
    const QString name = QString::fromStdString(modelAt(column).name);
    switch (role) {
    case Qt::DisplayRole:
        return isSuspicious(column) ? name + suspicionMark() : name;
    case NamesRole:
        return QStringList(name);
    case SuspiciousRole:
        return isSuspicious(column);
    case Qt::ToolTipRole: {
        const QString concerns = concernText(modelAt(column)).toHtmlEscaped().replace('\n', QLatin1String("<br>"));
        return QStringLiteral("<b>%1</b><br>%2%3")
            .arg(name.toHtmlEscaped(), concerns.isEmpty() ? QString() : concerns + QStringLiteral("<br>"),
                 static_cast<std::size_t>(column) == current_ ? tr("The current model.")
                                                              : tr("Click to make it the current model."));
    }
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case CurrentRole:
        return static_cast<std::size_t>(column) == current_;
    default:
        return {};
    }
}

QStringList ScoresModel::differenceNames() const {
    return {markedName(current()), markedName(*audit_->models[*other_])};
}

QVariant ScoresModel::differenceHeader(int role) const {
    switch (role) {
    case Qt::DisplayRole:
        return differenceNames().join(QStringLiteral(" \u2212 "));
    case NamesRole:
        return differenceNames();
    case Qt::ToolTipRole:
        return QStringLiteral("<b>%1</b><br>").arg(differenceHeader(Qt::DisplayRole).toString().toHtmlEscaped()) +
               tr("How much higher each score of the current model is, with the 95 % interval of the difference "
                  "(both models are compared with the same parts of the real set). Bold, with a word: the "
                  "interval excludes 0, so the models differ. One score in twenty does so by chance.");
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    default:
        return {};
    }
}

QStringList ScoresModel::fields(int row) const {
    const Metric& metric = metricAt(row);
    const auto full = [](double value) {
        return std::isnan(value) ? QString() : QString::number(value, 'g', QLocale::FloatingPointShortest);
    };
    QStringList fields{catalogText(metric.title), catalogText(metric.id), unitName(metric.unit),
                       betterField(metric.better)};
    for (int column = 0; column < modelCount(); ++column)
        fields << full(metricOr(modelAt(column), metric.id));
    if (!other_)
        return fields;
    if (const MetricDifference* of = differenceAt(row); of && !std::isnan(of->low))
        return fields << full(of->difference) << full(of->low) << full(of->high)
                      << (of->excludesZero() ? tr("yes") : tr("no"));
    return fields << QString() << QString() << QString() << QString();
}

QString ScoresModel::toTsv(const std::vector<int>& rows) const {
    QStringList header{tr("score"), tr("id"), tr("unit"), tr("better")};
    for (int column = 0; column < modelCount(); ++column)
        header << field(QString::fromStdString(modelAt(column).name));
    if (other_)
        header << field(differenceNames().join(QStringLiteral(" - "))) << tr("95 % low") << tr("95 % high")
               << tr("excludes 0");
    QString text = header.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const int row : rows)
        text += fields(row).join(QLatin1Char('\t')) + QLatin1Char('\n');
    return text;
}

} // namespace assay
