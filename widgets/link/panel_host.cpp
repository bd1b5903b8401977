#include "widgets/link/panel_host.h"

#include "widgets/link/sample_selection.h"

namespace assay {

void PanelHost::inspect(SampleId sample) {
    selection_->select(sample);
    showPanel(QStringLiteral("sample"));
}

} // namespace assay
