#pragma once

#include <string>
#include <vector>

namespace assay {

class ValueReader;
class ValueWriter;

} // namespace assay

// Lists of texts in an audit file: as UTF-8, one after the other, below `PATH/text`, and where each ends, `PATH/end`.
namespace assay::store {

void writeTexts(ValueWriter& values, const std::string& path, const std::vector<std::string>& texts);

/// @throws Error{BadInput} for ends that are not in order
std::vector<std::string> readTexts(ValueReader& values, const std::string& path);

} // namespace assay::store
