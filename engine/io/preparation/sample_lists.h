#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/numpy/npz_archive.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Names of the lists of classes and of groups in messages, and their usual keys. Both may also be whole numbers in
/// floats, as pandas and R write them.
inline constexpr const char* kLabelList = "labels";
inline constexpr const char* kGroupList = "groups";

/// Checks that an array can be a list of classes, groups or ids.
/// @param what name of the list in messages: kLabelList, kGroupList, or "ids"
/// @throws Error{BadInput}
void requireList(const NpyHeader& header, const std::string& where, const std::string& what);

/// Reads the header and then a one-dimensional array of integers or text, as texts.
/// @throws Error{BadInput}; Cancelled
std::vector<std::string> readTextList(ByteSource& source, const std::string& where, const std::string& what,
                                      const JobContext& job);
/// Reads the header and then a one-dimensional array of integers, text or floats, as classes or groups; NaN is none. Of
/// one-hot labels [N, C], the classes are the columns 0 to C - 1.
/// @param what kLabelList or kGroupList
/// @throws Error{BadInput} also for fractions, and for a one-hot row without a single 1; Cancelled
ClassLabels readClassList(ByteSource& source, const std::string& where, const std::string& what, const JobContext& job);
/// The same of an array of numbers whose header is known.
/// @param header of one dimension
ClassLabels readClassNumbers(ByteSource& source, const NpyHeader& header, const std::string& where,
                             const std::string& what, const JobContext& job);

/// An entry of an archive as ids, classes or groups of `rows` samples; empty when the key does not exist or is a
/// pickle.
/// @param what kLabelList or kGroupList
/// @throws Error{BadInput} when the number of entries differs from `rows`, or the array is not a list; Cancelled
std::vector<std::string> readIdList(const NpzArchive& archive, std::string_view key, std::size_t rows,
                                    const JobContext& job);
ClassLabels readLabelList(const NpzArchive& archive, std::string_view key, const std::string& what, std::size_t rows,
                          const JobContext& job);

/// Gives a set its groups, and notes how many there are. Does nothing without groups.
/// @param where the file, with the array or column of the groups, for the note
void setGroups(EmbeddingParts& parts, ClassLabels groups, const std::string& where);

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
