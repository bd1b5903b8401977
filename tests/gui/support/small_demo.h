#pragma once

#include "gui/jobs/engine_calls.h"

namespace assay::test {

/// The real engine with a small demo that is scored at once: 200 real pictures, and 200 each of "faithful" and
/// "blurry".
EngineCalls smallDemoCalls();

} // namespace assay::test
