#pragma once

#include "engine/io/files/input_file.h"

#include <string>

namespace assay {

/// What a file or folder that no reader recognises seems to be, judged by its first bytes, with a way out where there
/// is one: "a PDF document", "a gzip archive: unpack it first". Completes "found ..." in messages. Never throws Error.
std::string lookOf(const InputFile& input);

/// Throws Error{BadInput}, one short sentence: the file, where the formats are listed, and lookOf() the file.
[[noreturn]] void refuseUnknown(const InputFile& input);

} // namespace assay
