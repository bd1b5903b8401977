#include "engine/base/available_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace assay {
namespace {

/// First number of a file such as those of the control group; the largest std::size_t when there is none.
std::size_t numberIn(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::size_t value = 0;
    return file >> value ? value : std::numeric_limits<std::size_t>::max();
}

/// The number after `key` in a file of lines "key number"; 0 when there is none.
std::size_t numberAfter(const std::filesystem::path& path, std::string_view key) {
    std::ifstream file(path);
    std::size_t value = 0;
    for (std::string word; file >> word;)
        if (word == key && file >> value)
            return value;
    return 0;
}

std::atomic<std::size_t> memoryLimit{0};

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// Names of a control group's files in one version of the system, and where its groups are.
struct GroupFiles {
    std::string_view controller; ///< as /proc/self/cgroup has it
    std::string_view root;
    std::string_view most, used;
    std::string_view cached; ///< key of the cache of files in memory.stat
};
constexpr std::array kGroupFiles{
    GroupFiles{"", "sys/fs/cgroup", "memory.max", "memory.current", "file"},
    GroupFiles{"memory", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache"},
};

/// Memory that one group leaves; kNone where it has no limit.
std::size_t leftInGroup(const std::filesystem::path& group, const GroupFiles& files) {
    const std::size_t most = numberIn(group / files.most); // "max" is no number
    const std::size_t used = numberIn(group / files.used);
    if (most == kNone || used == kNone)
        return kNone;
    // The cache of files counts as used, but the kernel releases it on demand.
    const std::size_t taken = used - std::min(used, numberAfter(group / "memory.stat", files.cached));
    return most - std::min(most, taken);
}

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

std::size_t memoryLeftByGroups(const std::filesystem::path& root) {
    std::size_t left = kNone;
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) { // number:controllers:/path
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controller = line.substr(first + 1, second - first - 1);
        const auto files = std::ranges::find(kGroupFiles, controller, &GroupFiles::controller);
        if (files == kGroupFiles.end())
            continue;
        // A limit holds for all groups below it. In a container the path may be that of the host, which is not there.
        for (std::filesystem::path path = line.substr(second + 1);; path = path.parent_path()) {
            left = std::min(left, leftInGroup(root / files->root / path.relative_path(), *files));
            if (path == path.parent_path())
                break;
        }
    }
    return left;
}

std::size_t availableMemory() {
    std::size_t available = numberAfter("/proc/meminfo", "MemAvailable:") * 1024;
    available = std::min(available, memoryLeftByGroups("/"));
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
