#pragma once

#include <QString>

class QWidget;

namespace assay::test {

/// Saves `NAME-light.png` and `NAME-dark.png` of a shown widget into the folder that ASSAY_SHOT_DIR names; does nothing
/// when it is not set.
void shoot(QWidget& widget, const QString& name);

/// A dark palette, as the program uses with the Fusion style.
void useDarkPalette();

} // namespace assay::test
