#include "widgets/scores_model.h"

#include "engine/audit/explain.h"
#include "widgets/model_summary.h"
#include "widgets/number_format.h"
#include "widgets/score_text.h"

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
    beginResetModel();
    audit_ = std::move(audit);
    metrics_.clear();
    absent_.clear();
    best_.clear();
    suspicious_.clear();
    for (std::size_t m = 0; audit_ && m < audit_->models.size(); ++m)
        suspicious_.push_back(!modelConcerns(*audit_->models[m]).empty());
    if (audit_ && !audit_->models.empty())
        for (const Metric& metric : metricCatalog()) {
            const bool any = std::any_of(audit_->models.begin(), audit_->models.end(),
                                         [&](const auto& model) { return model->hasMetric(metric.id); });
            (any ? metrics_ : absent_).push_back(&metric);
            if (any)
                best_.push_back(bestOf(*audit_, metric));
        }
    endResetModel();
}

void ScoresModel::setCurrent(std::size_t model) {
    if (model == current_)
        return;
    current_ = model;
    if (columnCount() == 0)
        return;
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {CurrentRole});
}

int ScoresModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(metrics_.size());
}

int ScoresModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !audit_ ? 0 : static_cast<int>(audit_->models.size());
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
    return html + QStringLiteral("<hr>") + metricToolTip(metric.title, metric.definition, metric.source);
}

QVariant ScoresModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
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

QVariant ScoresModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (section < 0 || section >= (orientation == Qt::Horizontal ? columnCount() : rowCount()))
        return {};
    return orientation == Qt::Horizontal ? modelHeader(section, role) : metricHeader(metricAt(section), role);
}

QVariant ScoresModel::metricHeader(const Metric& metric, int role) const {
    const QString better = directionText(metric.better);
    switch (role) {
    case Qt::DisplayRole:
        return titleWithUnit(metric);
    case Qt::AccessibleTextRole:
        return better.isEmpty() ? titleWithUnit(metric) : tr("%1, %2").arg(titleWithUnit(metric), better);
    case Qt::ToolTipRole: {
        const QString meaning = metricToolTip(metric.title, metric.definition, metric.source);
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
    case NameRole:
        return name;
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

QString ScoresModel::toTsv(const std::vector<int>& rows) const {
    QStringList header{tr("score"), tr("id"), tr("unit"), tr("better")};
    for (int column = 0; column < columnCount(); ++column)
        header << field(QString::fromStdString(modelAt(column).name));
    QString text = header.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const int row : rows) {
        const Metric& metric = metricAt(row);
        QStringList fields{catalogText(metric.title), catalogText(metric.id), unitName(metric.unit),
                           betterField(metric.better)};
        for (int column = 0; column < columnCount(); ++column) {
            const double value = metricOr(modelAt(column), metric.id);
            fields << (std::isnan(value) ? QString() : QString::number(value, 'g', QLocale::FloatingPointShortest));
        }
        text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

} // namespace assay
