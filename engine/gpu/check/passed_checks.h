#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cuda {

/// Remembers across program starts which graphics cards passed the self check: a text file with one line per pass. A
/// missing, damaged or unreadable file remembers nothing; one that cannot be written is no error. Either only means
/// that a card is checked again.
class PassedChecks {
public:
    /// @param file empty: nothing is remembered
    explicit PassedChecks(std::filesystem::path file);

    /// $XDG_CACHE_HOME/assay/card-checks, by default in ~/.cache; empty where neither variable is set.
    static std::filesystem::path userFile();

    /// @param key one line: everything that a pass depends on
    bool contains(const std::string& key) const;
    /// Adds a key and writes the file, atomically. The oldest of more than 32 keys are dropped.
    void add(const std::string& key);

private:
    std::filesystem::path file_;
    std::vector<std::string> keys_; ///< the oldest first
};

} // namespace assay::cuda
