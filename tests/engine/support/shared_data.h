#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace assay::test {

/// A file of the reference data that lie beside the source tree (or under $ASSAY_SHARED_DIR), as in
/// `sharedFile("data/mnist/real.npz")`. Nothing when it is absent: tests then skip by name.
inline std::optional<std::string> sharedFile(const std::string& relative) {
    const char* given = std::getenv("ASSAY_SHARED_DIR");
    const std::filesystem::path root = given ? given : ASSAY_SOURCE_DIR "/../shared";
    const std::filesystem::path file = root / relative;
    std::error_code ignored;
    return std::filesystem::exists(file, ignored) ? std::optional(file.string()) : std::nullopt;
}

} // namespace assay::test
