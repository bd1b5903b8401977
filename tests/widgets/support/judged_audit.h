#pragma once

#include "engine/audit/result/audit_result.h"

#include <cstddef>
#include <memory>

namespace assay::test {

/// Rows of the synthetic set of judgedAudit(), in this order; the rest are good samples.
struct JudgedRows {
    static constexpr std::size_t kNearCopies = 40;  ///< of real sample 7, each at another distance
    static constexpr std::size_t kExactCopies = 30; ///< of the real samples 20 to 34, two of each
    static constexpr std::size_t kCrowd = 60;       ///< in one tight cluster between the real samples
    static constexpr std::size_t kFar = 60;         ///< far from all others
    static constexpr std::size_t kAll = 400;
};

/// A small audit with verdicts, scored by the engine: 600 real Gaussian samples, of which the last 60 are far from the
/// rest and missed by the model, and one model whose first samples are bad on purpose. Three classes, no ids, no
/// pictures. The same dimension gives the same object: it is made once.
std::shared_ptr<const AuditResult> judgedAudit(std::size_t dim);

} // namespace assay::test
