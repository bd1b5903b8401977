#pragma once

#include "engine/data/embedding_set.h"
#include "engine/job/job_context.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// Pictures as files (PNG, JPEG, ...) in a folder or an archive, read when they are wanted.
class PictureFiles {
public:
    virtual ~PictureFiles() = default;

    /// Their paths, ascending byte by byte.
    const std::vector<std::string>& paths() const noexcept { return paths_; }

    /// One file's content, for any thread. @throws Error when it cannot be had, or is not what it was any more
    virtual std::vector<std::byte> bytes(std::size_t file) const = 0;

protected:
    std::vector<std::string> paths_;
};

/// A set of one row per picture that can be decoded: the built-in embedding, paths as ids, and the pictures, which are
/// decoded again when they are looked at. What is left out, and that the embedding is the built-in one, is in the
/// notes. The hash is that of the lines that `sha256sum` prints of all files.
/// @param name for messages
/// @throws Error{BadInput} when no picture can be decoded; Cancelled
EmbeddingParts embedPictureFiles(const std::shared_ptr<const PictureFiles>& files, const std::string& name,
                                 const JobContext& job);

/// "2 files ...: 'a.txt', 'b.txt'", the first five by their names.
std::string leftOut(const std::string& what, const std::vector<std::string>& names);

/// The first folder of every path is the class, where every path has one and there are several.
ClassLabels classesOfFolders(const std::vector<std::string>& paths);

} // namespace assay
