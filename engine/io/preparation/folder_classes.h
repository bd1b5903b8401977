#pragma once

#include "engine/data/embedding_set.h"

#include <string>
#include <vector>

namespace assay {

/// Classes of samples by their folders.
struct FolderClasses {
    ClassLabels labels;
    std::string note; ///< for the user, when folders were taken for shards; else empty
};

/// The key that takes folders for classes even when they look like shards: `FOLDER:classes`.
inline constexpr const char* kClassesKey = "classes";

/// Uses the first folder of each path as its class, when every path has a folder and there are at least two folders;
/// else no classes.
///
/// Folders that number their files are shards and no classes, unless `key` is kClassesKey: names of digits, all equally
/// long, and either five digits or more and equally many files (but for the last folder), as of NVIDIA's generators and
/// dataset tools (00000/, 00001/, ... or 000000/, 001000/, ...); or files whose names are longer numbers that begin
/// with their folder's, as img2dataset writes them (00012/000120345.jpg).
/// @param paths sorted
/// @param file for the note
FolderClasses classesOfFolders(const std::vector<std::string>& paths, const std::string& key, const std::string& file);

/// Refuses any other key than kClassesKey.
/// @param kind what the file is: "a folder of pictures" @throws Error{BadInput}
void requireClassesKey(const std::string& file, const std::string& key, const std::string& kind);

} // namespace assay
