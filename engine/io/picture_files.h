#pragma once

#include "engine/data/image_store.h"
#include "engine/job/job_context.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// In which order the pictures of a folder are rows. They differ where a name ends like a folder: `a-b/x.png` comes
/// before `a/x.png` by the whole path, and after it by its parts.
enum class PictureOrder { Path, Parts };

/// A picture's file, as it was when it was listed.
struct PictureFile {
    std::string path; ///< below the folder, parts separated by '/'
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type written;

    friend bool operator==(const PictureFile&, const PictureFile&) = default;
};

/// Nothing where there is no such file (any more).
std::optional<PictureFile> lookAtPicture(const std::filesystem::path& folder, const std::string& path);

/// What a folder holds, at any depth, but for hidden files and folders. Links to folders are not followed: they may
/// lead back.
struct FolderListing {
    std::vector<std::string> pictures; ///< paths below the folder, by what isNamedPicture says of their names
    std::vector<std::string> others;   ///< ascending
};

/// @throws Error{BadInput} where the folder cannot be read; Cancelled
FolderListing listPictures(const std::filesystem::path& folder, PictureOrder order, const JobContext& job);

/// The bytes of a picture's file. @throws Error{BadInput} without its name
std::vector<std::byte> readPictureFile(const std::filesystem::path& folder, const PictureFile& file);

/// What the pictures of a folder are shown as: all of one size.
struct ShownSize {
    std::size_t width = 0;
    std::size_t height = 0;
    bool alike = false; ///< no picture needs to be scaled

    /// Pictures of one size stay as they are up to 256 pixels; others are fitted into a square of 128.
    static ShownSize of(std::size_t width, std::size_t height, bool alike);
};

/// Pictures that are decoded from their files whenever they are looked at: as RGB where all are alike, else RGBA,
/// scaled and with a transparent border. One that has changed since it was listed cannot be had any more.
std::shared_ptr<const ImageStore> picturesInFolder(std::filesystem::path folder, std::vector<PictureFile> files,
                                                   const ShownSize& size);

} // namespace assay
