#include "gui/engine_calls.h"

#include "engine/io/read_embeddings.h"

namespace assay {

EngineCalls engineCalls() {
    return {readEmbeddings, runAudit, addModels, makeDemo};
}

} // namespace assay
