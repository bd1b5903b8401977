#include "engine/report/samples/file_names.h"

#include "engine/io/files/text_encoding.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace assay {
namespace {

constexpr std::size_t kLongestName = 120;

bool isRefused(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F || std::string_view(R"(/\:*?"<>|)").find(c) != std::string_view::npos;
}

/// Lower case for ASCII letters only: for other letters, case rules depend on the file system.
std::string folded(std::string name) {
    for (char& c : name)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return name;
}

/// At most `most` bytes, without cutting a character in two.
std::string shortened(std::string name, std::size_t most) {
    if (name.size() <= most)
        return name;
    while (most > 0 && (static_cast<unsigned char>(name[most]) & 0xC0) == 0x80)
        --most;
    name.resize(most);
    return name;
}

std::string withoutPictureSuffix(std::string name) {
    constexpr std::array<std::string_view, 8> suffixes{".png", ".jpg", ".jpeg", ".webp",
                                                       ".bmp", ".gif", ".tif",  ".tiff"};
    const std::string small = folded(name);
    for (const std::string_view suffix : suffixes)
        if (small.size() > suffix.size() && small.ends_with(suffix)) {
            name.resize(name.size() - suffix.size());
            break;
        }
    return name;
}

} // namespace

std::string safeFileName(std::string_view name) {
    std::string safe = utf8OrEscaped(name);
    std::replace_if(safe.begin(), safe.end(), isRefused, '_');
    // Leading dots hide a file or refer to the parent folder; some systems drop spaces and dots at the end.
    const std::size_t first = safe.find_first_not_of(". _-");
    safe = first == std::string::npos ? std::string() : shortened(safe.substr(first), kLongestName);
    safe.resize(safe.find_last_not_of(". ") + 1);
    return safe.empty() ? "sample" : safe;
}

std::vector<std::string> fileNamesOf(std::span<const std::string> ids, std::string_view suffix,
                                     std::span<const std::string_view> taken) {
    std::unordered_set<std::string> used;
    for (const std::string_view name : taken)
        used.insert(folded(std::string(name)));
    std::unordered_map<std::string, std::size_t> lastNumber; // many samples may have the same id
    std::vector<std::string> names;
    names.reserve(ids.size());
    for (const std::string& id : ids) {
        const std::string base = withoutPictureSuffix(safeFileName(id));
        std::string name = base + std::string(suffix);
        std::size_t& number = lastNumber.try_emplace(folded(base), 1).first->second;
        while (!used.insert(folded(name)).second)
            name = base + "-" + std::to_string(++number) + std::string(suffix);
        names.push_back(std::move(name));
    }
    return names;
}

} // namespace assay
