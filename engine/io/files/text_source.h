#pragma once

#include "engine/io/files/input_file.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace assay {

/// How the text of a file is encoded.
enum class TextEncoding {
    Bytes, ///< UTF-8 or a legacy encoding, one unit per byte
    Utf16Le,
    Utf16Be
};

/// Tells UTF-16 by its byte order mark, or by every other one of the first bytes being 0.
TextEncoding textEncodingOf(std::span<const std::byte> head);

/// Opens a text file. UTF-16 arrives as UTF-8 without its byte order mark; unpaired surrogates become U+FFFD.
std::unique_ptr<ByteSource> openText(const InputFile& input);

/// The first bytes of a text file, as openText() delivers them.
std::string textHead(const InputFile& input);

} // namespace assay
