#pragma once

#include "engine/audit/result/finding.h"
#include "engine/audit/result/intervals.h"
#include "engine/base/compute_context.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;
struct FrechetTail;
struct GroupTests;
struct HeldOutTests;
struct ModelAudit;
struct RealAnalysis;
struct RealDescription;
struct Relabelling;
struct SetTests;
struct SampleUnits;
struct VerdictScores;

/// All kinds of findings.
std::span<const FindingKind> findingKinds();

/// Input of the findings: one model's audit without its findings, and the tests that they are made of. Tests are null
/// where they were not made, or not yet.
struct FindingInputs {
    const RealAnalysis& real;
    const RealDescription* described; ///< null if only the neighbour tables were computed
    const ModelAudit* heldOut;        ///< audit of the held-out set; null without one
    const ModelAudit& model;
    double falseDiscoveryRate;
    const VerdictScores* verdicts = nullptr;
    const Relabelling* labels = nullptr; ///< without the columns of single samples
    const HeldOutTests* membership = nullptr;
    const SetTests* tests = nullptr;
    const SampleUnits* units = nullptr; ///< which synthetic samples count as one; null in quick audits
    const FrechetTail* tail = nullptr;  ///< null in quick audits
    const GroupTests* groups = nullptr; ///< null where the real set has no groups

    /// Number of synthetic samples that are independent: of groups, where there are any.
    std::size_t unitCount() const;
};

/// Problems of one model: those that mark it first, then others that speak against it, both in the order of the
/// summary; then notes. O(N + M).
std::vector<Finding> findingsOf(const FindingInputs& in);

/// The first three sentences of what speaks against the model, or praise, which has to be earned: nothing that the
/// audit knows speaks against the model, and the intervals of both clipped scores reach 95 %.
std::string summaryOf(const FindingInputs& in, std::span<const Finding> findings);

/// Note on a model whose verdicts rest on earlier statistics (ModelAudit::verdictStatistics).
/// @param judgedBy program and date, such as "Assay 0.1.0, 2026-03-01"
Finding oldVerdicts(const std::string& judgedBy);

/// Whether at least one finding marks the model.
bool isMarked(const ModelAudit& model);

/// The model whose marking findings concern the largest share of samples, copies counted twice: a model that hands out
/// its training data is news even if another one makes more bad samples. Of equal ones, and without marks, the first.
/// @pre the audit has a model
std::size_t gravestModel(const AuditResult& audit);

/// Rule that keeps the samples with the verdict `good`.
FilterRule verdictRule();

struct AuditResult;
struct ModelAudit;

/// Worth of the model's samples as training data, in one or two plain sentences, or why that is not known.
std::string usefulSentence(const ModelAudit& model);

/// Whether the model's samples give training samples away, in plain sentences with intervals, or why that is not known.
std::string privateSentence(const AuditResult& audit, const ModelAudit& model);

/// Largest number of examples of a finding.
constexpr std::size_t kMaxExamples = 5;
/// Largest number of a finding's samples that the regions of its examples are found on.
constexpr std::size_t kExampleRows = 2000;
/// Fewer copies of one real sample come about where originals are drawn at random.
constexpr std::size_t kCopiesPerOriginal = 4;

/// Chooses the examples of every finding that is about samples. Samples are grouped by k-means, found on up to
/// kExampleRows of them. Copies are grouped by the real sample nearest to them where one has at least
/// kCopiesPerOriginal copies; the originals with the most copies are shown then. A group's example is its sample
/// nearest to its mean, the lower row on ties. The result does not depend on the number of threads. A set of which this
/// process holds only a part gets no examples.
/// @param before findings with examples already, of an earlier phase of the same audit: taken over where they are about
///        the same samples
/// @return `findings` with examples
/// @throws Cancelled
std::vector<Finding> withExamples(std::vector<Finding> findings, std::span<const Finding> before,
                                  const FindingInputs& in, const ComputeContext& context);

/// Bytes that withExamples() allocates for a set of this shape while it runs, at most.
std::size_t exampleBytes(std::size_t rows, std::size_t dim);

} // namespace assay
