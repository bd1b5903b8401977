#pragma once

#include "engine/data/preparation.h"

namespace assay {

class ValueReader;
class ValueWriter;

} // namespace assay

// The preparation of an audit's inputs, stored below `preparation`; absent when values are used as in the files.
namespace assay::store {

void writePreparation(ValueWriter& values, const ValuePreparation& preparation);

/// Reads what writePreparation() wrote. Never null.
/// @throws Error{BadInput} for an invalid preparation
PreparationPtr readPreparation(ValueReader& values);

} // namespace assay::store
