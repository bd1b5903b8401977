#pragma once

#include <QString>

namespace assay {

struct ViewState;

/// The samples that a figure shows, and the program, for its caption: "2,000 real samples; mixed: 2,000; k = 5. Assay
/// 0.2.0." Empty without a model.
QString figureParameters(const ViewState& state);

} // namespace assay
