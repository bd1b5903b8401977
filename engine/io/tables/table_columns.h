#pragma once

#include "engine/data/preparation.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The name without surrounding spaces, in lower case (ASCII only).
std::string lowerCase(std::string_view name);

/// Whether a column holds ids, by its name: id, filename, file_name, file, path, image_path, ... in singular or plural.
/// An unnamed first column counts too, because programs write row names that way.
/// @param name in lower case
/// @param column index of the column, from 0
bool isIdColumn(std::string_view name, std::size_t column, TableRules rules = TableRules::Current);

/// Whether a column holds ids if its fields are text: image, images, img. @param name in lower case
bool mayBeIdColumn(std::string_view name);

/// Whether a column holds classes, by its name: label or class, in singular or plural. @param name in lower case
bool isLabelColumn(std::string_view name, TableRules rules = TableRules::Current);

/// Whether a column holds classes if its fields repeat: target, in singular or plural. Of measurements it is a feature.
/// @param name in lower case
bool mayBeLabelColumn(std::string_view name);

/// Whether a column is named like the numbers of rows: index, Unnamed: 0, S.No, row, or ending in id, as PassengerId
/// and student_id. It numbers the rows if its fields are all different.
bool isRowNumberName(std::string_view name);

/// Whether a name ends in id, as PassengerId, student_id and uuid do, but not paid.
bool endsInId(std::string_view name);

/// Whether a column is named like the weights of samples in a survey: weight, sample_weight, fnlwgt.
bool mayBeWeight(std::string_view name);

/// Whether all names are those of an embedding's columns: embedding_0, emb12, latent-3.
bool areEmbeddingNames(const std::vector<std::string>& names);

/// The way out that messages about columns too many end with. The window names its own choice in its place.
inline constexpr std::string_view kIgnoreAdvice = "--ignore-columns NAME leaves a column out of every set that has it";

/// The same for columns of text.
inline constexpr std::string_view kTextAdvice = "--one-hot takes text as categories, --ignore-columns NAME leaves the "
                                                "column out";

} // namespace assay
