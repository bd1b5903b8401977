#pragma once

#include <QString>

namespace assay {

class AuditSession;

/// One line about the open audit: "10,000 real, 10,000 synthetic, 128 dimensions, k = 5 | kept 8,312 | selected 37 |
/// scored in 0.9 s, exact, CPU (gemm)". Empty when nothing is open.
QString statusText(const AuditSession& session);

} // namespace assay
