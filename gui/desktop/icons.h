#pragma once

#include <QIcon>
#include <QString>

namespace assay {

/// The program's own icon `name` (":/icons/NAME.svg"), its black drawn in the colour of the palette in force when it is
/// painted, so that it follows a change of theme; sharp at every scale. A null icon when there is none of that name.
QIcon icon(const QString& name);

} // namespace assay
