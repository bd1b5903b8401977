#include "widgets/useful/useful_content.h"

#include "engine/audit/findings/findings.h"
#include "engine/audit/result/by_class.h"
#include "engine/metrics/utility/utility.h"
#include "widgets/charts/figure.h"
#include "widgets/common/number_format.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>
#include <cmath>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct UsefulPanelWords {
    Q_DECLARE_TR_FUNCTIONS(assay::UsefulPanel)
};

/// What brings utility where it is missing for a reason.
QString remedyFor(std::string_view whyNot) {
    struct Remedy {
        std::vector<std::string_view> reasons;
        QString text;
    };
    const std::array remedies{
        Remedy{{no_utility::kNoRealLabels, no_utility::kNoLabels},
               UsefulPanelWords::tr("Give every sample a label: an array \u201clabels\u201d in the .npz file, or a "
                                    "column of the table that is chosen as label when it is opened.")},
        Remedy{{no_utility::kOneRealClass, no_utility::kOneClass, no_utility::kSameNumber},
               UsefulPanelWords::tr("A classifier needs at least two classes to tell apart.")},
        Remedy{{no_utility::kNothingInCommon}, UsefulPanelWords::tr("Name the classes alike in both sets.")},
        Remedy{{no_utility::kNoClasses, no_utility::kNotNumbers},
               UsefulPanelWords::tr("Labels have to be classes that many samples share, or numbers in both sets.")},
        Remedy{{no_utility::kFewSamples}, UsefulPanelWords::tr("Label more of the samples.")}};
    for (const Remedy& remedy : remedies)
        for (const std::string_view reason : remedy.reasons)
            if (reason == whyNot)
                return remedy.text;
    return {};
}

void addRow(std::vector<QStringList>& data, const QString& measure, const QStringList& names,
            const std::array<double, 3>& values) {
    QStringList row{measure};
    row += names;
    for (const double value : values)
        row << (std::isnan(value) ? QString() : dataNumber(value));
    data.push_back(row);
}

} // namespace

QString usefulHint(const ViewState& state) {
    if (!state.hasModel())
        return UsefulPanelWords::tr(
            "A classifier trained on the synthetic set is compared here with one trained on real "
            "data. That needs labels in the sets.");
    const ModelAudit& model = state.current();
    if (!model.utility.isKnown())
        return model.complete ? UsefulPanelWords::tr("Usefulness was not measured: a quick audit leaves it out.\n"
                                                     "Score the files again without --quick.")
                              : UsefulPanelWords::tr("Training classifiers\u2026");
    const QString sentence = QString::fromStdString(usefulSentence(model));
    const QString remedy = remedyFor(model.utility.whyNot);
    return remedy.isEmpty() ? sentence : sentence + QLatin1Char('\n') + remedy;
}

QString usefulAxisTitle(const ViewState& state) {
    const UtilityReport& report = state.current().utility;
    const QString tested = report.testedOn == "held_out" ? UsefulPanelWords::tr("%1 held-out samples")
                                                         : UsefulPanelWords::tr("%1 real samples");
    const QString measure =
        state.current().hasMetric("utility_r2") ? UsefulPanelWords::tr("R\u00b2") : UsefulPanelWords::tr("Accuracy");
    return UsefulPanelWords::tr("%1 on %2, trained on").arg(measure, tested.arg(formatCount(report.tested)));
}

QString usefulKeptSentence(const ViewState& state, const UsefulMetric& metric,
                           const std::function<QString(double)>& text) {
    if (!keepsSome(state))
        return {};
    const UsefulOfKept* known = usefulOfKept(state);
    if (known == nullptr)
        return UsefulPanelWords::tr("Training on the kept samples, and on as many at random\u2026");
    if (!known->scores)
        return UsefulPanelWords::tr("Usefulness of the kept samples was not computed.");
    const UsefulIfKept& scores = *known->scores;
    const auto kept = scores.kept.*metric.ofKept;
    if (!kept)
        return UsefulPanelWords::tr("This cannot be measured for the kept samples. %1")
            .arg(QString::fromUtf8(scores.kept.whyNot.data(), static_cast<qsizetype>(scores.kept.whyNot.size())));
    const QString all =
        UsefulPanelWords::tr("Trained on the %1 kept samples: %2").arg(formatCount(scores.kept.rows), text(*kept));
    const auto random = scores.random.*metric.ofKept;
    return random ? UsefulPanelWords::tr("%1; on as many at random: %2.").arg(all, text(*random))
                  : all + QLatin1Char('.');
}

std::vector<QStringList> usefulData(const ViewState& state, const std::vector<IntervalRow>& rows) {
    constexpr double kNone = IntervalRow::kNone;
    const ModelAudit& model = state.current();
    std::vector<QStringList> data{{QStringLiteral("measure"), QStringLiteral("trained_on"), QStringLiteral("class"),
                                   QStringLiteral("taken_for"), QStringLiteral("value"), QStringLiteral("low"),
                                   QStringLiteral("high")}};
    const QString measure = model.hasMetric("utility_r2") ? QStringLiteral("r2") : QStringLiteral("accuracy");
    for (const IntervalRow& row : rows)
        addRow(data, measure, {row.name, {}, {}}, {row.value, row.low, row.high});
    const QString name = QString::fromStdString(model.name);
    for (const ClassUtility& of : model.utility.byClass) {
        const QString label = QString::fromStdString(model.utility.classes[of.label]);
        addRow(data, measure, {name, label, {}}, {of.accuracy, kNone, kNone});
        addRow(data, measure, {QStringLiteral("real data"), label, {}}, {of.realAccuracy, kNone, kNone});
    }
    return data;
}

namespace {

/// Translation context of this file's texts.
struct ClassUtilityTable {
    Q_DECLARE_TR_FUNCTIONS(assay::ClassUtilityTable)
};

TableCell accuracyCell(double share, Side side) {
    return {.text = formatTenths(share), .sort = share, .graphic = CellShare{share, side}};
}

/// In percentage points.
TableCell changeCell(double lost) {
    const QString text =
        lost == 0.0 ? QStringLiteral("0") : QLocale().toString(-100.0 * lost, 'f', 1).prepend(lost < 0.0 ? "+" : "");
    return cellOf(text, lost);
}

} // namespace

TableContent classUtilityTable(const ViewState& state) {
    if (!state.hasModel())
        return {};
    const std::shared_ptr<const ModelAudit> model = state.audit->models[state.model];
    const auto nameOf = [model](const ClassUtility& of) {
        return QString::fromStdString(model->utility.classes[of.label]);
    };
    const QString modelName = QString::fromStdString(model->name);
    TableContent content{.rows = static_cast<int>(model->utility.byClass.size())};
    const auto of = cellsOf(model->utility.byClass);
    content.columns = {
        {.title = ClassUtilityTable::tr("Class"),
         .hint = ClassUtilityTable::tr("A click on a class selects its real samples"),
         .cell = [name = of(nameOf)](int row) { return cellOf(name(row), row); }, // in the order of the classes
         .side = Qt::AlignLeft,
         .least = 6,
         .takesRoom = true},
        {.title = ClassUtilityTable::tr("Tested"),
         .hint = ClassUtilityTable::tr("Samples of the class that the classifiers are tested on"),
         .cell = of(
             [](const ClassUtility& one) { return cellOf(formatCount(one.tested), static_cast<double>(one.tested)); }),
         .leavesAt = 1}, // the tooltips say it, too
        {.title = ClassUtilityTable::tr("Synthetic"),
         .hint = ClassUtilityTable::tr("Share classified correctly after training on %1").arg(modelName),
         .cell = of([](const ClassUtility& one) { return accuracyCell(one.accuracy, Side::Synthetic); })},
        {.title = ClassUtilityTable::tr("Real"),
         .hint = ClassUtilityTable::tr("Share classified correctly after training on the real set"),
         .cell = of([](const ClassUtility& one) { return accuracyCell(one.realAccuracy, Side::Real); })},
        {.title = ClassUtilityTable::tr("Change"),
         .hint = ClassUtilityTable::tr("Gained (+) or lost by training on %1, in percentage points").arg(modelName),
         .cell = of([](const ClassUtility& one) { return changeCell(one.realAccuracy - one.accuracy); })}};
    content.hint = of([nameOf](const ClassUtility& one) {
        return one.training > 0
                   ? ClassUtilityTable::tr("%1: trained on %2 synthetic samples, tested on %3")
                         .arg(nameOf(one), formatCount(one.training), formatCount(one.tested))
                   : ClassUtilityTable::tr("%1: the model has no sample of this class, so it is never predicted")
                         .arg(nameOf(one));
    });
    return content;
}

SampleSet samplesOfUtilityRow(const ViewState& state, int row) {
    const UtilityReport& utility = state.current().utility;
    const std::string& label = utility.classes[utility.byClass[static_cast<std::size_t>(row)].label];
    return state.shownOf(samplesOfClass(SetId::Real, *state.audit->real->set, label));
}

namespace {

/// Translation context of this file's texts.
struct ConfusionTable {
    Q_DECLARE_TR_FUNCTIONS(assay::ConfusionTable)
};

QString nameAt(const ConfusionCounts& counts, std::size_t place) {
    return QString::fromStdString(counts.nameAt(place));
}

HeatCell cellAt(const ConfusionCounts& counts, HeatPlace at) {
    HeatCell cell{.isSame = at.row == at.column};
    const std::size_t count = counts.countAt({at.row, at.column});
    if (count == 0)
        return cell;
    cell.text = formatCount(count);
    if (!cell.isSame)
        cell.shade = counts.shareAt({at.row, at.column}) / counts.largestError();
    return cell;
}

QString textOf(const ConfusionCounts& counts, HeatPlace at) {
    const QString part = ConfusionTable::tr("%1 of the %2 real samples of class %3 (%4)")
                             .arg(formatCount(counts.countAt({at.row, at.column})), formatCount(counts.totalOf(at.row)),
                                  nameAt(counts, at.row), formatPercent(counts.shareAt({at.row, at.column})));
    return at.row == at.column ? ConfusionTable::tr("Classified correctly: %1").arg(part)
                               : ConfusionTable::tr("Predicted as class %2: %1").arg(part, nameAt(counts, at.column));
}

} // namespace

HeatContent confusionTable(const std::shared_ptr<const ConfusionCounts>& counts) {
    HeatContent content;
    content.rowsTitle = ConfusionTable::tr("Class");
    content.columnsTitle = ConfusionTable::tr("Predicted class");
    content.widest = formatCount(counts->largestCount());
    for (std::size_t place = 0; place < counts->size(); ++place)
        content.rows << nameAt(*counts, place);
    content.columns = content.rows;
    content.cell = [counts](HeatPlace at) { return cellAt(*counts, at); };
    content.toolTip = [counts](HeatPlace at) { return textOf(*counts, at).toHtmlEscaped(); };
    content.description = [counts](HeatPlace at) { return textOf(*counts, at); };
    return content;
}

} // namespace assay
