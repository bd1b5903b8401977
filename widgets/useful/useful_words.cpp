#include "widgets/useful/useful_words.h"

#include "engine/audit/findings/useful_sentences.h"
#include "engine/metrics/utility/utility.h"
#include "widgets/charts/figure.h"
#include "widgets/common/number_format.h"

#include <QCoreApplication>

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
        return UsefulPanelWords::tr("A classifier trained on the synthetic set is compared here with one trained on real "
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

} // namespace assay
