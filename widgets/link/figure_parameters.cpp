#include "widgets/link/figure_parameters.h"

#include "engine/data/embedding_set.h"
#include "engine/version.h"
#include "widgets/common/number_format.h"
#include "widgets/link/view_state.h"

#include <QCoreApplication>

namespace assay {

QString figureParameters(const ViewState& state) {
    if (!state.hasModel())
        return {};
    QString text = QCoreApplication::translate("assay::Figure", "%1 real samples; %2: %3; k = %4.")
                       .arg(formatCount(state.audit->real->set->rows()), QString::fromStdString(state.current().name),
                            formatCount(state.current().set->rows()))
                       .arg(state.audit->k);
    if (state.shown)
        text += QCoreApplication::translate("assay::Figure", " Samples shown: %1.").arg(filterText(state.filter));
    return text + QCoreApplication::translate("assay::Figure", " Assay %1.").arg(QString::fromUtf8(kVersion));
}

} // namespace assay
