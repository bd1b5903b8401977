#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// The three values of a .npy header, as stored.
struct NpyLiteral {
    std::string descr;       ///< text of the type; for a record type, text of its list of fields
    bool structured = false; ///< a record type: `descr` was a list, not a string
    bool fortranOrder = false;
    std::vector<std::uint64_t> shape;
};

/// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`. Nothing is evaluated. Accepts only strings
/// without escapes, True, False, tuples of integers (also with Python 2's L suffix) and, for record types, a list in
/// brackets, which is skipped.
/// @throws Error{BadInput} for anything else; the message names the character position
NpyLiteral parseNpyLiteral(const std::string& text, const std::string& where);

} // namespace assay
