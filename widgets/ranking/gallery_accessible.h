#pragma once

class QAccessibleInterface;
class QObject;
class QString;

namespace assay {

/// Makes the gallery's accessible interface, for QAccessible::installFactory(): a list whose items are the tiles, each
/// with its id, caption, verdict and decision as its name, and after them the headers of the groups. Null for other
/// objects.
QAccessibleInterface* makeGalleryAccessible(const QString& className, QObject* object);

} // namespace assay
