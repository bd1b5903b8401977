#include "widgets/models/models_panel.h"

#include "engine/audit/findings/findings.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/tables/table_view.h"
#include "widgets/text/names.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>

namespace assay {
namespace {

constexpr const char* kBadShare = "bad_share";

/// Translation context of this file's texts.
struct ModelsTable {
    Q_DECLARE_TR_FUNCTIONS(assay::ModelsTable)
};

bool hasFinding(const ModelAudit& model, std::string_view kind) {
    return std::ranges::any_of(model.findings, [&](const Finding& finding) { return finding.kind->id == kind; });
}

// Without findings other than notes, an estimate of a few per cent would look like an accusation.
bool isLikeReal(const ModelAudit& model) {
    return model.hasMetric(kBadShare) && std::ranges::none_of(model.findings, [](const Finding& finding) {
               return finding.marksModel || (finding.place && finding.kind->id != "few_samples");
           });
}

/// The estimated share of bad samples; where there are no verdicts, the equivalent bad fraction by clipped density.
/// Copies are as dense as real samples: density alone would call none of them bad.
double badShareOf(const ModelAudit& model) {
    return model.hasMetric(kBadShare) ? model.metric(kBadShare) : 1.0 - metricOr(model, "clipped_density");
}

QString verdictOf(const ModelAudit& model, bool isShort) {
    if (!model.complete)
        return isLikeReal(model) ? ModelsTable::tr("first scores")
                                 : ModelsTable::tr("%1 bad so far").arg(formatPercent(badShareOf(model)));
    if (!isLikeReal(model))
        return ModelsTable::tr("%1 bad").arg(formatPercent(badShareOf(model)));
    if (hasFinding(model, "few_samples"))
        return isShort ? ModelsTable::tr("unsure") : ModelsTable::tr("no fault found");
    return isShort ? ModelsTable::tr("good") : ModelsTable::tr("like real");
}

/// Place of a model in the order of the best: without a finding, with too few samples to find one, then by bad share;
/// those with (!) last.
double rankOf(const ModelAudit& model) {
    if (!isLikeReal(model))
        return badShareOf(model) + (isMarked(model) ? 2.0 : 1.0);
    return hasFinding(model, "few_samples") ? 0.5 : 0.0;
}

QString hintOf(const ModelAudit& model) {
    const QString share = formatPercent(badShareOf(model));
    const QString verdict =
        isLikeReal(model) ? ModelsTable::tr("Like real: nothing was found that tells its samples from real ones.")
        : model.hasMetric(kBadShare)
            ? ModelsTable::tr("%1 bad: the flagged samples, and an estimate of others that are subtly wrong. What "
                              "classes or regions with too many samples explain does not count.")
                  .arg(share)
            : ModelsTable::tr("%1 bad: the equivalent bad fraction, 1 - clipped density.").arg(share);
    return modelToolTip(model) + QStringLiteral("<p>%1</p>").arg(verdict);
}

RowLine titleOf(const ModelAudit& model, const QStringList& names) {
    const QString name = QString::fromStdString(model.name);
    RowLine line{.text = name, .isTitle = true, .suffix = markedName(model).mid(name.size()), .others = names};
    if (isMarked(model))
        line.aside = catalogText(model.findings.front().kind->title).toLower();
    line.asideInk = colors::unauthentic;
    return line;
}

/// Makes a column's cells from models.
using ModelCells = std::function<std::function<TableCell(int)>(std::function<TableCell(const ModelAudit&)>)>;

TableColumn metricColumn(const ModelCells& of, const char* id, const QString& title) {
    const Metric& metric = *findMetric(id);
    return {.title = title.isEmpty() ? catalogText(metric.title) : title,
            .hint = metricToolTip(metric),
            .cell = of([id](const ModelAudit& model) {
                const double value = metricOr(model, id);
                return cellOf(formatNumber(value), value);
            })};
}

/// A metric as the share of bad samples that would explain it.
TableColumn equivalentColumn(const ModelCells& of, const char* id, const QString& title) {
    const Metric& metric = *findMetric(id);
    return {.title = title,
            .hint = ModelsTable::tr("<b>Equivalent bad fraction</b>: 1 - %1. A good set with this share of its samples "
                                    "replaced by bad ones would score the same.")
                        .arg(catalogText(metric.title).toLower()) +
                    QStringLiteral("<hr>") + metricToolTip(metric),
            .cell = of([id](const ModelAudit& model) {
                const double share = 1.0 - metricOr(model, id);
                return cellOf(formatPercent(share), share);
            })};
}

TableColumn verdictColumn(const ModelCells& of, bool isCompact) {
    return {.title = isCompact ? ModelsTable::tr("Model") : ModelsTable::tr("Verdict"),
            .hint = ModelsTable::tr("The estimated share of bad samples. Sorted by it, the best model comes first: "
                                    "models without a finding, then those with too few samples to be sure, then the "
                                    "others by their share of bad samples. (!) marks a model that has problems and "
                                    "comes after all without: see Findings."),
            .cell =
                of([isCompact](const ModelAudit& model) { return cellOf(verdictOf(model, isCompact), rankOf(model)); }),
            .side = isCompact ? Qt::AlignLeft : Qt::AlignRight,
            .least = isCompact ? 10 : 0, // "99.9 % bad"
            .takesRoom = isCompact};
}

} // namespace

TableContent modelsTable(const std::shared_ptr<const AuditResult>& audit, ModelsRoom room) {
    if (!audit || audit->models.empty())
        return {};
    const bool isCompact = room == ModelsRoom::Compact;
    const bool isLong = room == ModelsRoom::Long;
    const auto modelAt = [audit](int row) -> const ModelAudit& {
        return *audit->models[static_cast<std::size_t>(row)];
    };
    const ModelCells of = [modelAt](auto make) { return [=](int row) { return make(modelAt(row)); }; };
    const auto title = [&](const QString& inFull, const QString& brief) { return isLong ? inFull : brief; };
    TableContent content{.rows = static_cast<int>(audit->models.size()),
                         .selectedBar = colors::synthetic,
                         .sortedBy = ModelVerdict,
                         .isDense = isCompact};
    content.columns = {
        {.title = ModelsTable::tr("Model"),
         .hint =
             ModelsTable::tr("The synthetic sets of this audit. (!) marks a model that has problems: see Findings."),
         .cell =
             of([](const ModelAudit& model) { return cellOf(markedName(model), QString::fromStdString(model.name)); }),
         .side = Qt::AlignLeft,
         .least = 8,
         .takesRoom = true,
         .isHidden = isCompact},
        verdictColumn(of, isCompact),
        metricColumn(of, "clipped_density", title({}, ModelsTable::tr("Dens."))),
        metricColumn(of, "clipped_coverage", title({}, ModelsTable::tr("Cov."))),
        equivalentColumn(of, "clipped_density", title(ModelsTable::tr("Equivalent bad"), ModelsTable::tr("Eq. bad"))),
        equivalentColumn(of, "clipped_coverage",
                         title(ModelsTable::tr("Equivalent missing"), ModelsTable::tr("Eq. miss."))),
        metricColumn(of, "authenticity", title({}, ModelsTable::tr("Auth."))),
        metricColumn(of, "pce", title(ModelsTable::tr("PCE (nats)"), ModelsTable::tr("PCE")))};
    for (const ModelsColumn column : {ModelBadFidelity, ModelBadCoverage})
        content.columns[column].isHidden = isCompact;
    content.columns[ModelBadCoverage].leavesAt = 1; // the other columns imply them
    content.columns[ModelBadFidelity].leavesAt = 2;
    content.columns[ModelPce].leavesAt = 3;
    content.columns[ModelAuthenticity].leavesAt = 4;
    content.hint = [modelAt](int row) { return hintOf(modelAt(row)); };
    if (isCompact) {
        QStringList names;
        for (const auto& model : audit->models)
            names << QString::fromStdString(model->name);
        content.above = [modelAt, names](int row) { return titleOf(modelAt(row), names); };
    }
    return content;
}

namespace {

constexpr int kWideFrom = 430; // logical pixels: from here on names and numbers share a line
constexpr int kLongHeadersFrom = 820;

} // namespace

ModelsPanel::ModelsPanel(PanelHost& host) : Panel(host) {
    table_ = named<TableView>("modelsTable", this);
    table_->setAccessibleName(title());
    setContent(table_, tr("The synthetic sets and their scores are listed here."));
    connect(table_, &TableView::rowChosen, this, [this](int row) {
        if (const auto chosen = static_cast<std::size_t>(row); chosen != state().model)
            this->host().setModel(chosen);
    });
}

ModelsRoom ModelsPanel::room() const {
    return width() < kWideFrom          ? ModelsRoom::Compact
           : width() < kLongHeadersFrom ? ModelsRoom::Short
                                        : ModelsRoom::Long;
}

void ModelsPanel::stateChanged(const Changes& changes) {
    if (changes.audit)
        showModels();
    else if (state().hasModel())
        table_->showRow(static_cast<int>(state().model));
}

void ModelsPanel::showModels() {
    shownFor_ = room();
    table_->setContent(modelsTable(state().audit, shownFor_));
    if (state().hasModel())
        table_->showRow(static_cast<int>(state().model));
}

void ModelsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    if (room() != shownFor_)
        showModels();
}

} // namespace assay
