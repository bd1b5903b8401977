#pragma once

#include "engine/audit/findings/findings.h"
#include "engine/base/compute_context.h"

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

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
