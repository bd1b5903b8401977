#pragma once

#include "widgets/link/linked_view.h"

#include <QString>

namespace assay {

/// A sample's picture as part of a rich text; empty for none.
QString pictureTag(const EmbeddingSet& set, std::size_t row);
/// Tooltip of a sample as rich text: its picture, enlarged, id, class and every score of its side.
/// Empty for a sample that is not in the audit.
QString sampleToolTip(const ViewState& state, SampleId sample);

/// Name of a sample for captions: "gan-0042", class in front where known: "gan-0042, class 8".
QString sampleCaption(const AuditResult& audit, SampleId sample);

} // namespace assay
