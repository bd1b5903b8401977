#include "engine/base/available_memory.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <string_view>
#include <unistd.h>

namespace assay {
namespace {

/// First number of a file such as those of the control group; the largest std::size_t when there is none.
std::size_t numberIn(const char* path) {
    std::ifstream file(path);
    std::size_t value = 0;
    return file >> value ? value : std::numeric_limits<std::size_t>::max();
}

/// The number after `key` in a file of lines "key number"; 0 when there is none.
std::size_t numberAfter(const char* path, std::string_view key) {
    std::ifstream file(path);
    std::size_t value = 0;
    for (std::string word; file >> word;)
        if (word == key && file >> value)
            return value;
    return 0;
}

std::atomic<std::size_t> memoryLimit{0};

/// Bytes that the process holds, without mapped files.
std::size_t heldMemory() {
    std::ifstream file("/proc/self/statm");
    std::size_t size = 0;
    std::size_t resident = 0;
    std::size_t shared = 0; // with files
    file >> size >> resident >> shared;
    return (resident - std::min(resident, shared)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void requireFree(std::size_t bytes, const std::string& where, const std::string& found) {
    std::size_t available = availableMemory();
    if (available > 0 && bytes > available) {
        malloc_trim(0); // what was freed may still be held
        available = availableMemory();
    }
    if (available == 0 || bytes <= available)
        return;
    const std::size_t limit = memoryLimit;
    throw Error(ErrorKind::NotEnoughMemory,
                where + ": expected to need at most " + bytesText(available) + " of memory, which " +
                    (limit > 0 ? "the limit of " + bytesText(limit) + " leaves" : "are free") + ", found " + found);
}

} // namespace

MemoryLimit::MemoryLimit(std::size_t bytes) {
    memoryLimit = bytes;
}

MemoryLimit::~MemoryLimit() {
    memoryLimit = 0;
}

std::size_t availableMemory() {
    std::size_t available = numberAfter("/proc/meminfo", "MemAvailable:") * 1024;
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    const std::size_t most = numberIn("/sys/fs/cgroup/memory.max"); // "max" is no number
    const std::size_t used = numberIn("/sys/fs/cgroup/memory.current");
    if (most != kNone && used != kNone) {
        // The cache of files counts as used, but the kernel releases it on demand.
        const std::size_t cached = numberAfter("/sys/fs/cgroup/memory.stat", "file");
        const std::size_t taken = used - std::min(used, cached);
        available = std::min(available, most - std::min(most, taken));
    }
    if (const std::size_t limit = memoryLimit; limit > 0) {
        const std::size_t left = limit - std::min(limit - 1, heldMemory()); // 0 would be unknown
        available = available == 0 ? left : std::min(available, left);
    }
    return available;
}

std::string bytesText(std::size_t bytes) {
    constexpr std::array<std::string_view, 5> kUnits{"bytes", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024.0 && unit + 1 < kUnits.size(); ++unit)
        value /= 1024.0;
    return fmt::format("{:.{}f} {}", value, value < 9.95 && unit > 0 ? 1 : 0, kUnits[unit]);
}

void requireMemory(std::size_t bytes, const std::string& where) {
    constexpr std::size_t kNotWorthChecking = std::size_t{16} << 20; // checking costs more than it could save
    if (bytes < kNotWorthChecking)
        return;
    requireFree(bytes, where, bytesText(bytes));
}

void GrowingMemory::check() {
    unchecked_ = 0;
    requireFree(2 * kStep, where_, "that it needs more");
}

} // namespace assay
