#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// In which order the pictures of a folder are rows. They differ where a name ends like a folder: `a-b/x.png` comes
/// before `a/x.png` by the whole path, and after it by its parts.
enum class PictureOrder { Path, Parts };

/// Pictures as files (PNG, JPEG, ...) in a folder or an archive, read when they are wanted.
class PictureFiles {
public:
    virtual ~PictureFiles() = default;

    /// Their paths, in the order of the rows.
    const std::vector<std::string>& paths() const noexcept { return paths_; }

    /// One file's content, for any thread. @throws Error when it cannot be had, or is not what it was any more
    virtual std::vector<std::byte> bytes(std::size_t file) const = 0;

protected:
    std::vector<std::string> paths_;
};

/// What the pictures of a set are shown as: all of one size.
struct ShownSize {
    std::size_t width = 0;
    std::size_t height = 0;
    bool alike = false; ///< no picture needs to be scaled

    /// Pictures of one size stay as they are up to 256 pixels; others are fitted into a square of 128.
    static ShownSize of(std::size_t width, std::size_t height, bool alike);
};

/// Some of the pictures, decoded whenever they are looked at: as RGB where all are alike, else RGBA, scaled and with a
/// transparent border.
std::shared_ptr<const ImageStore> shownPictures(std::shared_ptr<const PictureFiles> files,
                                                std::vector<std::size_t> which, const ShownSize& size);

/// A set of one row per picture that can be decoded: the built-in embedding, paths as ids, and the pictures, which are
/// decoded again when they are looked at. What is left out, and that the embedding is the built-in one, is in the
/// notes. The hash is that of the lines that `sha256sum` prints of all files.
/// @param name for messages
/// @throws Error{BadInput} when no picture can be decoded; Cancelled
EmbeddingParts embedPictureFiles(const std::shared_ptr<const PictureFiles>& files, const std::string& name,
                                 const JobContext& job);

/// "2 files ...: 'a.txt', 'b.txt'", the first five by their names.
std::string leftOut(const std::string& what, const std::vector<std::string>& names);

} // namespace assay
