#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// How rows of one file are matched with entries of another.
enum class JoinBy {
    Auto, ///< by id when both files have ids, else by row number
    Id,
    Row
};

/// One of the two sides of a join.
struct JoinSide {
    std::string name;                      ///< name of the file, for messages
    std::string things;                    ///< noun for messages: "rows", "pictures"
    std::size_t count = 0;                 ///< number of entries
    std::span<const std::string> ids = {}; ///< one per entry, or empty
};

/// Result of a join: the partner of each row.
struct RowJoin {
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    bool byId = false;
    std::string matchedBy;               ///< how ids were compared: "id", "file name", ...
    std::vector<std::uint32_t> partner;  ///< one per row: index of the partner, or kNone
    std::vector<std::uint32_t> without;  ///< rows without a partner, ascending
    std::vector<std::uint32_t> leftOver; ///< partners that no row uses, ascending
};

/// Joins rows with their partners. By id, five comparisons are tried, from strict to loose: equal ids, ids without the
/// file ending (`a/7.png`, `a/7`), file names without folders, file names without ending, and these without leading
/// zeros. The first comparison that finds a partner for every row is used; failing that, the one that finds most
/// partners.
/// @throws Error{BadInput} naming both sides: by row when the counts differ; by id when a side has no ids, when no row
///         has a partner, and when a side has an id twice
RowJoin joinRows(const JoinSide& rows, const JoinSide& partners, JoinBy by);

/// Forms in which ids are compared, from strict to loose, without the last one: the id, the id without its ending, the
/// file name, and the file name without its ending.
std::array<std::string_view, 4> idKeys(std::string_view id);

/// Describes the join for the user: "by row, 500 pictures for 500 rows: row 0 with 'a/1.png', row 499 with
/// 'b/250.png'".
std::string joinText(const RowJoin& join, const JoinSide& rows, const JoinSide& partners);

} // namespace assay
