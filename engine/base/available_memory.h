#pragma once

#include <cstddef>
#include <string>

namespace assay {

/// Memory that this machine, or the control group that the process runs in, has left; 0 where that is unknown.
std::size_t availableMemory();

/// "3.4 GiB", "120 MiB".
std::string bytesText(std::size_t bytes);

/// @param where for the message: what needs it
/// @throws Error{NotEnoughMemory} when `bytes` are more than are available
void requireMemory(std::size_t bytes, const std::string& where);

} // namespace assay
