#pragma once

#include "engine/base/job_context.h"
#include "engine/data/image_store.h"
#include "engine/io/numpy/npz_archive.h"

#include <memory>
#include <string>

namespace assay {

/// Makes sure that an array can hold pictures. @throws Error{BadInput}
void requirePictures(const NpyHeader& header, const std::string& where);

/// The pictures of an array: uint8 [N, height, width] or [N, height, width, 1, 3 or 4]. Many stay in the file, where it
/// holds them plainly; their checksum is not compared then.
/// @param input the archive's own
/// @throws as requirePictures, Cancelled
std::shared_ptr<const ImageStore> readPictures(const NpzArchive& archive, const NpzEntry& entry, const InputFile& input,
                                               const JobContext& job);

} // namespace assay
