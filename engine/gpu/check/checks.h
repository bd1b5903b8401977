#pragma once

#include "engine/gpu/device/device.h"
#include "engine/gpu/search/device_search.h"

#include <memory>
#include <string>

// The self check and its parts. Each returns the first difference in words; empty where there is none.
// They throw Error{DeviceFailed}; OutOfDeviceMemory, or Error{NotEnoughMemory} where the device declines.
namespace assay::cuda {

/// Compares what a device computes for one small set before it multiplies tiles, once for integers and once for floats:
/// operands and their bounds, bounds of balls and the longest list with the CPU's, bit for bit; bounds of pairs, since
/// no order of summation is documented for products of floats, with what they have to keep (bounds.h).
std::string boundsDifference(Device& device);

/// Compares k-nearest lists and ball counts with the CPU's, bit for bit, on small data sets: tied distances, duplicate
/// rows, a large common offset, magnitudes from denormal to the largest, one dimension, columns of several
/// groups of padding. The sets have more rows than one tile, and their sizes are no multiple of a tile's.
/// @param search by the device that is checked, without a fallback
std::string searchDifference(const DeviceSearch& search);

/// The same for lists that come from products of floats.
std::string floatsDifference(Device& device);

/// The same for lists that overflow, so that regions are repeated.
std::string overflowDifference(Device& device);

/// Compares the pairs that a device selects by products of integers with the CPU's, bit for bit.
std::string pairsDifference(Device& device);

/// Compares what a device computes beside the search with the CPU on small data sets: a product of columns to 1e-12 of
/// the product of both columns' norms, the layout bit for bit.
std::string denseDifference(const DeviceAccelerator& accelerator);

/// Runs every kernel of a device on small data sets and compares with the CPU: bounds, k-nearest lists, ball counts
/// and selected pairs bit for bit, products of columns and layout within their tolerance. The CPU's part
/// takes 0.2 s on one core.
/// @return the first difference: which check, which row, what was expected and found; empty where there is none
/// @throws Error{DeviceFailed}; Error{NotEnoughMemory} where too little memory is free
std::string selfCheckDifference(std::unique_ptr<Device> device);

} // namespace assay::cuda
