#pragma once

#include "engine/audit/filter.h"

#include <string>

namespace assay::report {

/// A rule in words: what it keeps. "Fidelity at least 0.5", "Verdict: good".
std::string ruleText(const FilterRule& rule);

} // namespace assay::report
