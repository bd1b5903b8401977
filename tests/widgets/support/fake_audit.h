#pragma once

#include "engine/audit/result/audit_result.h"
#include "tests/widgets/support/changed_audit.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace assay::test {

/// What a hand-made audit holds. Small sets are scored by naive search after docs/metrics.md.
struct FakeOptions {
    std::size_t real = 60;
    std::size_t synthetic = 80;
    std::size_t models = 3; ///< by turns: faithful, copies of real samples, 30 % far noise
    std::size_t k = 5;
    bool pictures = true;
    bool labels = true;
    bool ids = true; ///< "real-0001", "copies-0001"; otherwise row numbers
    std::uint64_t seed = 7;

    friend auto operator<=>(const FakeOptions&, const FakeOptions&) = default;
};

/// Two-dimensional sets with tiny pictures, all tables, columns and metrics that the views read.
/// The same options give the same object: it is made once.
std::shared_ptr<const AuditResult> fakeAudit(const FakeOptions& options = {});

/// A table without pictures: so many columns, named "column 0" and on, one faithful model.
std::shared_ptr<const AuditResult> wideAudit(std::size_t columns);

/// That this share of a model's samples are copies: it marks the model from 5 % on.
Finding copiesFinding(double share);

/// One model of `synthetic` samples with random columns and no tables, for tests at full size.
std::shared_ptr<const AuditResult> hugeAudit(std::size_t synthetic, bool pictures = true);

} // namespace assay::test
