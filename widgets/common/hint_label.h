#pragma once

class QLabel;

namespace assay {

/// Makes a label what an empty view shows: what would be there, centred and muted.
void makeHint(QLabel* label);

} // namespace assay
