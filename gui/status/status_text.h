#pragma once

#include <QString>

namespace assay {

class AuditSession;
struct ModelAudit;

/// What a model was scored on (NeighborSearch::hardware()) in two parts.
struct HardwareWords {
    QString device; ///< "CPU", or the graphics cards
    QString notice; ///< why a card was left out; empty for none
};
HardwareWords hardwareWords(const ModelAudit& model);

/// One line about the open audit: "10,000 real, 10,000 synthetic, 128 dimensions, k = 5 | kept 8,312 | selected 37 |
/// scored in 0.9 s, exact, CPU (gemm)". Empty when nothing is open.
QString statusText(const AuditSession& session);
/// What the words of that line mean, as HTML; empty with it.
QString statusToolTip(const AuditSession& session);

} // namespace assay
