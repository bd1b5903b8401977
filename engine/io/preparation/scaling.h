#pragma once

#include "engine/math/products/double_matrix.h"

#include <cstddef>

namespace assay {

/// The low frequencies of square pictures: those whose numbers of half periods down and across sum to less than
/// `frequencies`. Each is one row per channel, a vector of the orthonormal cosine transform (DCT-II). The rows are
/// orthonormal, so that distances of coefficients are those of the low-pass pictures.
/// @param side pixels down and across; `frequencies` is at most that
/// @return frequencies (frequencies + 1) / 2 * channels rows, from low to high frequencies, channel by channel; columns
/// are the values of a picture [side, side, channels]
DoubleMatrix lowFrequencies(std::size_t side, std::size_t channels, std::size_t frequencies);

} // namespace assay
