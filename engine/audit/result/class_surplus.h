#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

struct AuditResult;

/// Synthetic samples beyond the share that their class has in the real set. A class with p_c = (its real samples) / N
/// and M_c synthetic samples has a surplus of M_c - ceil(p_c M): its samples with the smallest p_any, or its first ones
/// in the file if there are no verdicts. All samples of a class that the real set does not have are surplus. Empty if
/// one of the sets has no labels.
/// @param model index into audit.models
/// @return rows of the synthetic set, ascending
std::vector<std::uint32_t> classSurplus(const AuditResult& audit, std::size_t model);

} // namespace assay
