#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

struct AuditResult;

/// What classes have beyond their share of the real set: of a class with p_c of the N real and M_c of the M synthetic
/// samples the M_c - ceil(p_c M) samples with the smallest p_any (in the order of the file where there are no
/// verdicts), ascending. A class that the real set does not have is all surplus. None where one of the sets has no
/// labels.
/// @param model index into audit.models
std::vector<std::uint32_t> classSurplus(const AuditResult& audit, std::size_t model);

} // namespace assay
