#pragma once

#include "engine/base/error.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>

namespace assay {

/// Free memory in bytes: the least of what the machine, the process's control groups and its MemoryLimit have left; 0
/// when unknown.
std::size_t availableMemory();

/// The least that the process's control group and those above it leave, of version 1 or 2 of the system; the largest
/// std::size_t where none has a limit.
/// @param root "/", or a folder that imitates it
std::size_t memoryLeftByGroups(const std::filesystem::path& root);

/// Limits the memory of the process while it exists, for programs that do one job at a time: availableMemory() and
/// requireMemory() then count what the process holds already, without mapped files. Limits do not nest.
class MemoryLimit {
public:
    explicit MemoryLimit(std::size_t bytes); ///< 0: no limit
    ~MemoryLimit();
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;
};

/// Text for people, in binary units, with one decimal below 10 (none for bytes): "3.4 GiB", "120 MiB".
std::string bytesText(std::size_t bytes);

/// Checks that `bytes` of memory are free. Amounts below 16 MiB are never checked.
/// @param where start of the error message: what needs the memory
/// @throws Error{NotEnoughMemory} when more than availableMemory() is needed
void requireMemory(std::size_t bytes, const std::string& where);

/// Checks the memory of data whose size is not known beforehand, while they grow.
class GrowingMemory {
public:
    /// @param where as for requireMemory()
    explicit GrowingMemory(std::string where) : where_(std::move(where)) {}

    /// Notes that the data grew, about by so many bytes. Looks for free memory every 16 MiB.
    /// @throws Error{NotEnoughMemory} when less than 32 MiB are free
    void add(std::size_t bytes) {
        unchecked_ += bytes;
        if (unchecked_ >= kStep)
            check();
    }

private:
    static constexpr std::size_t kStep = std::size_t{16} << 20;
    void check();

    std::string where_;
    std::size_t unchecked_ = 0;
};

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
