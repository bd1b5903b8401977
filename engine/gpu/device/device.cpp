#include "engine/gpu/device/device.h"

namespace assay::cuda {

const DeviceList& deviceList() {
#if defined(ASSAY_HAVE_CUDA)
    static const DeviceList list = findCudaDevices();
#else
    static const DeviceList list{{}, "This build has no CUDA: it was configured where no CUDA compiler was found."};
#endif
    return list;
}

std::unique_ptr<Device> openDevice(std::size_t number, [[maybe_unused]] unsigned threads) {
    const DeviceList& list = deviceList();
    if (list.usable.empty())
        throw Error(ErrorKind::DeviceFailed, "CUDA: expected a graphics card, found none. " + list.missing);
    if (number >= list.usable.size())
        throw Error(ErrorKind::DeviceFailed, "CUDA: expected one of " + std::to_string(list.usable.size()) +
                                                 " devices, counted from 0, found " + std::to_string(number));
#if defined(ASSAY_HAVE_CUDA)
    return openCudaDevice(number, threads);
#else
    return nullptr;
#endif
}

} // namespace assay::cuda
