#pragma once

#include "engine/data/preparation.h"
#include "engine/store/stored_values.h"

// The preparation of an audit's inputs, stored below `preparation`; absent when values are used as in the files.
namespace assay::store {

void writePreparation(ValueWriter& values, const ValuePreparation& preparation);

/// Reads what writePreparation() wrote. Never null.
/// @throws Error{BadInput} for an invalid preparation
PreparationPtr readPreparation(ValueReader& values);

} // namespace assay::store
