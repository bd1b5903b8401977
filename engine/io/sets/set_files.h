#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_sets.h"

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

/// The files from which one set of samples is read.
struct SetFiles {
    std::string embeddings; ///< a file, `FILE.npz:KEY`, or a folder
    std::string pictures{}; ///< a folder or an array of pictures; empty: those of the embeddings' file
    std::string labels{};   ///< a table or array of classes, ids or both; empty: those of the embeddings' file
    JoinBy join = JoinBy::Auto;
    PictureOrder order = PictureOrder::Path; ///< order of the pictures when they are joined by row
    std::string note{};                      ///< for the user, in addition to the reader's notes
    /// A column of the set's own table or of its labels, a file, or "ids" for their stems; empty: as the readers find.
    std::string groups{};
    std::string original{}; ///< what Python converted to `embeddings`, for messages; empty for other files

    /// Whether only the embeddings' file is read.
    bool isPlain() const noexcept { return pictures.empty() && labels.empty() && groups.empty(); }

    /// A message about `embeddings` as one about `original`, where there is one: nobody knows the converted file.
    std::string inWordsOfOriginal(std::string text) const;

    friend bool operator==(const SetFiles&, const SetFiles&) = default;
};

/// Adds classes, ids, groups and pictures from other files to a set's rows; the source's notes report how.
/// @throws Error{BadInput} as joinRows(), and when a row has no class or group; Error{NotEnoughMemory}; Cancelled
void joinBeside(EmbeddingParts& parts, const SetFiles& files, const JobContext& job);

/// The files from which a set was read, with its join settings, so that reading them again gives the same set.
SetFiles filesOf(const SourceInfo& source);

} // namespace assay
