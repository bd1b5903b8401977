#include "engine/gpu/check/checks.h"

#include <utility>
#include <vector>

namespace assay::cuda {
namespace {

/// Several blocks of each set, so that the code around the kernels is checked too.
constexpr std::uint32_t kBlockRows = 256;

/// A search on the CPU would compare the CPU with itself.
std::unique_ptr<NeighborSearch> noFallback(unsigned /*threads*/) {
    throw Error(ErrorKind::NotEnoughMemory, "too little memory is free for it");
}

} // namespace

std::string selfCheckDifference(std::unique_ptr<Device> device) {
    for (std::string (*check)(Device&) : {boundsDifference, floatsDifference, overflowDifference, pairsDifference})
        if (std::string fault = check(*device); !fault.empty())
            return fault;
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::move(device));
    const DeviceSearch search(std::move(devices), 1, noFallback, kBlockRows);
    std::string fault = searchDifference(search);
    return fault.empty() ? denseDifference(*search.accelerator()) : fault;
}

} // namespace assay::cuda
