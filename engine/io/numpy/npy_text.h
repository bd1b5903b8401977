#pragma once

#include "engine/io/numpy/npy_writer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// How to store texts that are all integers in plain decimal form.
enum class WholeNumbers { AsNumbers, AsText };

/// A list of texts as a NumPy array: int64 when all texts are integers, else Unicode text of fixed width. Reading the
/// array gives equal texts, except that zero characters at the end of a text are lost: NumPy uses them as padding.
class NpyTextArray {
public:
    /// @param texts UTF-8; other bytes become `\xff` (utf8OrEscaped())
    /// @throws Error{InvalidArgument} when one long text would make the array larger than 4 GiB
    explicit NpyTextArray(const std::vector<std::string>& texts, WholeNumbers whole = WholeNumbers::AsNumbers);

    /// The one-dimensional array. Valid while this object lives.
    NpyView view() const;

private:
    std::size_t count_;
    std::size_t width_ = 0; ///< in code points; 0: integers
    std::vector<std::int64_t> numbers_;
    std::vector<char32_t> characters_; ///< count_ x width_, padded with zeros
};

/// The number whose plain decimal form the text is ("7", "-12", but not "07"); empty for other texts.
std::optional<std::int64_t> wholeNumberOf(std::string_view text);

} // namespace assay
