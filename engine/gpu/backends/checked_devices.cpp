#include "engine/gpu/backends/checked_devices.h"

#include "engine/gpu/check/checks.h"
#include "engine/version.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::cuda {
namespace {

#if defined(ASSAY_KERNELS)
constexpr const char* kKernels = ASSAY_KERNELS; ///< a hash of their sources, the compiler and the architectures
#else
constexpr const char* kKernels = "none";
#endif

/// Everything that the outcome of a self check depends on, in one line.
std::string checkKey(const DeviceInfo& info) {
    std::string key = info.name + "; " + info.identity + "; Assay " + kVersion + "; kernels " + kKernels;
    std::replace(key.begin(), key.end(), '\n', ' ');
    return key;
}

} // namespace

std::string CheckedDevices::leftOutText() const {
    return fmt::format("{}", fmt::join(leftOut, " "));
}

CheckedDevices checkDevices(const DeviceList& list, const DeviceOpener& open, PassedChecks& remembered) {
    CheckedDevices devices;
    for (std::size_t number = 0; number < list.usable.size(); ++number) {
        const DeviceInfo& info = list.usable[number];
        const std::string key = checkKey(info);
        std::string problem;
        if (!remembered.contains(key)) {
            try {
                problem = selfCheckDifference(open(number));
                if (!problem.empty())
                    problem.insert(0, "its self check differs from the CPU: ");
                else
                    remembered.add(key);
            } catch (const Error& error) {
                problem = std::string("its self check failed: ") + error.what();
            }
        }
        if (problem.empty())
            devices.passed.push_back(number);
        else
            devices.leftOut.push_back(deviceText(info) + " is left out, " + problem + ".");
    }
    return devices;
}

const CheckedDevices& checkedDevices() {
    static const CheckedDevices devices = [] {
        PassedChecks remembered(PassedChecks::userFile());
        return checkDevices(
            deviceList(), [](std::size_t number) { return openDevice(number, 1); }, remembered);
    }();
    return devices;
}

std::string reasonForNone(const DeviceList& list, const CheckedDevices& devices) {
    return list.usable.empty() ? list.missing : devices.leftOutText();
}

} // namespace assay::cuda
