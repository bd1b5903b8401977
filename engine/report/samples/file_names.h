#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A name as part of a file's name: without folders and what file systems refuse, never empty, of at most 120 bytes of
/// UTF-8. "../../etc/x" becomes "etc_x".
std::string safeFileName(std::string_view name);

/// File names for samples, each once, also where a file system takes capitals and small letters for the same:
/// the safe id, without the suffix of a picture file that it may have, with "-2", "-3" .. where it is taken, and
/// `suffix`.
/// @param taken names that none of them may get
std::vector<std::string> fileNamesOf(std::span<const std::string> ids, std::string_view suffix,
                                     std::span<const std::string_view> taken = {});

} // namespace assay
