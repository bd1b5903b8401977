#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/io/preparation/built_in.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// Mean colours of a grid of `height` x `width` equal cells over a picture. A pixel on the border of cells counts in
/// each cell by the share of its area there. A picture with fewer pixels than cells is enlarged.
/// @pre the picture has pixels; `width` and `height` are positive
/// @return height x width x 3 values (red, green, blue), row by row, each in [0, 255]
/// @throws std::bad_alloc only
std::vector<float> meanColors(const RgbPicture& picture, std::size_t width, std::size_t height);

/// The built-in embedding, for pictures without embeddings: mean red, green and blue of a grid of 16 x 16 equal cells.
/// @return kPixelEmbeddingDim values in [0, 1]
std::vector<float> pixelEmbedding(const RgbPicture& picture);

/// Builds a set from pictures alone: their built-in embedding, and the pictures themselves.
/// @param file for messages
/// @throws Error{BadInput} when there are no pictures, more than 2^22, or one cannot be read; Cancelled
EmbeddingParts embedPictures(std::shared_ptr<const ImageStore> images, const std::string& file, const JobContext& job);

/// Order of a folder's pictures as rows: sorted by the whole path, or by the list of path parts. The orders differ when
/// a name continues a folder's name: `a-b/x.png` comes before `a/x.png` by path, and after it by parts.
enum class PictureOrder { Path, Parts };

/// Picture files (PNG, JPEG, ...) in a folder or an archive, read on demand.
class PictureFiles {
public:
    virtual ~PictureFiles() = default;

    /// Paths of the pictures, in the order of the rows.
    const std::vector<std::string>& paths() const noexcept { return paths_; }

    /// The content of one file. Thread-safe.
    /// @throws Error when the file cannot be read, or has changed
    virtual std::vector<std::byte> bytes(std::size_t file) const = 0;

protected:
    std::vector<std::string> paths_;
};

/// Size at which all pictures of a set are displayed.
struct DisplaySize {
    std::size_t width = 0;
    std::size_t height = 0;
    bool alike = false; ///< all pictures already have this size

    /// Pictures of equal size up to 256 pixels per side keep their size; others are scaled to fit a square of 128
    /// pixels.
    /// @param alike whether all pictures have size `width` x `height`
    static DisplaySize of(std::size_t width, std::size_t height, bool alike);
};

/// Some of the pictures, decoded on demand: RGB when size.alike, else RGBA, scaled and with a transparent border.
/// @param which indices into files->paths(), one per row
std::shared_ptr<const ImageStore> shownPictures(std::shared_ptr<const PictureFiles> files,
                                                std::vector<std::size_t> which, const DisplaySize& size);

/// Builds a set with one row per picture that can be decoded: the built-in embedding, paths as ids, and the pictures,
/// which are decoded again for display. The notes name the pictures that were left out and the built-in embedding. The
/// hash is the SHA-256 of the lines that `sha256sum` prints for all files.
/// @param name for messages
/// @throws Error{BadInput} when no picture can be decoded; Cancelled
EmbeddingParts embedPictureFiles(const std::shared_ptr<const PictureFiles>& files, const std::string& name,
                                 const JobContext& job);

/// Text "2 files ...: 'a.txt', 'b.txt'" that names at most the first five.
std::string leftOut(const std::string& what, const std::vector<std::string>& names);

} // namespace assay
