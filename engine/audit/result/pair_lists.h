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
    Exposed,    ///< a real sample and its nearest synthetic one, the easiest to tell as a training sample first
};
constexpr std::array kPairKinds{PairKind::Duplicates, PairKind::Copies, PairKind::Leaks, PairKind::Exposed};

/// Pairs of one model and of the held-out set. A plain value.
struct PairLists {
    std::shared_ptr<const ModelAudit> model;        ///< whose duplicates and copies these are
    std::shared_ptr<const HeldOutAnalysis> heldOut; ///< whose leaks these are; null without a held-out set
    std::array<SamplePairs, kPairKinds.size()> lists;

    const SamplePairs& of(PairKind kind) const { return lists[static_cast<std::size_t>(kind)]; }
};

/// Finds the duplicates, copies and leaks of a model of the audit; takes up to a second for a million samples. For any
/// thread.
/// @throws Cancelled
std::shared_ptr<const PairLists> findPairs(const AuditResult& audit, std::size_t model, const JobContext& job = {});

/// Finds the most exposed real samples: pairs of PairKind::Exposed alone, none without a held-out set. Cost and use as
/// of findPairs().
/// @throws Cancelled
std::shared_ptr<const PairLists> findExposed(const AuditResult& audit, std::size_t model, const JobContext& job = {});

} // namespace assay
