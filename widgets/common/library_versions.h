#pragma once

#include <QString>

namespace assay {

/// Version of the VTK that draws the 3D view, as "9.1.0".
QString vtkVersionText();

} // namespace assay
