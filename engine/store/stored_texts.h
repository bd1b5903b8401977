#pragma once

#include <string>
#include <vector>

namespace assay {

class ValueReader;
class ValueWriter;

} // namespace assay

// Lists of texts in an audit file: `PATH/text` holds all texts as UTF-8, one after the other; `PATH/end` holds the
// offset of each text's end.
namespace assay::store {

void writeTexts(ValueWriter& values, const std::string& path, const std::vector<std::string>& texts);

/// @throws Error{BadInput} when the offsets are not in ascending order
std::vector<std::string> readTexts(ValueReader& values, const std::string& path);

} // namespace assay::store
