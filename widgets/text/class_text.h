#pragma once

#include <QString>

#include <string>

namespace assay {

/// A class as people read it: its name; "class 3" where that is a number, which alone would be ambiguous.
QString classText(const std::string& label);

/// The same for a sentence: of a long name without the middle.
QString briefClassText(const std::string& label);

} // namespace assay
