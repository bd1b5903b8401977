#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// How the rows of one file find theirs in another.
enum class JoinBy {
    Auto, ///< by id where both have ids, else by row
    Id,
    Row
};

/// One of two things to be joined.
struct JoinSide {
    std::string name;                      ///< file, for messages
    std::string things;                    ///< "rows", "pictures"
    std::size_t count = 0;                 ///< of things
    std::span<const std::string> ids = {}; ///< one each, or none
};

/// Which partner each row has.
struct RowJoin {
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    bool byId = false;
    std::string sameBy;                  ///< what makes two ids one: "id", "file name"
    std::vector<std::uint32_t> partner;  ///< one per row; kNone: it has none
    std::vector<std::uint32_t> without;  ///< rows that have none, ascending
    std::vector<std::uint32_t> leftOver; ///< partners that no row has, ascending
};

/// Joins rows to what belongs to them. Ids are the same when they are equal, else when they are but for the ending
/// (`a/7.png`, `a/7`), the folders, both, or the zeros before a number: the strictest of these that finds a partner for
/// every row; where none does, the one that finds most.
/// @throws Error{BadInput} naming both sides: by row with unequal counts; by id where one has none, where none is found
///         on the other side, and where two things have one id
RowJoin joinRows(const JoinSide& rows, const JoinSide& partners, JoinBy by);

/// What was joined, for people: "by row, 500 pictures for 500 rows: row 0 with 'a/1.png', row 499 with 'b/250.png'".
std::string joinText(const RowJoin& join, const JoinSide& rows, const JoinSide& partners);

} // namespace assay
