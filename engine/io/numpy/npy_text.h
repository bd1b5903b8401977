#pragma once

#include "engine/io/numpy/npy_writer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// What becomes of texts that are all whole numbers in their plain decimal form.
enum class WholeNumbers { AsNumbers, AsText };

/// A list of texts as an array of NumPy: int64 where all of them are whole numbers, else Unicode text of one
/// width. Both are read back to the same texts, but for zeros at the end of a text, which NumPy
/// takes for padding.
class NpyTextArray {
public:
    /// @param texts UTF-8; other bytes are taken for Latin-1
    /// @throws Error{InvalidArgument} where one long text would make the array larger than 4 GiB
    explicit NpyTextArray(const std::vector<std::string>& texts, WholeNumbers whole = WholeNumbers::AsNumbers);

    /// One dimension. Valid as long as the object.
    NpyView view() const;

private:
    std::size_t count_;
    std::size_t width_ = 0; ///< code points; 0: whole numbers
    std::vector<std::int64_t> numbers_;
    std::vector<char32_t> characters_; ///< count_ x width_, padded with zeros
};

/// The number that a text is the plain decimal form of ("7", "-12"; not "07"), or nothing.
std::optional<std::int64_t> wholeNumberOf(std::string_view text);

} // namespace assay
