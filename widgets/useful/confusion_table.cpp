#include "widgets/useful/confusion_table.h"

#include "widgets/common/number_format.h"

#include <QCoreApplication>

namespace assay {
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
