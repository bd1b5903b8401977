#pragma once

#include "engine/data/preparation.h"

#include <string>

namespace assay {

/// What was done to the values of the files, as the JSON text of one object (docs/output.md).
std::string preparationAsJson(const ValuePreparation& preparation);

} // namespace assay
