#pragma once

#include "engine/base/available_memory.h"
#include "engine/base/error.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>

namespace assay {

/// Reserves memory of a vector or text without writing to it: the system provides pages only when data arrives, so an
/// archive that claims wrong sizes costs at most address space.
/// @throws Error{NotEnoughMemory}
template <typename Values>
void reserveFor(Values& values, std::size_t count, const std::string& where) {
    constexpr std::size_t kItem = sizeof(typename Values::value_type);
    requireMemory(count > values.max_size() ? values.max_size() : count * kItem, where);
    try {
        values.reserve(count);
    } catch (const std::exception&) { // bad_alloc or length_error
        throw Error(ErrorKind::NotEnoughMemory,
                    where + ": needs " + std::to_string((count * kItem) >> 20) + " MiB of memory, more than there is");
    }
}

/// Reserves memory for values that are appended piece by piece, twice as much each time that it is used up.
/// @throws Error{NotEnoughMemory}
template <typename Values>
void makeRoomFor(Values& values, std::size_t more, const std::string& where) {
    if (values.capacity() - values.size() < more)
        reserveFor(values, std::max(2 * values.capacity(), values.size() + more), where);
}

} // namespace assay
