#pragma once

#include <cstddef>
#include <string>

namespace assay {

/// A name as it stands in a sentence or a tooltip: one of more than `most` bytes without its middle, since names of one
/// kind often differ at their ends. UTF-8; no character is cut in two.
std::string briefText(const std::string& text, std::size_t most = 80);

} // namespace assay
