#pragma once

#include "engine/io/numpy/npy_header.h"

#include <string>

namespace assay {

/// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`. Nothing is evaluated. Accepts only strings
/// without escapes, True, False, tuples of integers (also with Python 2's L suffix) and, for record types, a list in
/// brackets, which is skipped.
/// @return type, order and shape; for a record type NpyType::Kind::Other, with the text of its list of fields
/// @throws Error{BadInput} for anything else; the message names the character position
NpyHeader parseNpyLiteral(const std::string& text, const std::string& where);

} // namespace assay
