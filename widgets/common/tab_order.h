#pragma once

class QWidget;

namespace assay {

/// Makes Tab walk through a widget as its layout reads: from the top to the bottom, lines from the left. Needed where
/// parts are made in another order than they are laid out.
void tabInLayoutOrder(QWidget* container);

} // namespace assay
