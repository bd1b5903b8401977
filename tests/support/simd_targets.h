#pragma once

#include <functional>

namespace assay::test {

/// Calls check(name) once for every instruction set that this processor has and that kernels are compiled for, plain
/// C++ included, while kernels run on that one alone. Nothing else may compute meanwhile.
void onEveryInstructionSet(const std::function<void(const char* name)>& check);

} // namespace assay::test
