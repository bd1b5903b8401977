#pragma once

class QLabel;

namespace assay {

/// Makes a label the heading of a part of a view: small, bold and muted.
void makeCaption(QLabel* label);

} // namespace assay
