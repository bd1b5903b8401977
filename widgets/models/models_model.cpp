#include "widgets/models/models_model.h"

#include "engine/audit/findings/findings.h"
#include "widgets/common/number_format.h"
#include "widgets/text/model_summary.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {
namespace {

/// Content of a column: a metric itself, or the equivalent share of bad samples.
struct Score {
    const char* metric;
    bool asBadFraction;
    const char* header; ///< for wide panels; null: the metric's title
    const char* shortHeader;
};

constexpr std::array<Score, ModelsModel::SectionCount> kFigures{{
    {nullptr, false, QT_TRANSLATE_NOOP("assay::ModelsModel", "Model"),
     QT_TRANSLATE_NOOP("assay::ModelsModel", "Model")},
    {"clipped_density", false, nullptr, QT_TRANSLATE_NOOP("assay::ModelsModel", "Dens.")},
    {"clipped_coverage", false, nullptr, QT_TRANSLATE_NOOP("assay::ModelsModel", "Cov.")},
    {"clipped_density", true, QT_TRANSLATE_NOOP("assay::ModelsModel", "Equivalent bad"),
     QT_TRANSLATE_NOOP("assay::ModelsModel", "Eq. bad")},
    {"clipped_coverage", true, QT_TRANSLATE_NOOP("assay::ModelsModel", "Equivalent missing"),
     QT_TRANSLATE_NOOP("assay::ModelsModel", "Eq. miss.")},
    {"authenticity", false, nullptr, QT_TRANSLATE_NOOP("assay::ModelsModel", "Auth.")},
    {"pce", false, QT_TRANSLATE_NOOP("assay::ModelsModel", "PCE (nats)"),
     QT_TRANSLATE_NOOP("assay::ModelsModel", "PCE")},
}};

const Score& figure(int section) {
    return kFigures[static_cast<std::size_t>(section)];
}

constexpr const char* kBadShare = "bad_share";

bool hasBadShare(const ModelAudit& model) {
    return model.hasMetric(kBadShare);
}

// Without findings other than notes, an estimate of a few per cent would look like an accusation.
bool isLikeReal(const ModelAudit& model) {
    return hasBadShare(model) && std::ranges::none_of(model.findings, [](const Finding& finding) {
               return finding.marksModel || (finding.place && finding.kind->id != "few_samples");
           });
}

/// What stands in place of a share of bad samples where there is none to tell.
QString likenessText(const ModelAudit& model, bool isShort) {
    const bool few =
        std::ranges::any_of(model.findings, [](const Finding& finding) { return finding.kind->id == "few_samples"; });
    if (few)
        return isShort ? ModelsModel::tr("unsure") : ModelsModel::tr("no fault found");
    return isShort ? ModelsModel::tr("good") : ModelsModel::tr("like real");
}

double valueOf(const ModelAudit& model, int section) {
    const double value = metricOr(model, figure(section).metric);
    return figure(section).asBadFraction ? 1.0 - value : value;
}

// Copies are as dense as real samples: density alone would call none of them bad.
QString badShareText(const ModelAudit& model) {
    return formatPercent(hasBadShare(model) ? model.metric(kBadShare) : valueOf(model, ModelsModel::BadFidelity));
}

} // namespace

void ModelsModel::setAudit(std::shared_ptr<const AuditResult> audit) {
    beginResetModel();
    audit_ = std::move(audit);
    endResetModel();
}

void ModelsModel::setShortHeaders(bool wanted) {
    if (wanted == shortHeaders_)
        return;
    shortHeaders_ = wanted;
    emit headerDataChanged(Qt::Horizontal, 0, SectionCount - 1);
}

int ModelsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !audit_ ? 0 : static_cast<int>(audit_->models.size());
}

int ModelsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(SectionCount);
}

QString ModelsModel::cellText(const ModelAudit& model, int section) const {
    if (section == Name) {
        const QString name = QString::fromStdString(model.name);
        return isMarked(model) ? tr("%1 (!)").arg(name) : name;
    }
    const double value = valueOf(model, section);
    return figure(section).asBadFraction ? formatPercent(value) : formatNumber(value);
}

QString ModelsModel::badShareToolTip(const ModelAudit& model) {
    if (isLikeReal(model))
        return tr("Like real: nothing was found that tells its samples from real ones.");
    if (hasBadShare(model))
        return tr("%1 bad: the flagged samples, and an estimate of others that are subtly wrong. What classes or "
                  "regions "
                  "with too many samples explain does not count.")
            .arg(badShareText(model));
    return tr("%1 bad: the equivalent bad fraction, 1 - clipped density.").arg(badShareText(model));
}

QVariant ModelsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ModelAudit& model = *audit_->models[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cellText(model, index.column());
    case Qt::ToolTipRole:
        return modelToolTip(model) + QStringLiteral("<p>%1</p>").arg(badShareToolTip(model));
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SortRole:
        if (index.column() == Name)
            return QString::fromStdString(model.name).toLower();
        return valueOf(model, index.column());
    case ConcernRole: {
        return isMarked(model) ? catalogText(model.findings.front().kind->title).toLower() : QString();
    }
    case NameRole:
        return QString::fromStdString(model.name);
    case BadShareRole:
        if (!model.complete)
            return isLikeReal(model) ? tr("first scores") : tr("%1 bad so far").arg(badShareText(model));
        return isLikeReal(model) ? likenessText(model, false) : tr("%1 bad").arg(badShareText(model));
    case ShortBadShareRole:
        return isLikeReal(model) ? likenessText(model, true) : badShareText(model);
    default:
        return {};
    }
}

QVariant ModelsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= SectionCount)
        return {};
    const Score& shown = figure(section);
    const Metric* metric = shown.metric ? findMetric(shown.metric) : nullptr;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::DisplayRole) {
        if (shortHeaders_)
            return tr(shown.shortHeader);
        return shown.header || !metric ? tr(shown.header ? shown.header : shown.shortHeader)
                                       : catalogText(metric->title);
    }
    if (role != Qt::ToolTipRole)
        return {};
    if (!metric)
        return tr("The synthetic sets of this audit. (!) marks a model that has problems: see Findings.");
    QString hint = metricToolTip(*metric);
    if (shown.asBadFraction)
        hint = tr("<b>Equivalent bad fraction</b>: 1 - %1. A good set with this share of its samples replaced by bad "
                  "ones would score the same.")
                   .arg(catalogText(metric->title).toLower()) +
               QStringLiteral("<hr>") + hint;
    return hint;
}

} // namespace assay
