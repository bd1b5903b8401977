#pragma once

#include "engine/data/preparation.h"

#include <vector>

namespace assay {

/// How a reader takes the values of a file.
struct ValueReading {
    enum class NotFinite {
        Refused, ///< with the first row and column
        Kept     ///< and so are values beyond float32, as infinite ones: the caller drops their rows
    };
    enum class Text {
        Refused,
        Found,  ///< columns of a table with text become one column per category, which the reader finds
        AsKnown ///< likewise, by the categories that are given
    };

    NotFinite notFinite = NotFinite::Refused;
    std::vector<double> offset{}; ///< ValuePreparation::offset
    Text text = Text::Refused;
    std::vector<CategoryColumn> categories{}; ///< of Text::AsKnown

    /// Whether a float32 array can be looked at where it lies.
    bool allowsView() const noexcept { return offset.empty(); }
};

} // namespace assay
