#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// The three values of a .npy header, as written.
struct NpyLiteral {
    std::string descr;       ///< the type's text; for a record type the text of its list of fields
    bool structured = false; ///< a record type: `descr` was a list, not a string
    bool fortranOrder = false;
    std::vector<std::uint64_t> shape;
};

/// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`. Nothing is evaluated; strings without
/// escapes, True, False, tuples of whole numbers (also with Python 2's L) and, for record types, a bracketed list that
/// is skipped, are all there is.
/// @throws Error{BadInput} for anything else, saying at which character
NpyLiteral parseNpyLiteral(const std::string& text, const std::string& where);

} // namespace assay
