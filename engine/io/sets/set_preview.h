#pragma once

#include "engine/base/job_context.h"
#include "engine/io/sets/set_files.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// What a person sees of a set before it is opened.
struct SetPreview {
    std::string format;            ///< for people: "a NumPy archive (.npz)"
    std::string key;               ///< the array that holds the embeddings; empty for formats without
    std::vector<std::string> keys; ///< those to choose from, where the file leaves it open: then nothing else is known
    std::size_t rows = 0;
    std::size_t dim = 0; ///< 0 for pictures alone, which a built-in embedding will be made of
    std::vector<std::vector<float>> firstRows;
    std::vector<std::string> firstIds;    ///< of as many samples; row numbers where there are none
    std::vector<std::string> firstLabels; ///< likewise; none without classes
    std::size_t classes = 0;
    std::size_t height = 0, width = 0, channels = 0;      ///< of pictures; 0: there are none
    std::vector<std::vector<std::uint8_t>> firstPictures; ///< pixels, as ImageStore's; empty for one that is not there
    std::vector<std::string> notes;                       ///< how things were joined, what is left out

    /// Whether it has pictures and no embeddings; series have neither.
    bool isOnlyPictures() const noexcept { return dim == 0 && height > 0 && keys.empty(); }
};

/// Reads as much of a set as it takes to show what it is: all of most formats, of a folder of pictures only the names.
/// Values are not checked.
/// @throws Error{BadInput}, as readSet but for what is wrong with values; Error{NotEnoughMemory}; Cancelled
SetPreview previewSet(const SetFiles& files, const JobContext& job = {});

} // namespace assay
