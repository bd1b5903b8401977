#pragma once

#include <cstddef>
#include <string>

namespace assay {

/// Free memory in bytes: the smaller of what the machine and the process's control group have left; 0 when unknown.
std::size_t availableMemory();

/// Text for people, in binary units, with one decimal below 10 (none for bytes): "3.4 GiB", "120 MiB".
std::string bytesText(std::size_t bytes);

/// Checks that `bytes` of memory are free. Amounts below 16 MiB are never checked.
/// @param where start of the error message: what needs the memory
/// @throws Error{NotEnoughMemory} when more than availableMemory() is needed
void requireMemory(std::size_t bytes, const std::string& where);

} // namespace assay
