#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A name made safe as part of a file name: no folders, no characters that file systems refuse, never empty, at most
/// 120 bytes of UTF-8. "../../etc/x" becomes "etc_x".
std::string safeFileName(std::string_view name);

/// Unique file names for samples, also on file systems that ignore case. Each name is the safe id without the suffix of
/// a picture file, then "-2", "-3" ... if the name is taken, then `suffix`.
/// @param taken names that must not be used
/// @return one per id
std::vector<std::string> fileNamesOf(std::span<const std::string> ids, std::string_view suffix,
                                     std::span<const std::string_view> taken = {});

} // namespace assay
