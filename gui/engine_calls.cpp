#include "gui/engine_calls.h"

#include "engine/io/read_embeddings.h"

namespace assay {

EngineCalls engineCalls() {
    // Copied, never mapped: the window stays open for hours, and people run their generator again meanwhile.
    const auto read = [](const std::string& fileSpec, const JobContext& job) { return readEmbeddings(fileSpec, job); };
    return {read, runAudit, addModels, makeDemo};
}

} // namespace assay
