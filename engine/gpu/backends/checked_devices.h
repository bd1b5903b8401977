#pragma once

#include "engine/gpu/check/passed_checks.h"
#include "engine/gpu/device/devices.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace assay::cuda {

/// The graphics cards of this machine after their self check.
struct CheckedDevices {
    std::vector<std::size_t> passed;  ///< numbers for openDevice()
    std::vector<std::string> leftOut; ///< a sentence for each other card: its name, and what differs or failed

    /// All sentences of leftOut.
    std::string leftOutText() const;
};

using DeviceOpener = std::function<std::unique_ptr<Device>(std::size_t number)>;

/// Runs the self check on each usable card that `remembered` does not contain, and adds those that pass. A failure is
/// not remembered: the next program start checks again.
CheckedDevices checkDevices(const DeviceList& list, const DeviceOpener& open, PassedChecks& remembered);

/// Those of this machine, checked at the first call in a program: takes about a second for a card that is new to the
/// user's cache. Safe from any thread.
const CheckedDevices& checkedDevices();

/// Why there is no card to use, in whole sentences.
/// @param devices without a card that passed
std::string reasonForNone(const DeviceList& list, const CheckedDevices& devices);

} // namespace assay::cuda
