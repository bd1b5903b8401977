#include "widgets/useful/class_utility_table.h"

#include "engine/audit/result/by_class.h"
#include "widgets/common/number_format.h"

#include <QCoreApplication>
#include <QLocale>

namespace assay {
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

} // namespace assay
