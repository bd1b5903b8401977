#include "engine/gpu/check/passed_checks.h"

#include "engine/base/atomic_file.h"
#include "engine/base/error.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace assay::cuda {
namespace {

constexpr std::string_view kHeading = "Graphics cards that passed Assay's self check. May be deleted.";
constexpr std::size_t kMaxKeys = 32;
constexpr std::size_t kLongestKey = 1000; ///< longer lines are not ours

std::filesystem::path folderFrom(const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path folder = value == nullptr ? "" : value;
    return folder.is_absolute() ? folder : std::filesystem::path(); // as the XDG specification asks
}

} // namespace

PassedChecks::PassedChecks(std::filesystem::path file) : file_(std::move(file)) {
    std::ifstream in(file_);
    std::string line;
    if (!std::getline(in, line) || line != kHeading)
        return;
    while (keys_.size() < kMaxKeys && std::getline(in, line) && line.size() <= kLongestKey)
        keys_.push_back(line);
}

std::filesystem::path PassedChecks::userFile() {
    std::filesystem::path folder = folderFrom("XDG_CACHE_HOME");
    if (folder.empty() && !folderFrom("HOME").empty())
        folder = folderFrom("HOME") / ".cache";
    return folder.empty() ? folder : folder / "assay" / "card-checks";
}

bool PassedChecks::contains(const std::string& key) const {
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
}

void PassedChecks::add(const std::string& key) {
    if (contains(key))
        return;
    if (keys_.size() == kMaxKeys)
        keys_.erase(keys_.begin());
    keys_.push_back(key);
    if (file_.empty())
        return;
    std::string text(kHeading);
    for (const std::string& one : keys_)
        text += "\n" + one;
    std::error_code ignored;
    std::filesystem::create_directories(file_.parent_path(), ignored);
    try {
        writeFileAtomically(file_.string(), text + "\n");
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): the next start checks again
    }
}

} // namespace assay::cuda
