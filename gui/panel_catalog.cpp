#include "gui/panel_catalog.h"

namespace assay {

std::vector<Panel> panelCatalog() {
    return {};
}

} // namespace assay
