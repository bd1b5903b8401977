#pragma once

#include <QString>

namespace assay {

/// An error of the engine for people at the window: names the choice in the dialog instead of the command line's
/// option.
QString errorText(const QString& message);

/// Whether the error goes away when rows with NaN or infinity are left out.
bool isAboutNotFiniteRows(const QString& message);

} // namespace assay
