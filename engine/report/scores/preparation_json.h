#pragma once

#include "engine/data/preparation.h"

#include <string>

namespace assay {

/// The preparation of the files' values as the JSON text of one object (docs/output.md).
std::string preparationAsJson(const ValuePreparation& preparation);

} // namespace assay
