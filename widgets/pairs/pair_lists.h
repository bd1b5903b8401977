#pragma once

#include "engine/audit/result/sample_pairs.h"
#include "engine/base/job_context.h"

#include <array>
#include <cstddef>
#include <memory>

namespace assay {

struct AuditResult;
struct HeldOutAnalysis;
struct ModelAudit;

/// Which samples are paired.
enum class PairKind {
    Duplicates, ///< two synthetic samples of the current model
    Copies,     ///< a synthetic sample and its nearest real one
    Leaks,      ///< a held-out sample and its nearest real one
};
constexpr std::array kPairKinds{PairKind::Duplicates, PairKind::Copies, PairKind::Leaks};

/// Pairs of one model and of the held-out set. A plain value.
struct PairLists {
    std::shared_ptr<const ModelAudit> model;        ///< whose duplicates and copies these are
    std::shared_ptr<const HeldOutAnalysis> heldOut; ///< whose leaks these are; null without a held-out set
    std::array<SamplePairs, kPairKinds.size()> lists;

    const SamplePairs& of(PairKind kind) const { return lists[static_cast<std::size_t>(kind)]; }
};

/// Finds the pairs of a model of the audit; takes up to a second for a million samples. For any thread.
/// @throws Cancelled
std::shared_ptr<const PairLists> findPairs(const AuditResult& audit, std::size_t model, const JobContext& job = {});

} // namespace assay
