#include "engine/io/preparation/folder_classes.h"

#include "engine/io/files/refusal.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace assay {
namespace {

bool isDigits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Name of a file without folders and ending.
std::string_view stemOf(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1); // npos + 1 is 0
    return name.substr(0, name.rfind('.'));
}

/// Whether the folders hold equally many files, but for the last, which may hold fewer.
bool areFilledInTurn(const ClassLabels& folders) {
    const std::vector<std::uint32_t> counts = folders.counts();
    return std::all_of(counts.begin(), counts.end() - 1,
                       [&](std::uint32_t count) { return count == counts.front(); }) &&
           counts.back() <= counts.front();
}

/// Whether every file's name is a number that goes on where its folder's ends.
bool continueFolders(const std::vector<std::string>& paths) {
    return std::ranges::all_of(paths, [](const std::string& path) {
        const std::string_view folder = std::string_view(path).substr(0, path.find('/'));
        const std::string_view stem = stemOf(path);
        return isDigits(stem) && stem.size() > folder.size() && stem.starts_with(folder);
    });
}

bool areShards(const ClassLabels& folders, const std::vector<std::string>& paths) {
    constexpr std::size_t kLong = 5;
    const std::size_t length = folders.names.front().size();
    const bool areNumbers = std::ranges::all_of(
        folders.names, [&](const std::string& name) { return name.size() == length && isDigits(name); });
    return areNumbers && length > 1 && ((length >= kLong && areFilledInTurn(folders)) || continueFolders(paths));
}

} // namespace

FolderClasses classesOfFolders(const std::vector<std::string>& paths, const std::string& key, const std::string& file) {
    std::vector<std::string> names;
    for (const std::string& path : paths) {
        const std::size_t slash = path.find('/');
        if (slash == std::string::npos)
            return {};
        names.push_back(path.substr(0, slash));
    }
    ClassLabels labels = labelsFromText(names);
    if (labels.names.size() < 2)
        return {};
    if (key == kClassesKey || !areShards(labels, paths))
        return {std::move(labels), {}};
    return {{},
            file + ": its " + std::to_string(labels.names.size()) + " numbered folders ('" + labels.names[0] + "', '" +
                labels.names[1] +
                "', ...) are taken for parts of one set, not for classes; append ':classes' to the "
                "name to compare them as classes"};
}

void requireClassesKey(const std::string& file, const std::string& key, const std::string& kind) {
    if (!key.empty() && key != kClassesKey)
        refuse(file, "no key but 'classes' for " + kind, "'" + printable(key) + "'");
}

} // namespace assay
