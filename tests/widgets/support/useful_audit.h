#pragma once

#include "engine/audit/result/audit_result.h"
#include "tests/widgets/support/changed_audit.h"

#include <compare>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay::test {

/// A small audit of labelled clouds, scored by the engine: the model "honest" draws anew, "copies" repeats half of the
/// real samples with a little noise.
struct UsefulOptions {
    enum class Labels { Classes, Numbers, None };

    std::size_t rows = 240; ///< of each set
    std::size_t classes = 3;
    Labels labels = Labels::Classes;      ///< of the real and the held-out set
    Labels modelLabels = Labels::Classes; ///< of the models
    std::string prefix{};                 ///< of the names of classes
    std::string modelPrefix{};            ///< likewise of the models'
    std::string idPrefix{};               ///< of the samples' ids; empty: they have none
    bool heldOut = true;

    friend auto operator<=>(const UsefulOptions&, const UsefulOptions&) = default;
};

/// The same options give the same object: it is made once.
std::shared_ptr<const AuditResult> usefulAudit(const UsefulOptions& options = {});

/// The sets of such an audit: real, "honest", "copies", held-out.
std::vector<std::shared_ptr<const EmbeddingSet>> usefulSets(const UsefulOptions& options);

} // namespace assay::test
