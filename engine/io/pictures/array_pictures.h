#pragma once

#include "engine/base/job_context.h"
#include "engine/data/image_store.h"
#include "engine/io/numpy/npz_archive.h"

#include <cstdint>
#include <memory>
#include <string>

namespace assay {

/// Reads pixels from a file, which stays open. A file that is deleted or replaced by renaming is still read with its
/// old contents. After a write in place (detected by size and modification time), PixelSource::read returns false.
/// @param offset position of the first pixel in the file, in bytes
/// @throws Error{BadInput} when the file cannot be opened
std::shared_ptr<const PixelSource> pixelsInFile(const std::string& name, std::uint64_t offset);

/// Whether an array looks like pictures: uint8 of three or four axes.
inline bool holdsPictures(const NpyHeader& header) {
    return header.type.isByte() && (header.shape.size() == 3 || header.shape.size() == 4);
}

/// Checks that an array can hold pictures.
/// @throws Error{BadInput}
void requirePictures(const NpyHeader& header, const std::string& where);

/// Reads the pictures of an array: uint8 [N, height, width], or [N, height, width, channels] or [N, channels, height,
/// width] with 1, 3 or 4 channels.
/// @throws Error{BadInput}; Cancelled
std::shared_ptr<const ImageStore> readPictures(ByteSource& source, const NpyHeader& header, const std::string& where,
                                               const JobContext& job);

/// The same from an archive. A large array that is stored uncompressed stays in the file and is read on demand; its
/// checksum is then not verified.
/// @param input the file of `archive`
/// @throws Error{BadInput}; Cancelled
std::shared_ptr<const ImageStore> readPictures(const NpzArchive& archive, const NpzEntry& entry, const InputFile& input,
                                               const JobContext& job);

} // namespace assay
