#pragma once

#include <QString>

namespace assay {

/// An error of the engine for people at the window: names the choices in the dialog instead of the command line's
/// options.
QString errorText(const QString& message);

} // namespace assay
