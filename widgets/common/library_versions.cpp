#include "widgets/common/library_versions.h"

#include <vtkVersion.h>

namespace assay {

QString vtkVersionText() {
    return QString::fromUtf8(vtkVersion::GetVTKVersion());
}

} // namespace assay
