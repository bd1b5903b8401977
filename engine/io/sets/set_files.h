#pragma once

#include "engine/io/pictures/picture_files.h"
#include "engine/io/sets/join_rows.h"

#include <string>

namespace assay {

/// The files that one set of samples is made of.
struct SetFiles {
    std::string embeddings; ///< a file, `FILE.npz:KEY`, or a folder
    std::string pictures{}; ///< a folder of pictures or an array of them; empty: those that come with the embeddings
    std::string labels{};   ///< a table or array of classes, of ids, or of both; empty: those of the embeddings
    JoinBy join = JoinBy::Auto;
    PictureOrder order = PictureOrder::Path; ///< of the pictures, where they are joined by row
    std::string note{};                      ///< for the person to know, beside what reading has to tell

    bool isPlain() const noexcept { return pictures.empty() && labels.empty(); }

    friend bool operator==(const SetFiles&, const SetFiles&) = default;
};

} // namespace assay
