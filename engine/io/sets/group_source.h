#pragma once

#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/set_files.h"

#include <span>
#include <string>
#include <string_view>

namespace assay {

/// Where the groups of a set are read.
struct GroupSource {
    bool isOwnColumn = false; ///< a column of the set's own table
    bool isIds = false;       ///< the ids of the samples
    FileSpec file{};          ///< else a file, with its column or array where that is known
};

/// SetFiles::groups for the stems of the ids, unless a column or a file has that name.
inline constexpr std::string_view kGroupsOfIds = "ids";

/// What an id says of its sample's group: "patient12" of "patient12_slice3", "video7" of "video7-0001.png". That is the
/// text before the last of `_`, `-`, `.`, `:`, `#` and space, where a number follows, which may begin with a word.
/// @return empty for any other id
std::string_view stemOfId(std::string_view id);

/// Groups of samples whose ids have the same stem (stemOfId()); a sample whose id has none stands alone.
/// @return nothing when no two ids share a stem
ClassLabels groupsOfIds(std::span<const std::string> ids);

/// Whether groups from ids are likely to be meant by those who gave them: at least 10 stems, at least half of the rows
/// share one, and none has more than a tenth of the rows.
bool areLikelyGroups(const ClassLabels& ofIds);

/// Whether the set is read from a table with such a column.
bool ownsGroupColumn(const SetFiles& files, const std::string& column);

/// Whether the set's own table, or the table of its labels, has such a column.
bool hasGroupColumn(const SetFiles& files, const std::string& column);

/// Finds what SetFiles::groups names: a column of the set's own table, a column of the table of its labels, a file,
/// or the ids.
/// @param place the set's file, for messages
/// @throws Error{BadInput} that lists the columns when it is none of these
GroupSource groupSourceOf(const SetFiles& files, const std::string& place);

/// Lets every set that has a column take it as its groups; a set without it says so in its notes. A column of the real
/// set's own table is recorded with the preparation, so that models which are added later find it as well.
/// @param real without embeddings: the sets are added to an audit
/// @param others those without embeddings are ignored
/// @throws Error{BadInput} when no set has the column; reading the real set reports that it has none
void takeCommonGroups(const std::string& column, SetFiles& real, std::span<SetFiles* const> others,
                      PreparationChoice& choice);

/// Lets the reader of the set's own table take the column of SetFiles::groups as groups, where it has that column.
void takeGroupColumn(ValueReading& reading, const SetFiles& files);

} // namespace assay
