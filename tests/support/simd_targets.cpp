#include "tests/support/simd_targets.h"

#include <hwy/highway.h>

namespace assay::test {
namespace {

/// @param targets a set of Highway's; 0 for all that the processor has
void use(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

struct UseAllAgain {
    ~UseAllAgain() { use(0); }
};

} // namespace

void onEveryInstructionSet(const std::function<void(const char* name)>& check) {
    const UseAllAgain atTheEnd;
    use(0);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        use(target);
        check(hwy::TargetName(target));
    }
}

} // namespace assay::test
