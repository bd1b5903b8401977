#pragma once

#include "engine/data/preparation.h"

namespace assay {

class ValueReader;
class ValueWriter;

} // namespace assay

// What was done to the values of an audit's inputs, below `preparation`; nothing of it where they are as in the files.
namespace assay::store {

void writePreparation(ValueWriter& values, const ValuePreparation& preparation);

/// Never null. @throws Error{BadInput} for one that cannot be
PreparationPtr readPreparation(ValueReader& values);

} // namespace assay::store
