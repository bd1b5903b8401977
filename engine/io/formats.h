#pragma once

#include "engine/data/embedding_set.h"
#include "engine/io/input_file.h"
#include "engine/job/job_context.h"

#include <string>

// The readers that format_table.cpp lists; see Format for what each pair does.
namespace assay {

bool recognisesNpy(const InputFile& input);
EmbeddingParts readNpy(const InputFile& input, const std::string& key, const JobContext& job);

bool recognisesNpz(const InputFile& input);
EmbeddingParts readNpz(const InputFile& input, const std::string& key, const JobContext& job);

} // namespace assay
