#pragma once

#include "engine/report/glossary/glossary.h"

#include <span>
#include <string_view>

/// The parts of the glossary that the catalogues do not have.
namespace assay::glossary_parts {

struct Formula {
    std::string_view id;
    std::string_view formula;
};

std::span<const Formula> metricFormulas();
std::span<const Formula> syntheticFormulas(); ///< of the columns of the synthetic side
std::span<const Formula> realFormulas();      ///< of the columns of the real side
std::span<const Formula> curveFormulas();
/// Words that are no score: "ball", "crowded".
std::span<const GlossaryEntry> words();

} // namespace assay::glossary_parts
