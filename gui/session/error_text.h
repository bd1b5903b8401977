#pragma once

#include <QString>

namespace assay {

/// An error of the engine for the window: names the dialog's choices in place of the command line's options.
QString errorText(const QString& message);

} // namespace assay
